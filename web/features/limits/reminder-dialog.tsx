import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { formatAmount } from '#web/platform/formats.ts'
import { reminderTexts } from './limits-texts.ts'
import { AmountText } from '#web/ui/amounts.tsx'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { limitsQuery } from './api.ts'
import { durationText } from './limits-words.ts'

/** The reminder: play time, and today's stakes and result, with a link to the limits and the time-out (rules §6.6). */
export function ReminderDialog({ playedMs, onClose }: { readonly playedMs: number; readonly onClose: () => void }) {
  const { data: limits, refetch } = useQuery(limitsQuery)
  useEffect(() => void refetch(), [refetch])
  return (
    <Dialog
      onClose={onClose}
      title={reminderTexts.title}
      description={reminderTexts.played(durationText(playedMs))}
      footer={
        <div className="grid w-full grid-cols-2 gap-2">
          <Link to="/account/limits" onClick={onClose} className={buttonClass({ variant: 'outline' })}>
            {reminderTexts.rest}
          </Link>
          <Button onClick={onClose}>{reminderTexts.resume}</Button>
        </div>
      }
    >
      {limits !== undefined && (
        <dl aria-label={reminderTexts.today} className="grid grid-cols-2 gap-2 rounded-s bg-surface-2 p-3 text-sm">
          <Today label={reminderTexts.staked}>{formatAmount(limits.stakedTodayMinor)}</Today>
          <Today label={reminderTexts.result}>
            <AmountText amountMinor={-limits.netLossTodayMinor} kind="signed" />
          </Today>
        </dl>
      )}
    </Dialog>
  )
}

const Today = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <div>
    <dt className="text-xs text-ink-3">
      {reminderTexts.today}: {label}
    </dt>
    <dd className="font-semibold tabular-nums">{children}</dd>
  </div>
)
