import type { Day } from '#domain/day.ts'
import { SegmentedControl } from '#web/ui/segmented-control.tsx'
import { TextInput } from '#web/ui/text-input.tsx'
import { type RangeChoice, rangeNames } from './range.ts'
import { statisticsTexts as texts } from './statistics-texts.ts'

export type RangePickerProps = {
  readonly choice: RangeChoice
  readonly today: Day
  readonly onChange: (choice: RangeChoice) => void
}

/** The range of days; every choice applies at once, an own range when both of its ends are there. */
export function RangePicker({ choice, today, onChange }: RangePickerProps) {
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
          <TextInput
            label={texts.from}
            type="date"
            value={own.from ?? ''}
            max={own.to ?? today}
            onChange={(event) => onChange({ ...choice, own: { ...own, from: event.target.value || null } })}
          />
          <TextInput
            label={texts.to}
            type="date"
            value={own.to ?? ''}
            min={own.from ?? undefined}
            max={today}
            error={areTurned ? texts.datesTurned : undefined}
            onChange={(event) => onChange({ ...choice, own: { ...own, to: event.target.value || null } })}
          />
        </div>
      )}
    </div>
  )
}
