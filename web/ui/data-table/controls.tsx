import { ChevronDown, Search, X } from 'lucide-react'
import { type ComponentProps, type ReactNode, useEffect, useEffectEvent, useId, useState } from 'react'
import { SEARCH_DEBOUNCE_MS } from '#contract/limits.ts'
import { classNames } from '#web/ui/class-names.ts'
import { isDay } from './table-search.ts'
import { adminTableTexts as texts } from './table-texts.ts'

/** Controls above a list: as high as a touch target on a phone, denser from 768 px on. */
const controlClass =
  'h-target rounded-s border border-control bg-surface text-base text-ink transition-colors focus:border-gold md:h-9 md:text-sm'

export type SearchBoxProps = {
  readonly label: string
  /** The current search text. */
  readonly text: string
  /** Called half a second after the last key press (spec §9), and at once by Enter. */
  readonly onChange: (text: string) => void
  readonly className?: string
}

/** What is being typed, handed on half a second after the last change if it is complete. */
export function useDraft(text: string, onChange: (text: string) => void, isComplete = (_: string) => true) {
  const [draft, setDraft] = useState(text)
  const [known, setKnown] = useState(text)
  const change = useEffectEvent(onChange)
  // The address changed by other means: the back button, a saved view, a cleared filter.
  if (text !== known) {
    setKnown(text)
    if (text !== draft.trim()) setDraft(text)
  }
  const wish = isComplete(draft.trim()) ? draft.trim() : text
  useEffect(() => {
    if (wish === text) return
    const timer = setTimeout(() => change(wish), SEARCH_DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [wish, text])
  return { draft, setDraft, wish }
}

/** Searches during typing. */
export function SearchBox({ label, text, onChange, className }: SearchBoxProps) {
  const { draft, setDraft, wish } = useDraft(text, onChange)
  return (
    <div className={classNames('relative', className)}>
      <Search
        aria-hidden
        size={16}
        strokeWidth={1.8}
        className="pointer-events-none absolute top-1/2 left-3 -translate-y-1/2 text-ink-3"
      />
      <input
        type="text"
        role="searchbox"
        aria-label={label}
        placeholder={label}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={64}
        value={draft}
        onChange={(event) => setDraft(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.nativeEvent.isComposing) onChange(wish)
          if (event.key === 'Escape') setDraft('')
        }}
        className={classNames(controlClass, 'w-full pl-9', draft === '' ? 'pr-2' : 'pr-9')}
      />
      {draft !== '' && (
        <button
          type="button"
          aria-label={texts.clearSearch}
          onClick={() => {
            setDraft('')
            onChange('')
          }}
          className="absolute inset-y-0 right-0 grid w-9 place-items-center rounded-s text-ink-3 hover:text-ink"
        >
          <X aria-hidden size={16} strokeWidth={1.8} />
        </button>
      )}
    </div>
  )
}

export type Choice<Value extends string> = { readonly value: Value; readonly label: ReactNode }

export type ChoiceBarProps<Value extends string> = {
  /** The name of the choice. */
  readonly label: string
  readonly value: Value
  readonly onChange: (value: Value) => void
  readonly choices: ReadonlyArray<Choice<Value>>
}

/** A choice among a few visible options: radio buttons in one bar, which scrolls sideways when it is too narrow. */
export function ChoiceBar<Value extends string>({ label, value, onChange, choices }: ChoiceBarProps<Value>) {
  const name = useId()
  return (
    <fieldset className="max-w-full min-w-0">
      <legend className="sr-only">{label}</legend>
      <div className="scrollbar-none flex w-fit max-w-full overflow-x-auto rounded-s border border-control bg-surface">
        {choices.map((choice) => (
          <label
            key={choice.value}
            className="relative grid min-h-[42px] shrink-0 cursor-pointer place-items-center px-3 text-sm font-medium whitespace-nowrap text-ink-2 md:px-2.5 transition-colors hover:bg-surface-press has-checked:bg-surface-2 has-checked:text-ink has-checked:shadow-[inset_0_-2px_0_var(--gold)] has-focus-visible:outline-2 has-focus-visible:-outline-offset-2 has-focus-visible:outline-gold md:min-h-[34px] md:text-dense"
          >
            <input
              type="radio"
              name={name}
              value={choice.value}
              checked={choice.value === value}
              onChange={() => onChange(choice.value)}
              className="absolute inset-0 cursor-[inherit] appearance-none outline-none"
            />
            {choice.label}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

export type PickerProps<Value extends string> = Omit<ComponentProps<'select'>, 'onChange' | 'value' | 'children'> & {
  readonly label: string
  readonly value: Value
  readonly onChange: (value: Value) => void
  readonly choices: ReadonlyArray<{ readonly value: Value; readonly label: string }>
}

/** A choice from a list, in the device's own picker, without a visible label. */
export function Picker<Value extends string>({
  label,
  value,
  onChange,
  choices,
  className,
  ...select
}: PickerProps<Value>) {
  return (
    <div className={classNames('relative', className)}>
      <select
        {...select}
        aria-label={label}
        value={value}
        onChange={(event) => {
          const choice = choices.find((one) => one.value === event.currentTarget.value)
          if (choice !== undefined) onChange(choice.value)
        }}
        className={classNames(controlClass, 'w-full appearance-none pr-8 pl-3')}
      >
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
      <ChevronDown
        aria-hidden
        size={16}
        className="pointer-events-none absolute top-1/2 right-2.5 -translate-y-1/2 text-ink-3"
      />
    </div>
  )
}

export type DayBoxProps = {
  readonly label: string
  /** `2026-11-20`; '' for no day. */
  readonly text: string
  readonly onChange: (day: string) => void
}

/** A control with its label inside. */
export const labelledClass = classNames(
  controlClass,
  'flex items-center gap-2 px-2.5 focus-within:border-gold has-focus-visible:outline-2 has-focus-visible:outline-gold max-md:w-full',
)
export const innerLabelClass = 'shrink-0 text-dense whitespace-nowrap text-ink-3'
export const innerInputClass = 'min-w-0 flex-1 bg-transparent text-ink outline-none'

/** A day while its digits are typed one by one is another day, or none. */
const isDayOrNone = (text: string): boolean => text === '' || isDay(text)

/** A day, in the device's own calendar, with its label inside the control. */
export function DayBox({ label, text, onChange }: DayBoxProps) {
  const { draft, setDraft } = useDraft(text, onChange, isDayOrNone)
  return (
    <label className={labelledClass}>
      <span className={innerLabelClass}>{label}</span>
      <input
        type="date"
        value={draft}
        onChange={(event) => setDraft(event.currentTarget.value)}
        className={innerInputClass}
      />
    </label>
  )
}
