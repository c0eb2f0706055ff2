import { type ClipboardEvent, type FocusEvent, type KeyboardEvent, type Ref, useRef, useState } from 'react'
import { NumberFormatBase, type NumberFormatBaseProps } from 'react-number-format'
import { type NumberKind, readNumber, typedText } from '#domain/typed-number.ts'
import { formatCount } from '#web/platform/formats.ts'
import { classNames } from './class-names.ts'
import { numberProblems } from './typed-texts.ts'
import { controlClass, Field, type FieldLook } from './field.tsx'

type NumberValue = {
  /** Digits where the typed or pasted text can be read, else that text. */
  readonly value: string
  readonly onChange: (text: string) => void
  readonly kind?: NumberKind | undefined
  readonly onBlur?: (() => void) | undefined
}

/** A number with more digits than any balance is not grouped: to group a million of them would take a second. */
const digitsFirst = /^\d{1,40}(?=(?:\.\d{0,2})?$)/
/** `1234.5` → `1,234.5`; every other text stays as it was typed. */
const group = (text: string): string => text.replace(digitsFirst, (digits) => formatCount(BigInt(digits)))

/** Characters that a key may add: digits (spec §5), and also signs and exponents, which must not vanish unseen. */
const ofNumbers = /[\d０-９.,．，+\-−–e]/i

const marks = /[.,．，]/

function ungroup(shown: string): string {
  const plain = shown.replaceAll(',', '')
  return group(plain) === shown ? plain : shown
}

/**
 * Next to a separator of ours Backspace and Delete remove the adjacent digit; the library would restore the separator
 * and not move on.
 */
function skipSeparator({ key, currentTarget: box }: KeyboardEvent<HTMLInputElement>): void {
  const { value, selectionStart: at, selectionEnd } = box
  if (at === null || at !== selectionEnd || ungroup(value) === value) return
  if (key === 'Backspace' && value[at - 1] === ',') box.setSelectionRange(at - 1, at - 1)
  if (key === 'Delete' && value[at] === ',') box.setSelectionRange(at + 1, at + 1)
}

/**
 * Makes the library's input one for numbers of people (rules §6.1). A text with its own separators stays as it is until
 * it can be read whole: when it is pasted, or when the field is left. A text that can't be read stays as well, with the
 * reason.
 */
export function useTypedNumber({ value, onChange, kind = 'whole', onBlur }: NumberValue) {
  const [isDone, setIsDone] = useState(false)
  /** The letters before and after a pasted text; the library guesses them where no key was pressed. */
  const pasting = useRef<readonly [before: number, after: number]>(null)
  /** Whether separators are being typed: then those on screen are not ours alone. */
  const hasOwnMarks = useRef(false)
  const read = readNumber(value, kind)

  const removeFormatting: NumberFormatBaseProps['removeFormatting'] = (text, change) => {
    // Without a change this is the library's way back from a text that `group` made.
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
    // The caret may stand beside every letter, not beside digits alone.
    getCaretBoundary: (text: string) => Array.from({ length: text.length + 1 }, () => true),
    onValueChange: (next, { source }) => {
      if (source !== 'event') return
      setIsDone(pasting.current !== null)
      onChange(next.value)
    },
    onKeyDown: skipSeparator,
    onPaste: ({ currentTarget: { selectionStart, selectionEnd, value: shown } }: ClipboardEvent<HTMLInputElement>) => {
      pasting.current = [selectionStart ?? 0, shown.length - (selectionEnd ?? 0)]
      // If the paste changes anything, the change follows in the same task.
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
