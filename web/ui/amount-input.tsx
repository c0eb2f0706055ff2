import { NumericFormat } from 'react-number-format'
import { commonTexts } from '#web/platform/texts.ts'
import { classNames } from './class-names.ts'
import { controlClass, Field, type FieldLook } from './field.tsx'

export type AmountInputProps = FieldLook & {
  /** Plain decimal text with at most 2 decimals and no separators: `1234.5`; '' while empty. */
  readonly value: string
  readonly onChange: (text: string) => void
  readonly disabled?: boolean
  readonly className?: string
}

/** The digits before the point of the largest balance (rules §3); further digits are ignored. */
const maxDigits = 13

/** An input for points with two decimals and grouped thousands, such as a balance that staff set. */
export function AmountInput(props: AmountInputProps) {
  const { label, isLabelHidden, hint, error, className, value, onChange, disabled = false } = props
  return (
    <Field label={label} isLabelHidden={isLabelHidden} hint={hint} error={error} className={className}>
      {(control) => (
        <div className="relative">
          <NumericFormat
            {...control}
            value={value}
            valueIsNumericString
            onValueChange={(next, source) => source.source === 'event' && onChange(next.value)}
            isAllowed={(next) => (next.value.split('.')[0] ?? '').length <= maxDigits}
            thousandSeparator=","
            decimalSeparator="."
            decimalScale={2}
            allowNegative={false}
            allowLeadingZeros={false}
            inputMode="decimal"
            autoComplete="off"
            disabled={disabled}
            className={classNames(controlClass, 'pr-14 tabular-nums')}
          />
          <span className="pointer-events-none absolute inset-y-0 right-3 grid place-items-center text-sm text-ink-3">
            {commonTexts.points}
          </span>
        </div>
      )}
    </Field>
  )
}
