import { Link } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import type { LedgerRow } from '#contract/wallet.ts'
import { formatAmount, formatDay, formatTime } from '#web/platform/formats.ts'
import { serverNowMs } from '#web/platform/server-time.ts'
import { ledgerTexts } from './wallet-texts.ts'
import { AmountText } from '#web/ui/amounts.tsx'
import { actorWords, subjectOf } from './ledger-words.ts'

/** Balance changes grouped by day, each with its reason, its actor, its amount and the balance after it (rules §1.3). */
export function LedgerList({ rows }: { readonly rows: readonly LedgerRow[] }) {
  return (
    <div>
      {byDay(rows, serverNowMs()).map(({ day, rows: ofDay }) => (
        <section key={day} aria-label={day}>
          <h2 className="border-y border-line bg-surface-2 px-4 py-1.5 text-xs font-medium text-ink-3 tabular-nums">
            {day}
          </h2>
          <ul className="divide-y divide-line">
            {ofDay.map((row) => (
              <li key={row.id}>
                <Way row={row}>
                  <Row row={row} />
                </Way>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

type Day = { readonly day: string; readonly rows: LedgerRow[] }

function byDay(rows: readonly LedgerRow[], nowMs: number): readonly Day[] {
  const days: Day[] = []
  for (const row of rows) {
    const day = formatDay(row.createdAtMs, nowMs)
    const last = days.at(-1)
    if (last?.day === day) last.rows.push(row)
    else days.push({ day, rows: [row] })
  }
  return days
}

const linkClass =
  'flex items-center gap-1 py-2.5 pr-2 pl-4 transition-colors hover:bg-surface-press focus-visible:-outline-offset-2'

/** Links to the bet or the request that a row belongs to, where there is one (rules §1.3). */
function Way({ row, children }: { readonly row: LedgerRow; readonly children: ReactNode }) {
  const subject = subjectOf(row.ref)
  if (subject === null) return <div className="flex items-center gap-1 py-2.5 pr-7 pl-4">{children}</div>
  const arrow = <ChevronRight aria-hidden size={16} className="shrink-0 text-ink-3" />
  return subject.kind === 'bet' ? (
    <Link to="/account/bets" search={{ bet: subject.id }} className={linkClass}>
      {children}
      <span className="sr-only">{ledgerTexts.toBet}</span>
      {arrow}
    </Link>
  ) : (
    <Link to="/transaction" search={{ request: subject.id }} className={linkClass}>
      {children}
      <span className="sr-only">{ledgerTexts.toRequest}</span>
      {arrow}
    </Link>
  )
}

function Row({ row }: { readonly row: LedgerRow }) {
  return (
    <div className="min-w-0 flex-1">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="font-medium">{ledgerTexts.reasons[row.reason]}</span>
        <AmountText amountMinor={row.deltaMinor} kind="signed" className="ml-auto text-base font-semibold" />
      </div>
      <div className="flex flex-wrap justify-between gap-x-3 text-xs text-ink-3 tabular-nums">
        <span>
          {formatTime(row.createdAtMs)} · {actorWords(row.actor)}
        </span>
        <span className="ml-auto">
          <span>{`${ledgerTexts.balanceAfter} `}</span>
          <span translate="no">{formatAmount(row.balanceAfterMinor)}</span>
        </span>
      </div>
      {row.note !== null && row.note !== '' && (
        <p className="mt-0.5 text-sm text-ink-2 [overflow-wrap:anywhere]">{row.note}</p>
      )}
    </div>
  )
}
