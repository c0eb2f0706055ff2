import { useEffect, useState, useSyncExternalStore } from 'react'
import { formatCount } from '#web/platform/formats.ts'
import { useAct } from '#web/ui/use-act.ts'
import { AskCare } from '#web/ui/ask-care.tsx'
import { Button } from '#web/ui/button.tsx'
import { Sheet } from '#web/ui/dialog.tsx'
import { RoundLink } from '#web/parts/round-link.tsx'
import { Clock } from '#web/ui/icons/clock.tsx'
import { Download } from '#web/ui/icons/download.tsx'
import { Lock } from '#web/ui/icons/lock.tsx'
import { LockOpen } from '#web/ui/icons/lock-open.tsx'
import { ShieldAlert } from '#web/ui/icons/shield-alert.tsx'
import { saveFile } from '#web/ui/save-file.ts'
import { fetchProof, type SealableBet } from './api.ts'
import { evidenceOf, type KeptSeal, type SealFailure } from './kept-seal.ts'
import { sealing, type SealState } from './sealing.ts'
import { faultSentence, sealTexts as texts } from './seal-texts.ts'

export { sealing }

export type BetSealProps = {
  readonly userId: string
  readonly bet: SealableBet
  /** `line`: the seal's state. `block`: also a receipt link or failure details. `review`: also the `ProofButton`. */
  readonly as: 'line' | 'block' | 'review'
}

export function SealLine({ userId, bet, as }: BetSealProps) {
  const state = useSyncExternalStore(sealing.onChange, () => sealing.stateOf(bet.id))
  useEffect(() => void sealing.follow(userId, bet), [userId, bet])
  const isBlock = as !== 'line'
  if (state?.is === 'failed') return isBlock ? <FailureBlock seal={state.seal} /> : <FailureLine seal={state.seal} />
  const round = formatCount(bet.round.roundNumber)
  return (
    <span className={isBlock ? 'flex flex-wrap items-center justify-between gap-x-4 gap-y-1' : undefined}>
      {state !== undefined && <Progress state={state} roundId={bet.round.id} round={round} isShort={as !== 'review'} />}
      {isBlock && (
        <RoundLink roundId={bet.round.id} className="ml-auto font-medium text-gold">
          {texts.receipt(round)}
        </RoundLink>
      )}
      {isBlock && state?.is === 'sealed' && state.isLate && (
        <span className="basis-full text-xs text-ink-2">{texts.lateMeans}</span>
      )}
      {as === 'review' && state?.is === 'sealed' && <ProofButton betId={bet.id} index={state.index} />}
    </span>
  )
}

/** Saves the proof as a file, which the page "Tự kiểm chứng" (/kiem-chung) and other programs can check. */
function ProofButton({ betId, index }: { readonly betId: string; readonly index: number }) {
  const { start, isBusy, failure } = useAct({
    failText: texts.downloadFailed,
    run: async () => {
      const proof = await fetchProof(betId)
      if (proof.is !== 'proof') throw new Error(proof.is)
      saveFile(`lenh-${index}.tlog-proof`, 'text/plain', proof.text)
    },
  })
  return (
    <>
      <Button variant="outline" size="sm" isBusy={isBusy} onClick={() => start()}>
        <Download aria-hidden size={16} strokeWidth={1.8} />
        {texts.download}
      </Button>
      {failure !== undefined && (
        <span role="alert" className="basis-full text-xs text-down">
          {failure}
        </span>
      )}
    </>
  )
}

type ProgressProps = {
  readonly state: Exclude<SealState, { is: 'failed' }>
  readonly roundId: string
  readonly round: string
  /** If true, the number of the log entry is left out, unless the bet was sealed late. */
  readonly isShort: boolean
}

function Progress({ state, roundId, round, isShort }: ProgressProps) {
  const Icon = state.is !== 'sealed' ? LockOpen : state.isLate ? Clock : Lock
  const icon = (
    <Icon aria-hidden size={12} strokeWidth={2} className="mr-1 inline-block align-[-1px] max-[22rem]:hidden" />
  )
  if (state.is !== 'sealed')
    return (
      <span className="text-ink-3">
        {icon}
        <span>{texts[state.is]}</span>
      </span>
    )
  const words = (state.isLate ? texts.sealedLate : texts.sealed)(formatCount(state.index))
  const seen = isShort && !state.isLate ? texts.locked : words
  const toReceipt = texts.toReceipt(words, round)
  return (
    <span className={state.isLate ? 'text-warn' : 'text-ink-2'}>
      {icon}
      <RoundLink roundId={roundId} label={seen === words ? toReceipt : `${seen}. ${toReceipt}`}>
        <span className="tabular-nums">{seen}</span>
      </RoundLink>
    </span>
  )
}

function FailureLine({ seal }: { readonly seal: KeptSeal }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        onClick={() => setIsOpen(true)}
        className="relative text-left font-medium text-down underline underline-offset-4 after:absolute after:-inset-x-1 after:-inset-y-3"
      >
        {texts.failed}
      </button>
      {isOpen && (
        <Sheet onClose={() => setIsOpen(false)} title={texts.failedTitle}>
          <Failure seal={seal} />
        </Sheet>
      )}
    </>
  )
}

function FailureBlock({ seal }: { readonly seal: KeptSeal }) {
  return (
    <span role="alert" className="flex flex-col gap-2 rounded-s border border-down bg-down-soft p-3">
      <span className="flex items-center gap-2 font-semibold text-down">
        <ShieldAlert aria-hidden size={18} strokeWidth={1.8} />
        {texts.failedTitle}
      </span>
      <Failure seal={seal} />
    </span>
  )
}

function Failure({ seal }: { readonly seal: KeptSeal }) {
  const { failure, id, roundNumber } = seal
  if (failure === null) return null
  const words = faultSentence(failure.fault)
  const about = texts.careCase(id, formatCount(roundNumber), words, failure.fault)
  return (
    <span className="flex flex-col gap-3 text-sm">
      <span className="text-ink-2">{texts.failedLead}</span>
      <span className="font-medium text-down">{words}</span>
      <Compared failure={failure} />
      <span className="text-ink-2">{texts.kept}</span>
      <span className="flex flex-wrap gap-2">
        <Button
          variant="outline"
          onClick={() => saveFile(`kim-phien-niem-phong-${id}.json`, 'application/json', evidenceOf(seal))}
        >
          <Download aria-hidden size={16} strokeWidth={1.8} />
          {texts.download}
        </Button>
        <AskCare about={about} label={texts.sendToCare} />
      </span>
    </span>
  )
}

function Compared({ failure: { expected, found } }: { readonly failure: SealFailure }) {
  if (expected === null && found === null) return null
  return (
    <details className="text-xs">
      <summary className="inline-flex min-h-8 cursor-pointer items-center font-medium text-ink underline underline-offset-4">
        {texts.compared}
      </summary>
      <span className="flex flex-col gap-2">
        {expected !== null && <Found term={texts.expected} text={expected} />}
        {found !== null && <Found term={texts.found} text={found} />}
      </span>
    </details>
  )
}

function Found({ term, text }: { readonly term: string; readonly text: string }) {
  return (
    <span className="text-xs text-ink-2 [overflow-wrap:anywhere]">
      <span className="text-ink-3">{term}: </span>
      {text}
    </span>
  )
}
