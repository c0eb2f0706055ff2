import { type ChangeEvent, type Ref, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react'
import { caretIn, groupDigits, readTyped } from '#web/platform/digits.ts'
import { classNames } from './class-names.ts'
import { controlClass, Field, type FieldLook } from './field.tsx'

export type NumberInputProps = FieldLook & {
  /** Digits alone, without separators; '' while empty. */
  readonly value: string
  readonly onChange: (digits: string) => void
  /** More digits than this are not taken; 13 holds the largest balance (rules §3). */
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

/** A whole number with thousands apart (`1,000`). It keeps digits only (spec §5), typed or pasted. */
export function NumberInput(props: NumberInputProps) {
  const { label, isLabelHidden, hint, error, className, value, onChange, maxDigits = 13, unit, ref, ...input } = props
  const shown = groupDigits(value)
  const box = useRef<HTMLInputElement>(null)
  useImperativeHandle<HTMLInputElement | null, HTMLInputElement | null>(ref, () => box.current)
  // The caret stays between the digits it stood between, whatever happens to the separators.
  const caret = useRef<number>(null)
  const [, drawAgain] = useState(0)
  useLayoutEffect(() => {
    if (caret.current === null || box.current === null) return
    const at = caretIn(shown, caret.current)
    caret.current = null
    if (document.activeElement === box.current) box.current.setSelectionRange(at, at)
  })
  const take = ({ currentTarget, nativeEvent }: ChangeEvent<HTMLInputElement>) => {
    const isForward = nativeEvent instanceof InputEvent && nativeEvent.inputType === 'deleteContentForward'
    const { value: text, selectionStart } = currentTarget
    const typed = readTyped(value, text, selectionStart ?? text.length, isForward)
    caret.current = typed.caret
    if (typed.digits.length <= maxDigits && typed.digits !== value) onChange(typed.digits)
    else drawAgain((draws) => draws + 1)
  }
  return (
    <Field label={label} isLabelHidden={isLabelHidden} hint={hint} error={error} className={className}>
      {(control) => (
        <div className="relative">
          <input
            {...input}
            {...control}
            ref={box}
            type="text"
            value={shown}
            onChange={take}
            inputMode="numeric"
            autoComplete="off"
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
