import { dayMinuteText } from '#web/platform/day-minute.ts'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, Suspense } from 'react'
import { isBlank } from '#domain/blank.ts'
import type { RequestKind } from '#domain/cashier/request.ts'
import { END_REASON_MAX } from '#domain/four-eyes/proposal.ts'
import { formatAmount, formatDateTime } from '#web/platform/formats.ts'
import { serverNowMs } from '#web/platform/server-time.ts'
import { ActDialog } from '#web/ui/act-dialog.tsx'
import { AmountText } from '#web/ui/amounts.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { FactList, type Facts } from '#web/ui/fact-list.tsx'
import { EmptyState, QueryFailure } from '#web/ui/states.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { TimeLeft } from '#web/ui/ticking-text.tsx'
import { useShownAct } from '#web/lists/use-admin-refresh.ts'
import { usePrompt } from '#web/ui/use-prompt.ts'
import { confirmProposal, endProposal, type Proposal, proposalQuery } from './api.ts'
import { proposalTexts as texts } from './proposal-texts.ts'
import { changeText, notYouWords, signedMinor, waitingWords } from './proposal-words.ts'

/** Draws facts that help to judge a proposal's request. Another feature has this function; the screen passes it in. */
export type DossierOf = (about: {
  readonly request: {
    readonly id: string
    readonly kind: RequestKind
    readonly amountMinor: bigint
    readonly status: 'pending'
  }
  readonly verdicts: readonly ['approved']
  readonly onLeave: () => void
}) => ReactNode

export type ProposalAct = { readonly kind: 'confirm' | 'end'; readonly seen: Proposal }

export type ProposalDialogsProps = {
  readonly act: ProposalAct
  readonly meId: string
  readonly dossier?: DossierOf | undefined
  /** Stands beside the title, for example buttons that open the previous or next request of a list. */
  readonly aside?: ReactNode
  readonly onClose: () => void
  /** Called instead of `onClose` after the proposal was confirmed or ended. */
  readonly onDone?: (() => void) | undefined
}

/** The dialog of the chosen act on a proposal. It shows the proposal's current state. */
export function ProposalDialogs({ act: { kind, seen }, meId, dossier, ...rest }: ProposalDialogsProps) {
  const { data } = useQuery(proposalQuery(seen.id))
  const proposal = data ?? seen
  return kind === 'confirm' ? (
    <ConfirmProposal key={seen.id} proposal={proposal} meId={meId} dossier={dossier} {...rest} />
  ) : (
    <EndProposal key={seen.id} proposal={proposal} isOwn={proposal.proposedBy.id === meId} {...rest} />
  )
}

export type ProposalOfProps = Omit<ProposalDialogsProps, 'act'> & { readonly id: string }

/** For lists that know only a proposal's id: the dialog that withdraws one's own proposal or confirms a colleague's. */
export function ProposalOf({ id, ...rest }: ProposalOfProps) {
  const query = useQuery(proposalQuery(id))
  const { data } = query
  if (data === undefined && !query.isError) return null
  if (data === undefined || data === null)
    return (
      <Dialog onClose={rest.onClose} title={texts.confirmTitle} aside={rest.aside}>
        {data === null ? <EmptyState text={texts.gone} /> : <QueryFailure query={query} />}
      </Dialog>
    )
  const kind = data.proposedBy.id === rest.meId ? 'end' : 'confirm'
  return <ProposalDialogs act={{ kind, seen: data }} {...rest} />
}

/** Shows the outcome of a proposal that is no longer open. */
function Ended({ proposal: { status, endedBy } }: { readonly proposal: Proposal }) {
  if (status === 'open') return null
  return (
    <Banner tone="warn" isLive>
      {endedBy === null ? texts[status] : texts.endedWithName(texts[status], endedBy.username)}
    </Banner>
  )
}

type PartProps = Pick<ProposalDialogsProps, 'aside' | 'onClose' | 'onDone'> & { readonly proposal: Proposal }

function factsOf(proposal: Proposal): Facts {
  const change = changeText(proposal)
  const isOpen = proposal.status === 'open'
  const { secondPeople = [], confirmerSinceMs = null, adminSummedMinor = null, endedBy } = proposal
  return [
    [texts.account, proposal.owner.username],
    [texts.kind, texts[proposal.kind]],
    [texts.amount, <AmountText key="amount" kind="signed" hasUnit amountMinor={signedMinor(proposal)} />],
    isOpen && [change.label, change.text],
    [texts.sum, formatAmount(proposal.summedMinor)],
    adminSummedMinor !== null && [texts.adminSum, formatAmount(adminSummedMinor)],
    [texts.proposedBy, proposal.proposedBy.username],
    [texts.proposedAt, formatDateTime(proposal.proposedAtMs)],
    proposal.reason !== null && [texts.reason, proposal.reason],
    isOpen && [
      texts.secondPeople,
      secondPeople
        .map(({ username, moneySinceMs }) => texts.moneySince(username, dayMinuteText(moneySinceMs)))
        .join(', '),
    ],
    isOpen && [texts.left, <TimeLeft key="left" endsAtMs={proposal.expiresAtMs} label={texts.left} />],
    confirmerSinceMs !== null &&
      endedBy !== null && [texts.endedBy, texts.moneySince(endedBy.username, dayMinuteText(confirmerSinceMs))],
  ]
}

function useProposalActs() {
  const done = useShownAct<Proposal>('proposals', 'requests', 'disputes', 'users', 'overview', 'audit')
  return {
    confirm: ({ id }: Proposal) => done(confirmProposal(id)),
    end: ({ id }: Proposal, reason: string) => done(endProposal(id, reason)),
  }
}

function ConfirmProposal({
  proposal,
  meId,
  dossier,
  aside,
  onClose,
  onDone = onClose,
}: PartProps & Pick<ProposalDialogsProps, 'dossier' | 'meId'>) {
  const { confirm } = useProposalActs()
  const amount = formatAmount(proposal.amountMinor)
  const isOpen = proposal.status === 'open'
  const notYou = isOpen ? notYouWords(proposal, meId, serverNowMs()) : null
  const { requestId, kind, amountMinor } = proposal
  const about =
    isOpen && dossier !== undefined && requestId !== null && (kind === 'deposit' || kind === 'withdrawal')
      ? {
          request: { id: requestId, kind, amountMinor, status: 'pending' as const },
          verdicts: ['approved'] as const,
          onLeave: onClose,
        }
      : null
  return (
    <ActDialog
      title={texts.confirmTitle}
      description={texts.confirmText(proposal.proposedBy.username)}
      confirmLabel={texts.confirmButton(amount)}
      isBlocked={!isOpen || notYou !== null}
      run={() => confirm(proposal)}
      doneText={texts.confirmed1(proposal.owner.username, amount)}
      failText={texts.confirmFailed}
      aside={aside}
      isWide={about !== null}
      onClose={onClose}
      onDone={onDone}
    >
      <Ended proposal={proposal} />
      {notYou !== null && <Banner tone="warn">{notYou}</Banner>}
      <FactList facts={factsOf(proposal)} className="text-left text-sm" valueClassName="text-right font-medium" />
      {about !== null && (
        // The fallback has a height, so that the dialog hardly jumps when the dossier's code has loaded.
        <Suspense fallback={<div className="min-h-96 md:min-h-72" />}>{dossier?.(about)}</Suspense>
      )}
    </ActDialog>
  )
}

/** Ends a proposal: its proposer withdraws it without a reason; another admin refuses it and has to give a reason. */
function EndProposal({ proposal, isOwn, aside, onClose, onDone = onClose }: PartProps & { readonly isOwn: boolean }) {
  const { end } = useProposalActs()
  const reason = usePrompt((text) => (!isOwn && isBlank(text) ? texts.reasonRequired : undefined))
  const amount = formatAmount(proposal.amountMinor)
  const { owner, proposedBy, requestId } = proposal
  return (
    <ActDialog
      title={isOwn ? texts.withdrawTitle : texts.refuseTitle}
      description={
        <>
          <span>
            {isOwn
              ? texts.withdrawText(owner.username, amount)
              : texts.refuseText(proposedBy.username, owner.username, amount)}
          </span>
          {requestId !== null && <span>{` ${texts.requestWaitsOn}`}</span>}
        </>
      }
      confirmLabel={isOwn ? texts.withdrawTitle : texts.refuseTitle}
      tone="danger"
      isBlocked={proposal.status !== 'open'}
      canRun={reason.check}
      run={() => end(proposal, reason.text.trim())}
      doneText={isOwn ? texts.withdrawn1 : texts.refused1}
      failText={texts.endFailed}
      aside={aside}
      onClose={onClose}
      onDone={onDone}
    >
      <Ended proposal={proposal} />
      {isOwn && proposal.status === 'open' && (
        <p className="text-left text-sm text-ink-3">{waitingWords(proposal)?.why ?? texts.ownProposal}</p>
      )}
      {!isOwn && (
        <div className="text-left">
          <TextArea
            {...reason.field}
            label={texts.reason}
            hint={texts.endReasonHint}
            required
            maxLength={END_REASON_MAX}
          />
        </div>
      )}
    </ActDialog>
  )
}
