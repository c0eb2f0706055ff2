import type { CheckStep, StepProgress } from '#domain/book/check-book.ts'
import type { Fault } from '#domain/book/faults.ts'
import { formatCount, formatDateTime, formatWholeAmount } from '#web/platform/formats.ts'
import { deviceNowMs } from '#web/platform/server-time.ts'
import { Button } from '#web/ui/button.tsx'
import { TitledCard } from '#web/ui/titled-card.tsx'
import { classNames } from '#web/ui/class-names.ts'
import type { IconComponent } from '#web/ui/icon.tsx'
import { CircleAlert } from '#web/ui/icons/circle-alert.tsx'
import { CircleCheck } from '#web/ui/icons/circle-check.tsx'
import { CircleDashed } from '#web/ui/icons/circle-dashed.tsx'
import { Clock } from '#web/ui/icons/clock.tsx'
import { Download } from '#web/ui/icons/download.tsx'
import { LoaderCircle } from '#web/ui/icons/loader-circle.tsx'
import { saveFile } from '#web/ui/save-file.ts'
import type { CheckReport } from './check-messages.ts'
import { checkTexts as texts } from './check-texts.ts'
import { faultDetails, progressText, stateText, stepsOf, type Verdict, verdictOf, verdictText } from './check-words.ts'
import { faultTexts } from './fault-texts.ts'
import { Folded } from './folded.tsx'
import type { CheckState } from './use-check.ts'

const looks: Record<Verdict, { readonly look: string; readonly icon: IconComponent }> = {
  running: { look: 'bg-surface-2 text-ink', icon: LoaderCircle },
  right: { look: 'bg-up-soft text-up', icon: CircleCheck },
  wrong: { look: 'bg-down-soft text-down', icon: CircleAlert },
  pending: { look: 'bg-info-soft text-info', icon: Clock },
  stopped: { look: 'bg-warn-soft text-warn', icon: Clock },
  absent: { look: 'bg-warn-soft text-warn', icon: CircleAlert },
  failed: { look: 'bg-warn-soft text-warn', icon: CircleAlert },
}

/** The page shows at most this many faults. The saved file has all faults of the report. */
const FAULTS_SHOWN = 20

export function CheckOutcome({ state }: { readonly state: CheckState }) {
  const verdict = verdictOf(state)
  const { look, icon: Icon } = looks[verdict]
  const report = state.outcome !== null && 'report' in state.outcome ? state.outcome.report : null
  return (
    <TitledCard title={texts.result} gap="gap-4">
      <p
        role={verdict === 'wrong' || verdict === 'absent' || verdict === 'failed' ? 'alert' : 'status'}
        className={classNames('flex items-start gap-2 rounded-s px-3 py-2.5 text-sm font-semibold', look)}
      >
        <Icon aria-hidden size={20} strokeWidth={1.8} className="shrink-0" />
        <span>{verdictText(state)}</span>
      </p>
      {report?.proof != null && <ProofWords proof={report.proof} />}
      {verdict === 'running' && <Moving state={state} />}
      {report !== null && <Report report={report} hasFaults={verdict !== 'absent'} />}
      <Folded title={texts.stepByStep}>
        <ol className="flex flex-col gap-3">
          {stepsOf(state.request.kind).map((step) => (
            <Step key={step} step={step} isOfProof={state.request.kind === 'proof'} progress={state.steps[step]} />
          ))}
        </ol>
        {(report?.summary?.pending ?? 0) > 0 && <p>{texts.waiting(formatCount(report?.summary?.pending ?? 0))}</p>}
      </Folded>
      {report !== null && <Technical report={report} />}
    </TitledCard>
  )
}

const stepIcons = {
  running: { look: 'text-ink-3', icon: LoaderCircle },
  right: { look: 'text-up', icon: CircleCheck },
  wrong: { look: 'text-down', icon: CircleAlert },
  pending: { look: 'text-info', icon: Clock },
  stopped: { look: 'text-warn', icon: CircleDashed },
} as const

type StepProps = {
  readonly step: CheckStep
  readonly isOfProof: boolean
  readonly progress: StepProgress | undefined
}

function Step({ step, isOfProof, progress }: StepProps) {
  const { look, icon: Icon } =
    progress === undefined ? { look: 'text-ink-3', icon: CircleDashed } : stepIcons[progress.state]
  const done = progress === undefined ? null : progressText(progress)
  return (
    <li className="flex gap-3 text-sm">
      <Icon aria-hidden size={20} strokeWidth={1.8} className={classNames('mt-px shrink-0', look)} />
      <div className="flex min-w-0 flex-1 flex-col gap-0.5">
        <p className="flex flex-wrap justify-between gap-x-3">
          <span className="font-medium">{isOfProof ? texts.proofStep : texts.steps[step]}</span>
          {progress !== undefined && (
            <span className={classNames('tabular-nums', look)}>
              {[stateText(progress), ...(done === null ? [] : [done])].join(' · ')}
            </span>
          )}
        </p>
        <p className="text-xs text-ink-3">{isOfProof ? texts.proofStepMeans : texts.stepsMean[step]}</p>
      </div>
    </li>
  )
}

function Moving({ state }: { readonly state: CheckState }) {
  const step = Object.values(state.steps).find((one) => one.state === 'running' && one.total !== null)
  if (step === undefined) return null
  const part = Math.min(1, step.done / Math.max(1, step.total ?? 0))
  return (
    <div
      role="progressbar"
      aria-label={texts.running}
      aria-valuenow={Math.round(part * 100)}
      aria-valuemin={0}
      aria-valuemax={100}
      className="mt-1 h-1 overflow-hidden rounded-pill bg-line"
    >
      <div className="h-full origin-left rounded-pill bg-gold-fill" style={{ transform: `scaleX(${part})` }} />
    </div>
  )
}

function ProofWords({ proof: { index, opening } }: { readonly proof: NonNullable<CheckReport['proof']> }) {
  if (index === null || opening === null) return null
  return (
    <p className="flex flex-col text-sm tabular-nums">
      <span className="font-medium">{texts.proofOf(formatCount(index))}</span>
      <span className="text-ink-2">
        {texts.proofSays(
          texts.sides[opening.direction],
          formatWholeAmount(BigInt(opening.stake)),
          formatDateTime(opening.at),
        )}
      </span>
    </p>
  )
}

function Report({ report, hasFaults }: { readonly report: CheckReport; readonly hasFaults: boolean }) {
  const { faults, faultCount, summary, settledBets } = report
  const shown = hasFaults ? faults.slice(0, FAULTS_SHOWN) : []
  const more = formatCount(faultCount - shown.length)
  return (
    <>
      {shown.length > 0 && (
        <Folded title={texts.faults}>
          <ul className="flex flex-col gap-3">
            {shown.map((fault, at) => (
              // The key is the index, because two faults may have the same contents.
              // oxlint-disable-next-line react/no-array-index-key -- see above
              <FaultWords key={at} fault={fault} />
            ))}
          </ul>
          {faultCount > shown.length && (
            <p className="text-sm text-ink-2">
              {faultCount > faults.length
                ? texts.moreThanInFile(more, formatCount(faults.length))
                : texts.moreFaults(more)}
            </p>
          )}
        </Folded>
      )}
      {hasFaults && summary !== null && report.request.kind !== 'proof' && (
        <div className="flex flex-col gap-1 text-sm text-ink-2">
          <p>{texts.summary(formatCount(summary.closed), formatCount(settledBets), formatCount(summary.entries))}</p>
          {summary.notUnderstood > 0 && <p>{texts.notUnderstood(formatCount(summary.notUnderstood))}</p>}
        </div>
      )}
    </>
  )
}

function Technical({ report }: { readonly report: CheckReport }) {
  const { head, vkey } = report
  const save = () =>
    saveFile(
      `kiem-chung-${new Date(deviceNowMs()).toISOString().slice(0, 19).replaceAll(':', '-')}.json`,
      'application/json',
      write(report),
    )
  return (
    <Folded title={texts.technical}>
      <Button variant="outline" onClick={save} className="self-start">
        <Download aria-hidden size={18} strokeWidth={1.8} />
        {texts.download}
      </Button>
      {head !== null && vkey !== null && (
        <>
          <Fact name={texts.key} value={vkey} />
          <Fact name={texts.note} value={head.note} />
        </>
      )}
    </Folded>
  )
}

function FaultWords({ fault }: { readonly fault: Fault }) {
  return (
    <li className="flex flex-col gap-0.5 border-l-2 border-down pl-3 text-sm">
      <p className="font-medium text-down">{faultTexts[fault.kind]}</p>
      {faultDetails(fault).map((line) => (
        <p key={line} className="text-xs [overflow-wrap:anywhere] text-ink-2 tabular-nums">
          {line}
        </p>
      ))}
      <code className="text-xs text-ink-3">{fault.kind}</code>
    </li>
  )
}

function Fact({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div className="flex flex-col gap-1">
      <p className="text-xs font-medium text-ink-3">{name}</p>
      <pre className="rounded-s bg-surface-2 p-2 text-xs break-all whitespace-pre-wrap">{value}</pre>
    </div>
  )
}

/** Returns the report as JSON text. `head.root` is left out, since the note contains it. Bigints become strings. */
function write({ head, ...report }: CheckReport): string {
  const note = head === null ? null : { origin: head.origin, size: head.size, note: head.note }
  const about = { host: globalThis.location.origin, checkedAt: new Date(deviceNowMs()).toISOString() }
  return JSON.stringify(
    { ...about, ...report, head: note },
    (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value),
    2,
  )
}
