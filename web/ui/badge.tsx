import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

const cap = 99

export type CountBadgeProps = {
  readonly count: number
  readonly label: string
  /** For counts with something overdue (rules §6.12), and for the count of requests (spec §2.6). */
  readonly isRed?: boolean
}

/** Shows a count, above 99 as "99+". Renders nothing if the count is 0 (spec §2.6). */
export function CountBadge({ count, label, isRed = false }: CountBadgeProps) {
  if (count <= 0) return null
  return (
    <span
      translate="no"
      className={`inline-grid h-5 min-w-5 place-items-center rounded-pill px-1.5 text-xs font-semibold tabular-nums ${isRed ? 'bg-down-fill text-on-fill' : 'bg-ink-2 text-surface'}`}
    >
      <span aria-hidden>{count > cap ? `${cap}+` : count}</span>
      <span className="sr-only">{label}</span>
    </span>
  )
}

export type BadgeTone = 'neutral' | 'gold' | 'up' | 'down' | 'warn' | 'info'

const tones: Record<BadgeTone, string> = {
  neutral: 'border border-line bg-surface text-ink-2',
  gold: 'bg-gold-soft text-gold',
  up: 'bg-up-soft text-up',
  down: 'bg-down-soft text-down',
  warn: 'bg-warn-soft text-warn',
  info: 'bg-info-soft text-info',
}

export function Badge({ tone = 'neutral', children }: { readonly tone?: BadgeTone; readonly children: ReactNode }) {
  return (
    <span
      className={classNames(
        'inline-flex items-center rounded-pill px-2.5 py-0.5 text-xs font-medium whitespace-nowrap tabular-nums',
        tones[tone],
      )}
    >
      {children}
    </span>
  )
}
