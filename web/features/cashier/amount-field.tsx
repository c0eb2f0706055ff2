import { type ReactNode, useRef } from 'react'
import { flushSync } from 'react-dom'
import type { Minor } from '#domain/money.ts'
import { formatAmount } from '#web/platform/formats.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { Button } from '#web/ui/button.tsx'
import { NumberInput } from '#web/ui/number-input.tsx'
import { TextInput } from '#web/ui/text-input.tsx'
import { cashRequestTexts } from './cashier-texts.ts'
import { everything } from './request-amount.ts'

export type AmountFieldProps = {
  /** The typed text, or `everything`; '' while the field is empty. */
  readonly value: string
  readonly onChange: (value: string) => void
  readonly onBlur: () => void
  readonly name: string
  readonly ref: (element: HTMLInputElement | null) => void
  readonly hint: ReactNode
  readonly error: string | undefined
  /** The amount that the button "Rút hết" (withdraw all) fills in. Null in a form without that button. */
  readonly allMinor: Minor | null
}

/** The field for an amount. Only whole points can be typed. "Rút hết" takes the whole balance with its decimals. */
export function AmountField({ value, onChange, allMinor, hint, error, ref, ...input }: AmountFieldProps) {
  const row = useRef<HTMLDivElement>(null)
  const isAll = allMinor !== null && value === everything
  const choose = (next: string) => {
    // The field that shows the choice is rendered at once and then focused, so that a screen reader reads it.
    flushSync(() => onChange(next))
    row.current?.querySelector('input')?.focus()
  }
  const look = { className: 'min-w-0 flex-1', label: cashRequestTexts.amount, hint, error }
  return (
    <div ref={row} className="flex items-start gap-2">
      {isAll ? (
        <TextInput {...look} ref={ref} readOnly value={`${formatAmount(allMinor)} ${commonTexts.points}`} />
      ) : (
        <NumberInput {...look} {...input} ref={ref} value={value} onChange={onChange} unit={commonTexts.points} />
      )}
      {allMinor !== null && (
        <Button variant="outline" className="mt-[1.65rem] shrink-0" onClick={() => choose(isAll ? '' : everything)}>
          {isAll ? cashRequestTexts.otherAmount : cashRequestTexts.withdrawAll}
        </Button>
      )}
    </div>
  )
}
