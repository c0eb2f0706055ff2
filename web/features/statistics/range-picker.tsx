import type { Day } from '#domain/day.ts'
import { DayField } from '#web/ui/day-field.tsx'
import { SegmentedControl } from '#web/ui/segmented-control.tsx'
import { type RangeChoice, rangeNames } from './range.ts'
import { statisticsTexts as texts } from './statistics-texts.ts'

export type RangePickerProps = {
  readonly choice: RangeChoice
  readonly firstDay: Day
  readonly onChange: (choice: RangeChoice) => void
}

/** Lets the player choose a range, which applies at once. A custom range applies once it has two dates in order. */
export function RangePicker({ choice, firstDay, onChange }: RangePickerProps) {
  const { name, own } = choice
  const areTurned = own.from !== null && own.to !== null && own.from > own.to
  return (
    <div className="flex flex-col gap-3 print:hidden">
      <SegmentedControl
        label={texts.range}
        columns={3}
        value={name}
        onChange={(next) => onChange({ ...choice, name: next })}
        options={rangeNames.map((value) => ({ value, label: texts.ranges[value] }))}
      />
      {name === 'own' && (
        <div className="grid grid-cols-[repeat(auto-fit,minmax(10rem,1fr))] gap-x-2 gap-y-3">
          <DayField
            label={texts.from}
            text={own.from ?? ''}
            first={firstDay}
            onChange={(day) => onChange({ ...choice, own: { ...own, from: day || null } })}
          />
          <DayField
            label={texts.to}
            text={own.to ?? ''}
            first={firstDay}
            error={areTurned ? texts.datesTurned : undefined}
            onChange={(day) => onChange({ ...choice, own: { ...own, to: day || null } })}
          />
        </div>
      )}
    </div>
  )
}
