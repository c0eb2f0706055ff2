import type { Day } from '#domain/day.ts'
import type { BetStatus } from '#domain/game/bet.ts'
import { ROUND_TYPES } from '#domain/game/calendar.ts'
import { betsTexts } from './bets-texts.ts'
import { Button } from '#web/ui/button.tsx'
import { DayField } from '#web/ui/day-field.tsx'
import { Select } from '#web/ui/select.tsx'
import { statusWords } from './bet-words.ts'
import { type BetsFilter, everyBet } from './own-bets-api.ts'

const statuses = ['won', 'lost', 'voided', 'open'] as const satisfies readonly BetStatus[]
const all = ''

export type BetsFilterFormProps = {
  readonly filter: BetsFilter
  /** The account's. */
  readonly firstDay: Day
  readonly onChange: (filter: BetsFilter) => void
}

/** The filters of the bet list; every choice applies at once. */
export function BetsFilterForm({ filter, firstDay, onChange }: BetsFilterFormProps) {
  const { type, status, fromDay, toDay } = filter
  const isFiltered = Object.values(filter).some((value) => value !== null)
  const areDatesTurned = fromDay !== null && toDay !== null && fromDay > toDay
  return (
    <div className="grid grid-cols-2 gap-x-2 gap-y-3">
      <Select
        label={betsTexts.type}
        value={type ?? all}
        onChange={(event) =>
          onChange({ ...filter, type: ROUND_TYPES.find((one) => one === event.target.value) ?? null })
        }
        options={[{ value: all, label: betsTexts.all }, ...ROUND_TYPES.map((one) => ({ value: one, label: one }))]}
      />
      <Select
        label={betsTexts.status}
        value={status ?? all}
        onChange={(event) =>
          onChange({ ...filter, status: statuses.find((one) => one === event.target.value) ?? null })
        }
        options={[
          { value: all, label: betsTexts.all },
          ...statuses.map((one) => ({ value: one, label: statusWords[one].label })),
        ]}
      />
      <div className="col-span-2 grid grid-cols-[repeat(auto-fit,minmax(10rem,1fr))] gap-x-2 gap-y-3">
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
      {isFiltered && (
        <Button variant="outline" className="col-span-2" onClick={() => onChange(everyBet)}>
          {betsTexts.clear}
        </Button>
      )}
    </div>
  )
}
