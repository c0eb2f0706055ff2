import { useEffect, useState } from 'react'
import { limitsTexts } from './limits-texts.ts'
import { serverNowMs } from '#web/platform/server-time.ts'
import { useHasReached } from '#web/platform/ticker.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { TitledCard } from '#web/ui/titled-card.tsx'
import { ActDialog } from '#web/ui/act-dialog.tsx'
import { SegmentedControl } from '#web/ui/segmented-control.tsx'
import { type Limits, useSaveLimits } from './api.ts'
import { momentText } from './limits-words.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const askedEveryMs = 20_000

const lengths = [
  { value: 'hour', ms: hourMs },
  { value: 'day', ms: dayMs },
  { value: 'threeDays', ms: 3 * dayMs },
  { value: 'week', ms: 7 * dayMs },
  { value: 'month', ms: 28 * dayMs },
  { value: 'sixWeeks', ms: 42 * dayMs },
] as const

/** Starts or extends a time-out. A dialog asks first, since a time-out can't be shortened (rules §6.6). */
export function TimeoutCard({ limits }: { readonly limits: Limits }) {
  const save = useSaveLimits()
  const [length, setLength] = useState<(typeof lengths)[number]['value'] | null>(null)
  /** The end of the time-out that the open confirmation names; null while no confirmation is open. */
  const [askedUntilMs, setAskedUntilMs] = useState<number | null>(null)
  const nowMs = serverNowMs()
  const runningUntilMs = useHasReached(limits.timeoutUntilMs) ? null : limits.timeoutUntilMs
  const chosen = lengths.find(({ value }) => value === length)
  const isAsking = askedUntilMs !== null
  // While the dialog is open, the end of the time-out moves on with the clock. Otherwise a time-out of one hour would
  // soon be shorter than an hour, which the server refuses.
  useEffect(() => {
    if (!isAsking || chosen === undefined) return
    const timer = setInterval(() => setAskedUntilMs(serverNowMs() + chosen.ms), askedEveryMs)
    return () => clearInterval(timer)
  }, [isAsking, chosen])

  return (
    <TitledCard title={limitsTexts.timeout} gap="gap-4">
      {runningUntilMs !== null && <Banner tone="warn">{limitsTexts.timeoutUntil(momentText(runningUntilMs))}</Banner>}
      <p className="text-sm text-ink-2">{limitsTexts.timeoutLead}</p>
      <SegmentedControl
        label={limitsTexts.timeoutLength}
        columns={3}
        value={length}
        onChange={setLength}
        options={lengths.map(({ value, ms }) => ({
          value,
          label: limitsTexts.lengths[value],
          isDisabled: runningUntilMs !== null && nowMs + ms <= runningUntilMs,
        }))}
      />
      <Button
        variant="outline"
        disabled={chosen === undefined}
        onClick={() => setAskedUntilMs(serverNowMs() + (chosen?.ms ?? 0))}
      >
        {runningUntilMs === null ? limitsTexts.timeoutStart : limitsTexts.timeoutExtend}
      </Button>
      {askedUntilMs !== null && (
        <ActDialog
          title={limitsTexts.timeoutConfirmTitle(length === null ? '' : limitsTexts.lengths[length])}
          description={limitsTexts.timeoutConfirm(momentText(askedUntilMs))}
          confirmLabel={limitsTexts.timeoutStart}
          cancelLabel={limitsTexts.timeoutKeep}
          run={() => save({ timeoutUntilMs: askedUntilMs })}
          doneText={limitsTexts.timeoutStarted}
          failText={limitsTexts.failed}
          onDone={() => {
            setAskedUntilMs(null)
            setLength(null)
          }}
          onClose={() => setAskedUntilMs(null)}
        />
      )}
    </TitledCard>
  )
}
