import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { OwnBetsSummary } from '#contract/game.ts'
import type { Day } from '#domain/day.ts'
import { betsTexts } from './bets-texts.ts'
import { formatWholeAmount } from '#web/platform/formats.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { AmountText } from '#web/ui/amounts.tsx'
import { buttonClass, Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { ChevronRight } from '#web/ui/icons/chevron-right.tsx'
import { Pager } from '#web/ui/pager.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { Pending } from '#web/ui/pending.tsx'
import { betsPerPage, type BetsPage, type GameBet, untilSettled } from './api.ts'
import { BetRow } from './bet-row.tsx'
import { betShapes } from './loading-bets.tsx'
import { type BetsFilter, betsSummaryQuery, everyBet, filteredBetsQuery } from './own-bets-api.ts'
import { summaryWords } from './own-bets-words.ts'
import { useBetHints } from './use-bet-hints.ts'
import type { BetStatus } from '#domain/game/bet.ts'
import { ROUND_TYPES } from '#domain/game/calendar.ts'
import { DayField } from '#web/ui/day-field.tsx'
import { Sheet } from '#web/ui/dialog.tsx'
import { SlidersHorizontal } from '#web/ui/icons/sliders-horizontal.tsx'
import { SegmentedControl } from '#web/ui/segmented-control.tsx'
import { Select } from '#web/ui/select.tsx'

export function OwnBets({ firstDay }: { readonly firstDay: Day }) {
  const [filter, setFilter] = useState(everyBet)
  const [page, setPage] = useState(1)
  const bets = useQuery({ ...filteredBetsQuery(filter, page), ...untilSettled, placeholderData: keepPreviousData })
  useBetHints(bets.data?.bets)
  return (
    <>
      <BetsFilterForm
        filter={filter}
        firstDay={firstDay}
        onChange={(next) => {
          setFilter(next)
          setPage(1)
        }}
      />
      <Card aria-label={betsTexts.net} className="pb-0">
        <SummaryContent filter={filter} />
      </Card>
      <Card isPadded={false} className="overflow-hidden">
        <BetListContent query={bets} isFiltered={Object.values(filter).some((value) => value !== null)} />
        {bets.data !== undefined && (
          <Pager
            label={betsTexts.paging}
            page={page}
            pages={Math.ceil(bets.data.total / betsPerPage)}
            hasMore={bets.data.hasMore}
            onChange={setPage}
          />
        )}
      </Card>
    </>
  )
}

type BetListContentProps = { readonly query: UseQueryResult<BetsPage>; readonly isFiltered: boolean }

function BetListContent({ query, isFiltered }: BetListContentProps) {
  if (query.data === undefined)
    return <Pending query={query} className="flex flex-col gap-3 px-4 py-3" shapes={betShapes} />
  if (query.data.bets.length > 0) return <BetLinks bets={query.data.bets} />
  if (isFiltered) return <EmptyState text={betsTexts.emptyFiltered} />
  const toGame = (
    <Link to="/investment/game" className={buttonClass({ variant: 'outline' })}>
      {betsTexts.toGame}
    </Link>
  )
  return <EmptyState text={betsTexts.empty} action={toGame} />
}

function BetLinks({ bets }: { readonly bets: readonly GameBet[] }) {
  return (
    <ul className="divide-y divide-line">
      {bets.map((bet) => (
        <li key={bet.id}>
          <Link
            to="/account/bets"
            search={{ bet: bet.id }}
            resetScroll={false}
            className="flex items-center gap-1 py-3 pr-2 pl-4 transition-colors hover:bg-surface-press focus-visible:-outline-offset-2"
          >
            <span className="min-w-0 flex-1">
              <BetRow bet={bet} isLink />
              <span className="sr-only">{betsTexts.audit}</span>
            </span>
            <ChevronRight aria-hidden size={16} className="shrink-0 text-ink-3" />
          </Link>
        </li>
      ))}
    </ul>
  )
}

function SummaryContent({ filter }: { readonly filter: BetsFilter }) {
  const summary = useQuery({ ...betsSummaryQuery(filter), placeholderData: keepPreviousData })
  if (summary.data !== undefined) return <Summary summary={summary.data} />
  return <Pending query={summary} className="flex flex-col gap-2" shapes={['h-8', 'h-16']} />
}

/** Most of the summary is folded, so that the list of bets begins higher on the screen. */
function Summary({ summary }: { readonly summary: OwnBetsSummary }) {
  const [first, ...others] = summaryWords(summary)
  return (
    <div className="flex flex-col gap-1 text-sm text-ink-2">
      <p className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span>{betsTexts.net}</span>
        <AmountText
          amountMinor={summary.profitMinor}
          kind="signed"
          hasUnit
          className="text-xl font-semibold tracking-tight"
        />
      </p>
      <p>{first}</p>
      {summary.isCapped && <p>{betsTexts.capped}</p>}
      <details>
        <summary className="flex min-h-target cursor-pointer items-center font-medium text-gold">
          {betsTexts.more}
        </summary>
        <div className="flex flex-col gap-1 pb-2">
          <p translate="no" className="tabular-nums">
            {betsTexts.staked}: {formatWholeAmount(summary.stakedMinor)} {commonTexts.points}
          </p>
          {others.map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
        </div>
      </details>
    </div>
  )
}

const all = 'all'
const chips = [all, 'won', 'lost', 'voided'] as const satisfies readonly (BetStatus | typeof all)[]

type BetsFilterFormProps = {
  readonly filter: BetsFilter
  readonly firstDay: Day
  readonly onChange: (filter: BetsFilter) => void
}

/** The filters of the bet list: by result, and in a sheet by type and days. */
function BetsFilterForm({ filter, firstDay, onChange }: BetsFilterFormProps) {
  const [isOpen, setIsOpen] = useState(false)
  const { status, ...others } = filter
  const set = Object.values(others).filter((value) => value !== null).length
  return (
    <div className="flex flex-wrap items-center gap-2">
      <SegmentedControl
        className="min-w-[min(100%,12.5rem)] flex-1"
        look="bar"
        label={betsTexts.status}
        isLabelHidden
        value={chips.find((one) => one === status) ?? all}
        onChange={(one) => onChange({ ...filter, status: one === all ? null : one })}
        options={chips.map((value) => ({ value, label: betsTexts.chips[value] }))}
      />
      <Button variant="outline" className="max-[22rem]:px-3 max-[22rem]:[&_svg]:hidden" onClick={() => setIsOpen(true)}>
        <SlidersHorizontal aria-hidden size={18} strokeWidth={1.8} />
        {set === 0 ? betsTexts.filter : betsTexts.filtered(set)}
      </Button>
      <Sheet isOpen={isOpen} onClose={() => setIsOpen(false)} title={betsTexts.filter}>
        <Fields filter={filter} firstDay={firstDay} onChange={onChange} />
        <div className="flex gap-2">
          {set > 0 && (
            <Button variant="outline" className="flex-1" onClick={() => onChange({ ...everyBet, status })}>
              {betsTexts.clear}
            </Button>
          )}
          <Button className="flex-1" onClick={() => setIsOpen(false)}>
            {betsTexts.showBets}
          </Button>
        </div>
      </Sheet>
    </div>
  )
}

function Fields({ filter, firstDay, onChange }: BetsFilterFormProps) {
  const { type, fromDay, toDay } = filter
  const areDatesTurned = fromDay !== null && toDay !== null && fromDay > toDay
  return (
    <>
      <Select
        label={betsTexts.type}
        value={type ?? all}
        onChange={(event) =>
          onChange({ ...filter, type: ROUND_TYPES.find((one) => one === event.target.value) ?? null })
        }
        options={[
          { value: all, label: betsTexts.chips.all },
          ...ROUND_TYPES.map((one) => ({ value: one, label: one })),
        ]}
      />
      <div className="grid grid-cols-[repeat(auto-fit,minmax(10rem,1fr))] gap-x-2 gap-y-3">
        <DayField
          label={betsTexts.from}
          text={fromDay ?? ''}
          first={firstDay}
          onChange={(day) => onChange({ ...filter, fromDay: day || null })}
        />
        <DayField
          label={betsTexts.to}
          text={toDay ?? ''}
          first={firstDay}
          error={areDatesTurned ? betsTexts.datesTurned : undefined}
          onChange={(day) => onChange({ ...filter, toDay: day || null })}
        />
      </div>
    </>
  )
}
