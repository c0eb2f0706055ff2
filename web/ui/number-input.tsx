import type { KeyboardEvent, Ref } from 'react'
import { NumberFormatBase } from 'react-number-format'
import { formatCount } from '#web/platform/formats.ts'
import { classNames } from './class-names.ts'
import { controlClass, Field, type FieldLook } from './field.tsx'

export type NumberInputProps = FieldLook & {
  /** Digits alone, without separators; '' while empty. */
  readonly value: string
  readonly onChange: (digits: string) => void
  /** Further digits are ignored; 13 are enough for the largest balance (rules §3). */
  readonly maxDigits?: number
  /** A unit shown inside, at the end. */
  readonly unit?: string
  readonly name?: string
  readonly placeholder?: string
  readonly disabled?: boolean
  readonly onBlur?: () => void
  readonly ref?: Ref<HTMLInputElement>
  readonly className?: string
}

/**
 * The digits of a typed or pasted text. Vietnamese write a million as `1.000.000`, so a point is no decimal point here;
 * the library's own number format would read it as one.
 */
const digitsOf = (text: string) => text.replace(/\D/g, '').replace(/^0+(?=\d)/, '')
const groupDigits = (digits: string) => (digits === '' ? '' : formatCount(BigInt(digits)))

/**
 * Next to a separator Backspace and Delete remove the adjacent digit; the library would restore the separator and not
 * move on.
 */
function skipSeparator({ key, currentTarget: box }: KeyboardEvent<HTMLInputElement>): void {
  const { value, selectionStart: at, selectionEnd } = box
  if (at === null || at !== selectionEnd) return
  if (key === 'Backspace' && value[at - 1] === ',') box.setSelectionRange(at - 1, at - 1)
  if (key === 'Delete' && value[at] === ',') box.setSelectionRange(at + 1, at + 1)
}

/** What makes the library's input one for whole numbers. */
export const wholeNumber = {
  valueIsNumericString: true,
  format: groupDigits,
  removeFormatting: digitsOf,
  onKeyDown: skipSeparator,
  inputMode: 'numeric',
  autoComplete: 'off',
} as const

/** A whole number with grouped thousands (`1,000`). It accepts digits only (spec §5), typed or pasted. */
export function NumberInput(props: NumberInputProps) {
  const { label, isLabelHidden, hint, error, className, onChange, maxDigits = 13, unit, ref, ...input } = props
  return (
    <Field label={label} isLabelHidden={isLabelHidden} hint={hint} error={error} className={className}>
      {(control) => (
        <div className="relative">
          <NumberFormatBase
            {...input}
            {...control}
            getInputRef={ref ?? null}
            {...wholeNumber}
            isAllowed={({ value }) => value.length <= maxDigits}
            onValueChange={({ value }, { source }) => source === 'event' && onChange(value)}
            className={classNames(controlClass, 'tabular-nums', unit !== undefined && 'pr-14')}
          />
          {unit !== undefined && (
            <span className="pointer-events-none absolute inset-y-0 right-3 grid place-items-center text-sm text-ink-3">
              {unit}
            </span>
          )}
        </div>
      )}
    </Field>
  )
}
