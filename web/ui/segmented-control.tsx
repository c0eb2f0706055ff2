import { type ReactNode, useId } from 'react'
import { classNames } from './class-names.ts'

export type Segment<Value extends string> = {
  readonly value: Value
  readonly label: ReactNode
  /** A smaller second line, such as a rate. */
  readonly detail?: ReactNode
  readonly isDisabled?: boolean
}

export type SegmentedControlProps<Value extends string> = {
  /** The name of the choice. */
  readonly label: string
  readonly isLabelHidden?: boolean
  /** Null while nothing is chosen. */
  readonly value: Value | null
  readonly onChange: (value: Value) => void
  readonly options: readonly Segment<Value>[]
  /** Separate boxes in a grid, or one bar of equal parts. */
  readonly look?: 'boxes' | 'bar'
  /** The columns of the grid of boxes: by default one row, two rows from six boxes on. */
  readonly columns?: number
  readonly isDisabled?: boolean
  readonly className?: string
}

/** At most five boxes fit beside each other on a screen of 320 px. */
const columnsFor = (count: number): number => (count <= 5 ? count : Math.ceil(count / 2))

/**
 * A choice among a few visible options: a group of radio buttons, so arrow keys, forms and screen readers support it
 * natively.
 */
export function SegmentedControl<Value extends string>({
  label,
  isLabelHidden = false,
  value,
  onChange,
  options,
  look = 'boxes',
  columns = columnsFor(options.length),
  isDisabled = false,
  className,
}: SegmentedControlProps<Value>) {
  const name = useId()
  const isBar = look === 'bar'
  return (
    <fieldset className={classNames('min-w-0', className)} disabled={isDisabled}>
      <legend className={isLabelHidden ? 'sr-only' : 'mb-1.5 text-sm font-medium text-ink'}>{label}</legend>
      <div
        className={isBar ? 'flex overflow-hidden rounded-s border border-control bg-surface' : 'grid gap-2'}
        style={isBar ? undefined : { gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}
      >
        {options.map((option) => (
          <label
            key={option.value}
            className={classNames(
              'relative flex min-h-target min-w-0 cursor-pointer flex-col items-center justify-center px-1 py-1 text-center text-sm leading-tight font-medium text-ink transition-colors',
              'has-checked:bg-gold-soft has-focus-visible:outline-2 has-focus-visible:outline-gold has-disabled:cursor-default has-disabled:text-ink-3',
              isBar
                ? 'flex-1 border-l border-line first:border-l-0 has-checked:shadow-[inset_0_-2px_0_var(--gold)] has-focus-visible:-outline-offset-2'
                : 'rounded-s border border-control bg-surface hover:bg-surface-press has-checked:border-gold has-checked:bg-gold-soft has-checked:shadow-[inset_0_0_0_1px_var(--gold)] has-focus-visible:outline-offset-2 has-disabled:border-line has-disabled:bg-surface-2',
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
      </div>
    </fieldset>
  )
}
