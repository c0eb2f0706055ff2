import { useState } from 'react'
import type { Day } from '#domain/day.ts'
import type { BetStatus } from '#domain/game/bet.ts'
import { ROUND_TYPES } from '#domain/game/calendar.ts'
import { betsTexts } from './bets-texts.ts'
import { Button } from '#web/ui/button.tsx'
import { DayField } from '#web/ui/day-field.tsx'
import { Sheet } from '#web/ui/dialog.tsx'
import { SlidersHorizontal } from '#web/ui/icons/sliders-horizontal.tsx'
import { SegmentedControl } from '#web/ui/segmented-control.tsx'
import { Select } from '#web/ui/select.tsx'
import { type BetsFilter, everyBet } from './own-bets-api.ts'

const all = 'all'
const chips = [all, 'won', 'lost', 'voided'] as const satisfies readonly (BetStatus | typeof all)[]

export type BetsFilterFormProps = {
  readonly filter: BetsFilter
  readonly firstDay: Day
  readonly onChange: (filter: BetsFilter) => void
}

/** The filters of the bet list: by result, and in a sheet by type and days. */
export function BetsFilterForm({ filter, firstDay, onChange }: BetsFilterFormProps) {
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
