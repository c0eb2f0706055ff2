import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { disputeList } from '#contract/disputes.ts'
import { DISPUTE_STATUSES } from '#domain/disputes/dispute.ts'
import { useMay } from '#web/platform/use-may.ts'
import { DataTable } from '#web/lists/data-table.tsx'
import { choiceBar, dayBoxes, ListFilters, searchBox, wordsOf } from '#web/lists/list-filters.tsx'
import { RowButton } from '#web/lists/row-button.tsx'
import { declared } from '#web/lists/table-search.ts'
import { adminTableTexts } from '#web/lists/table-texts.ts'
import { adminList, useAdminList } from '#web/lists/use-admin-list.ts'
import { useOpenUser } from '#web/lists/use-open-user.ts'
import { Eye } from '#web/ui/icons/eye.tsx'
import { MessageSquareText } from '#web/ui/icons/message-square-text.tsx'
import type { MenuGroup } from '#web/ui/menu.tsx'
import { lazyComponent } from '#web/ui/lazy-component.ts'
import { adminDisputeTexts as texts } from './admin-dispute-texts.ts'
import type { Dispute } from './api.ts'
import type { DisputeAct } from './dispute-dialogs.tsx'
import { disputeTexts } from './dispute-texts.ts'
import { disputesPage } from './staff-api.ts'
import { dayMinuteText } from '#web/platform/day-minute.ts'
import { minorToText } from '#domain/money.ts'
import { formatCount, formatDateTime } from '#web/platform/formats.ts'
import { serverNowMs } from '#web/platform/server-time.ts'
import { AmountText } from '#web/ui/amounts.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { CutText, ownerColumn, pointsColumn, textColumn, timeColumn } from '#web/lists/columns.tsx'
import type { TableColumn } from '#web/lists/table-model.ts'
import { WaitingBadge } from '#web/parts/second-person.tsx'
import { RoundLink } from '#web/parts/round-link.tsx'
import { betText, roundText, statusWords } from './dispute-words.ts'

const dayMs = 86_400_000

/** Returns the whole days that a dispute has waited, or had waited when it was answered. */
const daysOf = ({ openedAtMs, answer }: Dispute): number =>
  Math.max(0, Math.floor(((answer?.atMs ?? serverNowMs()) - openedAtMs) / dayMs))

const daysText = (dispute: Dispute): string => {
  const days = daysOf(dispute)
  return days === 0 ? texts.today : texts.daysOpen(formatCount(days))
}

const disputeColumns: ReadonlyArray<TableColumn<Dispute>> = [
  ownerColumn(texts.account, 'block max-w-36'),
  timeColumn('openedAt', texts.openedAt, ({ openedAtMs }) => openedAtMs, {
    sort: 'openedAt',
    show: dayMinuteText,
    card: 'line',
  }),
  {
    id: 'days',
    label: texts.days,
    align: 'end',
    cell: (dispute) => (dispute.status === 'open' ? daysText(dispute) : ''),
    csv: (dispute) => daysOf(dispute),
  },
  textColumn('round', texts.round, roundText, {
    cell: (dispute) => (
      <RoundLink roundId={dispute.bet.round.id} className="whitespace-nowrap">
        {roundText(dispute)}
      </RoundLink>
    ),
  }),
  textColumn('bet', texts.bet, betText),
  {
    id: 'result',
    label: texts.result,
    cell: ({ bet }) => (
      <span className="whitespace-nowrap">
        {disputeTexts.betStatus[bet.status]} <AmountText amountMinor={bet.profitMinor} kind="signed" />
      </span>
    ),
    csv: ({ bet }) => ({ decimal: minorToText(bet.profitMinor) }),
  },
  textColumn('text', texts.text, ({ text }) => text, {
    takesRest: 'cut',
    cell: ({ text }) => <CutText text={text} className="min-w-16 text-ink-2 max-md:max-w-full" />,
  }),
  textColumn('status', texts.status, ({ status }) => texts[status], {
    card: 'aside',
    cell: ({ status, proposal }) =>
      proposal == null ? (
        <Badge tone={statusWords[status].tone}>{texts[status]}</Badge>
      ) : (
        <WaitingBadge proposal={proposal} />
      ),
  }),
  textColumn('answerText', texts.answerText, ({ answer }) => answer?.text ?? '', {
    cell: ({ answer }) => <span className="block max-w-40 truncate">{answer?.text ?? ''}</span>,
  }),
  textColumn('answeredBy', texts.answeredBy, ({ answer }) => answer?.by.username ?? ''),
  timeColumn('answeredAt', texts.answeredAt, ({ answer }) => answer?.atMs ?? null, { show: formatDateTime }),
  pointsColumn('correction', texts.correction, ({ answer }) => answer?.correctionMinor ?? null, {
    kind: 'signed',
    none: '',
  }),
]

const disputes = adminList({
  id: 'khieu-nai',
  ...declared(disputeList, { first: { status: 'open' } }),
  hiddenAtFirst: ['answerText', 'answeredBy', 'answeredAt', 'correction'],
  rowId: ({ id }: Dispute) => id,
  rowName: ({ owner }) => owner.username,
  besideRem: 20.125,
  pageQuery: disputesPage,
})

const controls = {
  q: searchBox(adminTableTexts.search, 'w-full md:w-44'),
  status: choiceBar(
    texts.status,
    wordsOf([...DISPUTE_STATUSES, 'all'], (value) => texts[value]),
  ),
}

const Dialogs = lazyComponent(() => import('./dispute-dialogs.tsx'), 'DisputeDialogs')

type DisputesTableProps = {
  readonly meId: string
  /** Draws the dialog of a proposal: a correction that waits for a second person. */
  readonly proposalDialog: (proposalId: string, onClose: () => void) => ReactNode
}

/** The list of disputes, the oldest on top. At first only the open disputes are shown (rules §9.2). */
export function DisputesTable({ meId, proposalDialog }: DisputesTableProps) {
  const navigate = useNavigate()
  const openUser = useOpenUser()
  const list = useAdminList(disputes)
  const [act, setAct] = useState<DisputeAct>()
  const [proposalId, setProposalId] = useState<string>()
  const mayChat = useMay('care')
  const may = [useMay('money'), mayChat].includes(true)
  const canAnswer = ({ status, owner }: Dispute) => may && status === 'open' && owner.id !== meId
  const answer = (seen: Dispute) => canAnswer(seen) && setAct({ kind: 'answer', seen })
  const see = (seen: Dispute) => setAct({ kind: 'details', seen })
  const menu = (dispute: Dispute): readonly MenuGroup[] => [
    {
      id: 'see',
      items: [
        { id: 'details', label: texts.details, icon: Eye, onSelect: () => see(dispute) },
        ...(mayChat
          ? [
              {
                id: 'chat',
                label: texts.openChat,
                icon: MessageSquareText,
                onSelect: () => void navigate({ to: '/admin/chat', search: { conversation: dispute.conversationId } }),
              },
            ]
          : []),
        openUser(dispute.owner.id),
      ],
    },
  ]
  return (
    <DataTable
      label={texts.title}
      list={list}
      columns={disputeColumns}
      filters={<ListFilters list={list} shown={controls} folded={dayBoxes} />}
      acts={(dispute) =>
        canAnswer(dispute) && (
          <>
            {dispute.proposal != null && (
              <RowButton onClick={() => setProposalId(dispute.proposal?.id)}>{texts.seeProposal}</RowButton>
            )}
            <RowButton onClick={() => answer(dispute)}>{disputeTexts.answer}</RowButton>
          </>
        )
      }
      menu={menu}
      onOpen={{ label: texts.details, run: see }}
      shortcuts={may ? [{ key: 'a', label: disputeTexts.answer, run: answer }] : []}
      dialog={
        proposalId !== undefined
          ? proposalDialog(proposalId, () => setProposalId(undefined))
          : act && (
              <Dialogs
                act={act}
                rows={list.held.rows ?? []}
                meId={meId}
                onAct={setAct}
                onClose={() => setAct(undefined)}
              />
            )
      }
    />
  )
}
