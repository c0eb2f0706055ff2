import { groupBy } from '#domain/group-by.ts'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { LedgerBet, LedgerRow } from '#contract/wallet.ts'
import { formatAmount, formatDay, formatSignedAmount, formatTime } from '#web/platform/formats.ts'
import { useTodayMs } from '#web/platform/ticker.ts'
import { AmountText } from '#web/ui/amounts.tsx'
import { ChevronDown } from '#web/ui/icons/chevron-down.tsx'
import { ChevronRight } from '#web/ui/icons/chevron-right.tsx'
import { actorWords, requestOf } from './ledger-words.ts'
import { ledgerTexts } from './wallet-texts.ts'

export type BetTitle = (bet: LedgerBet) => string

type LedgerItem = { readonly bet: LedgerBet | null; readonly rows: readonly [LedgerRow, ...LedgerRow[]] }

/** Merges the rows of each bet into one item in the place of the bet's newest row. No row is left out (rules §1.3). */
function foldBets(rows: readonly LedgerRow[]): readonly LedgerItem[] {
  const ofBets = groupBy(rows, ({ bet }) => bet?.id ?? null)
  return rows.flatMap((row): LedgerItem[] => {
    if (row.bet == null) return [{ bet: null, rows: [row] }]
    const [newest, ...others] = ofBets.get(row.bet.id) ?? []
    return newest === row ? [{ bet: row.bet, rows: [row, ...others] }] : []
  })
}

/** The ledger's rows by day. A bet is one line with its result. A press on it shows the bet's rows (rules §1.3). */
export function LedgerList({ rows, betTitle }: { readonly rows: readonly LedgerRow[]; readonly betTitle: BetTitle }) {
  const todayMs = useTodayMs()
  const days = groupBy(foldBets(rows), ({ rows: [newest] }) => formatDay(newest.createdAtMs, todayMs))
  return (
    <div>
      {[...days].map(([day, items]) => (
        <section key={day} aria-label={day}>
          <h2 className="border-y border-line bg-surface-2 px-4 py-1.5 text-xs font-medium text-ink-3 tabular-nums">
            {day}
          </h2>
          <ul className="divide-y divide-line">
            {items.map((item) => (
              <li key={item.bet?.id ?? item.rows[0].id}>
                <Item item={item} betTitle={betTitle} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

function Item({ item: { bet, rows }, betTitle }: { readonly item: LedgerItem; readonly betTitle: BetTitle }) {
  if (bet === null) return <OtherRow row={rows[0]} />
  const [{ createdAtMs, balanceAfterMinor }] = rows
  return (
    <details className="group">
      <summary className="flex cursor-pointer list-none items-center gap-1 py-2.5 pr-2 pl-4 transition-colors hover:bg-surface-press focus-visible:-outline-offset-2 [&::-webkit-details-marker]:hidden">
        <RowLines
          title={betTitle(bet)}
          amount={
            bet.profitMinor === null ? (
              <Held rows={rows} />
            ) : (
              <AmountText amountMinor={bet.profitMinor} kind="signed" className="text-base font-semibold" />
            )
          }
          under={formatTime(createdAtMs)}
          balanceAfterMinor={balanceAfterMinor}
        />
        <ChevronDown
          aria-hidden
          size={16}
          className="shrink-0 text-ink-3 transition-transform group-open:rotate-180 motion-reduce:transition-none"
        />
      </summary>
      <Postings bet={bet} rows={rows} />
    </details>
  )
}

/** The held stake of an open bet, without colour, since the stake is not lost yet. */
const Held = ({ rows }: Pick<LedgerItem, 'rows'>) => (
  <span translate="no" className="text-base font-semibold tabular-nums">
    {formatSignedAmount(rows.reduce((sum, { deltaMinor }) => sum + deltaMinor, 0n))}
  </span>
)

/** A bet's rows, oldest first. Their amounts have no colour, since only the bet's result is coloured. */
function Postings({ bet, rows }: { readonly bet: LedgerBet; readonly rows: readonly LedgerRow[] }) {
  return (
    <div className="bg-surface-2 pr-7 pl-4 text-sm">
      <ul className="divide-y divide-line">
        {rows.toReversed().map((row) => (
          <li key={row.id} className="flex py-2">
            <RowLines
              title={ledgerTexts.reasons[row.reason]}
              amount={<span translate="no">{formatSignedAmount(row.deltaMinor)}</span>}
              under={`${formatTime(row.createdAtMs)} · ${actorWords(row.actor)}`}
              balanceAfterMinor={row.balanceAfterMinor}
            />
          </li>
        ))}
      </ul>
      {bet.status === 'lost' && bet.profitMinor !== null && (
        <p className="border-t border-line py-2 text-ink-2">{ledgerTexts.lost(formatAmount(-bet.profitMinor))}</p>
      )}
      <Link
        to="/account/bets"
        search={{ bet: bet.id }}
        className="flex min-h-target items-center border-t border-line font-medium text-gold underline-offset-4 hover:underline"
      >
        {ledgerTexts.toBet}
      </Link>
    </div>
  )
}

function OtherRow({ row }: { readonly row: LedgerRow }) {
  const request = requestOf(row.ref)
  const lines = (
    <RowLines
      title={ledgerTexts.reasons[row.reason]}
      amount={<AmountText amountMinor={row.deltaMinor} kind="signed" className="text-base font-semibold" />}
      under={`${formatTime(row.createdAtMs)} · ${actorWords(row.actor)}`}
      balanceAfterMinor={row.balanceAfterMinor}
      note={row.note}
    />
  )
  if (request === null) return <div className="flex items-center gap-1 py-2.5 pr-7 pl-4">{lines}</div>
  return (
    <Link
      to="/transaction"
      search={{ request }}
      className="flex items-center gap-1 py-2.5 pr-2 pl-4 transition-colors hover:bg-surface-press focus-visible:-outline-offset-2"
    >
      {lines}
      <span className="sr-only">{ledgerTexts.toRequest}</span>
      <ChevronRight aria-hidden size={16} className="shrink-0 text-ink-3" />
    </Link>
  )
}

type RowLinesProps = {
  readonly title: string
  readonly amount: ReactNode
  /** The second line of text: the time and who caused the row. If the row stands for a whole bet, only the time. */
  readonly under: string
  readonly balanceAfterMinor: bigint
  readonly note?: string | null
}

function RowLines({ title, amount, under, balanceAfterMinor, note = null }: RowLinesProps) {
  return (
    <span className="flex min-w-0 flex-1 flex-col">
      <span className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="font-medium">{title}</span>
        <span className="ml-auto tabular-nums">{amount}</span>
      </span>
      <span className="flex flex-wrap justify-between gap-x-3 text-xs text-ink-3 tabular-nums">
        <span>{under}</span>
        <span className="ml-auto">
          <span>{`${ledgerTexts.balanceAfter} `}</span>
          <span translate="no">{formatAmount(balanceAfterMinor)}</span>
        </span>
      </span>
      {note !== null && note !== '' && (
        <span className="mt-0.5 text-sm text-ink-2 [overflow-wrap:anywhere]">{note}</span>
      )}
    </span>
  )
}
