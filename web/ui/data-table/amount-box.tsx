import { NumberFormatBase } from 'react-number-format'
import { classNames } from '#web/ui/class-names.ts'
import { wholeNumber } from '#web/ui/number-input.tsx'
import { innerInputClass, innerLabelClass, labelledClass, useDraft } from './controls.tsx'

export type AmountBoxProps = {
  readonly label: string
  /** Digits of whole points; '' for no amount. */
  readonly text: string
  readonly onChange: (digits: string) => void
}

/** Whole points with their thousands apart, with the label inside the control. */
export function AmountBox({ label, text, onChange }: AmountBoxProps) {
  const { draft, setDraft, wish } = useDraft(text, onChange)
  return (
    <label className={labelledClass}>
      <span className={innerLabelClass}>{label}</span>
      <NumberFormatBase
        {...wholeNumber}
        isAllowed={({ value }) => value.length <= 12}
        value={draft}
        onValueChange={({ value }, { source }) => source === 'event' && setDraft(value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') onChange(wish)
          wholeNumber.onKeyDown(event)
        }}
        className={classNames(innerInputClass, 'tabular-nums md:w-24')}
      />
    </label>
  )
}
