import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Fragment, type ReactNode, useRef, useState } from 'react'
import type { Bet } from '#contract/game.ts'
import { fromBookDirection, fromBookStatus } from '#domain/book/spelling.ts'
import type { SettledLine } from '#domain/book/settled-line.ts'
import { sourceLabel } from '#domain/market/source-label.ts'
import {
  formatCount,
  formatDateTime,
  formatGoldChange,
  formatGoldPrice,
  formatTime,
  formatWholeAmount,
} from '#web/platform/formats.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { AmountText } from '#web/ui/amounts.tsx'
import { Badge, type BadgeTone } from '#web/ui/badge.tsx'
import { buttonClass } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Pending } from '#web/ui/pending.tsx'
import { Pager } from '#web/ui/pager.tsx'
import { SecondPrices } from '#web/parts/second-prices.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { usePrint } from '#web/ui/use-print.ts'
import { linesQuery, ownBetsQuery, placeOfShown, receiptQuery, SHOWN_LINES } from './api.ts'
import { Technical, Ways, Why } from './receipt-proof.tsx'
import { receiptTexts as texts } from './receipt-texts.ts'
import { type Outcome, outcomeOf, readLines, type ReceiptView, ticksOf, viewReceipt } from './receipt-view.ts'

export type ReceiptPicture = {
  readonly ticks: ReturnType<typeof ticksOf>
  readonly entrySeconds: readonly number[]
}

export type ReceiptProps = {
  readonly roundId: string
  readonly picture: (props: ReceiptPicture) => ReactNode
  readonly own: (bet: Bet) => ReactNode
}

/** A round's receipt from the public log, for everybody (docs/open-book.md §4). */
export function Receipt({ roundId, picture, own }: ReceiptProps) {
  const query = useQuery(receiptQuery(roundId))
  const content = useRef<HTMLDivElement>(null)
  usePrint(content)
  if (query.data === undefined)
    return <Pending query={query} className="flex flex-col gap-3" shapes={['h-32', 'h-56', 'h-40']} />
  if (query.data === null) return <NotInBook />
  if (query.data === 'unsealed') return <EmptyState text={texts.notSealedYet} />
  const view = viewReceipt(query.data)
  return (
    <div ref={content} className="flex flex-col gap-gap">
      {view === null ? (
        <p role="alert" className="rounded-m border border-down bg-down-soft p-4 text-sm font-medium text-down">
          {texts.broken}
        </p>
      ) : (
        <Parts view={view} roundId={roundId} picture={picture} own={own} />
      )}
      <Ways roundId={roundId} />
      <Why />
      <Technical receipt={query.data} view={view} roundId={roundId} />
    </div>
  )
}

function Parts({ view, roundId, picture, own }: ReceiptProps & { readonly view: ReceiptView }) {
  const [shownPage, setShownPage] = useState(1)
  const { page, from } = placeOfShown(shownPage)
  const bets = view.closed?.entry.bets ?? 0
  const query = useQuery({ ...linesQuery(roundId, page), enabled: bets > 0 })
  const shown = readLines(query.data?.slice(from, from + SHOWN_LINES) ?? [])
  const { data: ownBets = [] } = useQuery(ownBetsQuery(view))
  const ticks = ticksOf(view)
  return (
    <>
      {ownBets.map((bet) => (
        <Fragment key={bet.id}>{own(bet)}</Fragment>
      ))}
      <Head view={view} />
      {ticks.length > 0 && (
        <Card aria-label={texts.prices} className="flex flex-col gap-3 print:shadow-none">
          {picture({ ticks, entrySeconds: shown.lines.flatMap(({ entrySecond }) => entrySecond ?? []) })}
          <SecondPrices ticks={ticks} />
        </Card>
      )}
      <Totals view={view} />
      <Card isPadded={false} aria-labelledby="receipt-lines" className="print:shadow-none">
        <div className="px-4 pt-4 pb-2">
          <h2 id="receipt-lines" className="font-semibold">
            {texts.lines}
          </h2>
          <p className="text-xs text-ink-3">{view.closed === null ? texts.linesLater : texts.linesLead}</p>
        </div>
        {view.closed !== null && bets === 0 && <p className="px-4 pb-4 text-sm text-ink-2">{texts.noLines}</p>}
        {bets > 0 && query.data === undefined && (
          <div className="p-4">
            <Pending query={query} className="flex flex-col gap-2" shapes={['h-10', 'h-10']} />
          </div>
        )}
        {shown.unreadable > 0 && (
          <p role="alert" className="px-4 pb-2 text-sm font-medium text-down">
            {texts.unreadable}
          </p>
        )}
        <ul className="divide-y divide-line">
          {shown.lines.map((line) => (
            <li key={line.id} className="px-4 py-2.5 print:break-inside-avoid">
              <Line line={line} isOwn={ownBets.some(({ id }) => id === line.id)} />
            </li>
          ))}
        </ul>
        <div className="pb-2 print:hidden">
          <Pager
            label={texts.linesPaging}
            page={shownPage}
            pages={Math.ceil(bets / SHOWN_LINES)}
            hasMore={shownPage * SHOWN_LINES < bets}
            onChange={setShownPage}
          />
        </div>
      </Card>
    </>
  )
}

const looks: Readonly<Record<Outcome, { readonly sign: string; readonly look: string }>> = {
  unwritten: { sign: '', look: 'text-ink-2' },
  deleted: { sign: '', look: 'text-warn' },
  tie: { sign: '= ', look: 'text-ink' },
  up: { sign: '▲ ', look: 'text-up' },
  down: { sign: '▼ ', look: 'text-down' },
}

function Head({ view }: { readonly view: ReceiptView }) {
  const { round, result, closed } = view
  const { n, type, attempt, opens, closes, source } = round.entry
  const outcome = outcomeOf(view)
  const { sign, look } = looks[outcome]
  const note = outcome === 'unwritten' || outcome === 'deleted' ? texts.outcomeNote[outcome] : null
  const ticks = result?.entry.ticks
  const [opening, ending] = [ticks?.[0] ?? null, ticks?.at(-1) ?? null]
  const announced = closed?.entry.announce?.direction ?? null
  const isByStaff = result?.entry.by === 'ADMIN'
  return (
    <Card className="flex flex-col gap-3 print:shadow-none">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div>
          <h2 className="text-lg font-semibold tabular-nums">
            {texts.round(formatCount(n))} · {type}
            {attempt > 0 && (
              <span className="pl-2 text-sm font-normal text-ink-3">{texts.attempt(String(attempt + 1))}</span>
            )}
          </h2>
          <p className="text-sm text-ink-2 tabular-nums">
            {formatDateTime(opens)} – {formatTime(closes)}
          </p>
          <p className="text-xs text-ink-3">
            {texts.source}: {sourceLabel(source)}
          </p>
        </div>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <p className={classNames('text-xl font-semibold', look)}>
            <span aria-hidden>{sign}</span>
            {texts.outcome[outcome]}
          </p>
          {result !== null && (
            <Badge tone={isByStaff ? 'warn' : 'gold'}>{isByStaff ? texts.byStaff : texts.byPrice}</Badge>
          )}
        </div>
      </div>
      {note !== null && <p className="text-sm text-ink-2">{note}</p>}
      {announced !== null && (
        <p className="text-sm text-warn">{texts.byStaffNote(texts.outcome[fromBookDirection(announced)])}</p>
      )}
      {result !== null && (
        <dl className="grid grid-cols-[repeat(auto-fit,minmax(5.4rem,1fr))] gap-x-3 gap-y-2 border-t border-line pt-3">
          <Figure term={texts.opening}>{opening === null ? texts.noPrice : formatGoldPrice(opening)}</Figure>
          <Figure term={texts.ending}>{ending === null ? texts.noPrice : formatGoldPrice(ending)}</Figure>
          <Figure term={texts.difference}>
            {opening === null || ending === null ? '–' : formatGoldChange(ending - opening)}
          </Figure>
        </dl>
      )}
    </Card>
  )
}

function Figure({ term, children }: { readonly term: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt className="text-xs text-ink-3">{term}</dt>
      <dd translate="no" className="font-medium tabular-nums">
        {children}
      </dd>
    </div>
  )
}

function Totals({ view: { closed } }: { readonly view: ReceiptView }) {
  if (closed === null) return null
  const { bets, won, lost, voided, staked, profit } = closed.entry
  return (
    <Card aria-labelledby="receipt-totals" className="flex flex-col gap-3 print:shadow-none">
      <h2 id="receipt-totals" className="font-semibold">
        {texts.totals}
      </h2>
      <dl className="grid grid-cols-[repeat(auto-fit,minmax(4rem,1fr))] gap-x-2 gap-y-2">
        <Figure term={texts.bets}>{formatCount(bets)}</Figure>
        <Figure term={texts.won}>{formatCount(won)}</Figure>
        <Figure term={texts.lost}>{formatCount(lost)}</Figure>
        <Figure term={texts.voided}>{formatCount(voided)}</Figure>
      </dl>
      <dl className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,11rem),1fr))] gap-x-4 gap-y-2">
        <Figure term={texts.staked}>
          {formatWholeAmount(BigInt(staked))} {commonTexts.points}
        </Figure>
        <Figure term={texts.profit}>
          <AmountText amountMinor={BigInt(profit)} kind="signed" hasUnit />
        </Figure>
      </dl>
    </Card>
  )
}

const tones = { won: 'up', lost: 'down', voided: 'neutral' } as const satisfies Record<string, BadgeTone>

function Line({ line, isOwn }: { readonly line: SettledLine; readonly isOwn: boolean }) {
  const { i, direction, stake, basis, at, status, why, profit } = line
  const isUp = fromBookDirection(direction) === 'up'
  const outcome = fromBookStatus(status)
  return (
    <div className="flex flex-col gap-0.5">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className={isUp ? 'font-semibold text-up' : 'font-semibold text-down'}>
          <span aria-hidden>{isUp ? '▲ ' : '▼ '}</span>
          {isUp ? texts.buy : texts.sell}
        </span>
        <AmountText amountMinor={BigInt(stake)} kind="whole" hasUnit className="text-ink-2" />
        {isOwn && <Badge tone="gold">{texts.mine}</Badge>}
        <span className="ml-auto flex items-center gap-2">
          {outcome !== 'voided' && <AmountText amountMinor={BigInt(profit)} kind="signed" className="font-semibold" />}
          <Badge tone={tones[outcome]}>{texts.status[outcome]}</Badge>
        </span>
      </div>
      <p className="flex flex-wrap justify-between gap-x-3 text-xs text-ink-2 tabular-nums">
        <span>
          {why === 'ROUND_DELETED' ? (
            texts.because[why]
          ) : basis === 'PRICE' ? (
            <Prices line={line} />
          ) : basis === 'ADMIN' ? (
            texts.byStaff
          ) : (
            texts.scripted
          )}
        </span>
        <span className="text-ink-3">
          <span>{`#${formatCount(i)} · ${formatTime(at)}`}</span>
          {why !== null && why !== 'ROUND_DELETED' && <span>{` · ${texts.because[why]}`}</span>}
        </span>
      </p>
    </div>
  )
}

function Prices({ line: { entry, entrySecond, exit } }: { readonly line: SettledLine }) {
  return (
    <span translate="no">
      <span>{entry === null ? texts.noEntry : formatGoldPrice(entry)}</span>
      {entrySecond !== null && <span className="text-ink-3"> ({formatTime(entrySecond * 1000)})</span>}
      <span aria-hidden> → </span>
      <span className="sr-only">, {texts.ending} </span>
      <span>{exit === null ? texts.noExit : formatGoldPrice(exit)}</span>
    </span>
  )
}

function NotInBook() {
  return (
    <EmptyState
      text={`${texts.notInBook} ${texts.notInBookWhy}`}
      action={
        <Link to="/so-mo" className={buttonClass({ variant: 'outline' })}>
          {texts.aboutBook}
        </Link>
      }
    />
  )
}
