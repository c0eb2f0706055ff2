import { type ReactNode, useId } from 'react'
import { classNames } from './class-names.ts'

export type Segment<Value extends string> = {
  readonly value: Value
  readonly label: ReactNode
  readonly detail?: ReactNode
  readonly isDisabled?: boolean
}

export type SegmentedControlProps<Value extends string> = {
  readonly label: string
  readonly isLabelHidden?: boolean
  readonly value: Value | null
  readonly onChange: (value: Value) => void
  readonly options: readonly Segment<Value>[]
  /** `slim` is a low bar; the touch targets of its options extend beyond its edges. */
  readonly look?: 'boxes' | 'bar' | 'slim'
  /** Only for `boxes`: the number of columns, or a track list of CSS. */
  readonly columns?: number | string
  readonly last?: ReactNode
  readonly isDisabled?: boolean
  readonly className?: string
}

/** On a screen of 320 px, up to five boxes fit in one row. More boxes are put in two rows. */
const columnsFor = (count: number): number => (count <= 5 ? count : Math.ceil(count / 2))

const tracksOf = (columns: number | string): string =>
  typeof columns === 'string' ? columns : `repeat(${columns}, minmax(0, 1fr))`

export function SegmentedControl<Value extends string>({
  label,
  isLabelHidden = false,
  value,
  onChange,
  options,
  look = 'boxes',
  columns = columnsFor(options.length),
  last,
  isDisabled = false,
  className,
}: SegmentedControlProps<Value>) {
  const name = useId()
  return (
    <fieldset className={classNames('min-w-0', className)} disabled={isDisabled}>
      <legend className={isLabelHidden ? 'sr-only' : 'mb-1.5 text-sm font-medium text-ink'}>{label}</legend>
      <div
        className={groupLooks[look]}
        style={look === 'boxes' ? { gridTemplateColumns: tracksOf(columns) } : undefined}
      >
        {options.map((option) => (
          <label
            key={option.value}
            className={classNames(
              'relative flex min-w-0 cursor-pointer flex-col items-center justify-center text-center leading-tight font-medium transition-colors',
              'has-checked:bg-gold-soft has-focus-visible:outline-2 has-focus-visible:outline-gold has-disabled:cursor-default has-disabled:text-ink-3',
              optionLooks[look],
            )}
          >
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              disabled={option.isDisabled}
              onChange={() => onChange(option.value)}
              className="peer absolute inset-0 cursor-[inherit] appearance-none outline-none"
            />
            <span className="max-w-full">{option.label}</span>
            {option.detail !== undefined && (
              <span className="mt-0.5 text-xs text-ink-3 peer-checked:text-gold">{option.detail}</span>
            )}
          </label>
        ))}
        {last}
      </div>
    </fieldset>
  )
}

const groupLooks = {
  boxes: 'grid gap-2',
  bar: 'flex overflow-hidden rounded-s border border-control bg-surface',
  slim: 'flex rounded-s border border-line-strong bg-surface',
} as const

const optionLooks = {
  boxes:
    'min-h-target rounded-s border border-control bg-surface px-1 py-1 text-sm text-ink hover:bg-surface-press has-checked:border-gold has-checked:bg-gold-soft has-checked:shadow-[inset_0_0_0_1px_var(--color-gold)] has-focus-visible:outline-offset-2 has-disabled:border-line has-disabled:bg-surface-2',
  bar: 'min-h-target flex-1 border-l border-line px-1 py-1 text-sm text-ink first:border-l-0 has-checked:shadow-[inset_0_-2px_0_var(--color-gold)] has-focus-visible:-outline-offset-2',
  slim: 'min-h-7 px-2 text-xs whitespace-nowrap text-ink-2 before:absolute before:inset-x-0 before:-inset-y-2 first:rounded-l-[9px] last:rounded-r-[9px] has-checked:text-gold has-checked:shadow-[inset_0_0_0_1px_var(--color-gold)]',
} as const
