import { type ClipboardEvent, type FocusEvent, type KeyboardEvent, type Ref, useRef, useState } from 'react'
import { NumberFormatBase, type NumberFormatBaseProps } from 'react-number-format'
import { type NumberKind, readNumber, typedText } from '#domain/typed-number.ts'
import { formatCount } from '#web/platform/formats.ts'
import { classNames } from './class-names.ts'
import { numberProblems } from './typed-texts.ts'
import { controlClass, Field, type FieldLook } from './field.tsx'

type NumberValue = {
  /** The number in plain digits, or the text as typed if it has the user's own separators or is not a number. */
  readonly value: string
  readonly onChange: (text: string) => void
  readonly kind?: NumberKind | undefined
  readonly onBlur?: (() => void) | undefined
}

/** The leading digits to group, at most 40, since grouping a very long pasted text is slow. */
const digitsFirst = /^\d{1,40}(?=(?:\.\d{0,2})?$)/
/** Groups the digits: `1234.5` → `1,234.5`. Every other text stays as it was typed. */
const group = (text: string): string => text.replace(digitsFirst, (digits) => formatCount(BigInt(digits)))

/** Characters that a key may add (spec §5.3). If signs and `e` were dropped, -5 would silently become 5, and 1e5 15. */
const ofNumbers = /[\d０-９.,．，+\-−–e]/i

const marks = /[.,．，]/

function ungroup(shown: string): string {
  const plain = shown.replaceAll(',', '')
  return group(plain) === shown ? plain : shown
}

/**
 * Makes Backspace and Delete beside an inserted comma remove the digit on the other side of the comma. Otherwise
 * react-number-format would restore the comma and leave the caret where it was.
 */
function skipSeparator({ key, currentTarget: box }: KeyboardEvent<HTMLInputElement>): void {
  const { value, selectionStart: at, selectionEnd } = box
  if (at === null || at !== selectionEnd || ungroup(value) === value) return
  if (key === 'Backspace' && value[at - 1] === ',') box.setSelectionRange(at - 1, at - 1)
  if (key === 'Delete' && value[at] === ',') box.setSelectionRange(at + 1, at + 1)
}

/**
 * Adapts react-number-format to numbers as people write them (rules §6.1). A typed text with the user's own separators
 * stays as typed until the user leaves the field. A text that is not a number stays too, and `problem` says why.
 */
export function useTypedNumber({ value, onChange, kind = 'whole', onBlur }: NumberValue) {
  const [isDone, setIsDone] = useState(false)
  /** The numbers of characters before and after a pasted text, which the library can only guess. */
  const pasting = useRef<readonly [before: number, after: number]>(null)
  /** True if the text contains separators that the user typed. */
  const hasOwnMarks = useRef(false)
  const read = readNumber(value, kind)

  const removeFormatting: NumberFormatBaseProps['removeFormatting'] = (text, change) => {
    // Without `change`, the library only asks to undo what `group` did.
    if (change === undefined) return ungroup(text)
    const [start, after] = pasting.current ?? [change.to.start, text.length - change.to.end]
    const end = text.length - after
    const added = text.slice(start, end)
    if (added.length === 1 && !ofNumbers.test(added)) return ungroup(change.lastValue)
    const isGroupedByUs = ungroup(change.lastValue) !== change.lastValue
    const isMark = marks.test(added)
    const isKept = !isGroupedByUs || (isMark && hasOwnMarks.current)
    const before = (part: string) => (isKept ? part : part.replaceAll(',', ''))
    const whole = before(text.slice(0, start)) + added + before(text.slice(end))
    hasOwnMarks.current = isMark || (hasOwnMarks.current && marks.test(whole))
    const asNumber = readNumber(whole, kind)
    return added.length > 1 && asNumber.ok ? typedText(asNumber.minor) : whole
  }

  const input = {
    valueIsNumericString: true,
    value,
    format: group,
    removeFormatting,
    // Allow the caret beside every character. By default the library allows it only beside digits.
    getCaretBoundary: (text: string) => Array.from({ length: text.length + 1 }, () => true),
    onValueChange: (next, { source }) => {
      if (source !== 'event') return
      setIsDone(pasting.current !== null)
      onChange(next.value)
    },
    onKeyDown: skipSeparator,
    onPaste: ({ currentTarget: { selectionStart, selectionEnd, value: shown } }: ClipboardEvent<HTMLInputElement>) => {
      pasting.current = [selectionStart ?? 0, shown.length - (selectionEnd ?? 0)]
      // The library reports the change by the paste within this task, so reset the ref in a later task.
      setTimeout(() => (pasting.current = null), 0)
    },
    onBlur: (_: FocusEvent) => {
      setIsDone(true)
      hasOwnMarks.current = false
      const tidy = read.ok ? typedText(read.minor) : value.trim()
      if (tidy !== value) onChange(tidy)
      onBlur?.()
    },
    inputMode: kind === 'whole' ? 'numeric' : 'decimal',
    autoComplete: 'off',
  } satisfies NumberFormatBaseProps
  const problem = isDone && !read.ok && read.problem !== 'empty' ? numberProblems[read.problem] : undefined
  return { input, problem }
}

export type NumberInputProps = FieldLook &
  NumberValue & {
    readonly unit?: string
    readonly name?: string
    readonly placeholder?: string
    readonly disabled?: boolean
    readonly ref?: Ref<HTMLInputElement>
    readonly className?: string
  }

export function NumberInput(props: NumberInputProps) {
  const { label, isLabelHidden, hint, error, className, unit, ref, ...rest } = props
  const { value, onChange, kind, onBlur, ...attributes } = rest
  const { input, problem } = useTypedNumber({ value, onChange, kind, onBlur })
  return (
    <Field label={label} isLabelHidden={isLabelHidden} hint={hint} error={error ?? problem} className={className}>
      {(control) => (
        <div className="relative">
          <NumberFormatBase
            {...attributes}
            {...control}
            {...input}
            getInputRef={ref ?? null}
            className={classNames(
              controlClass,
              'tabular-nums',
              unit !== undefined && 'peer not-placeholder-shown:pr-14',
            )}
          />
          {unit !== undefined && (
            <span className="pointer-events-none absolute inset-y-0 right-3 grid place-items-center text-sm text-ink-3 peer-placeholder-shown:hidden">
              {unit}
            </span>
          )}
        </div>
      )}
    </Field>
  )
}
