import { type ComponentProps, type ReactNode, useId } from 'react'
import { FIRST_DAY } from '#domain/game/calendar.ts'
import { endsWord } from '#web/platform/ends-word.ts'
import { classNames } from '#web/ui/class-names.ts'
import { type DayChoice, useDay } from '#web/ui/day-field.tsx'
import type { ControlAttributes } from '#web/ui/field.tsx'
import { ChevronDown } from '#web/ui/icons/chevron-down.tsx'
import { Search } from '#web/ui/icons/search.tsx'
import { X } from '#web/ui/icons/x.tsx'
import { useDraft } from '#web/ui/use-draft.ts'
import { adminTableTexts as texts } from './table-texts.ts'

const controlClass =
  'h-target rounded-s border border-control bg-surface text-base text-ink transition-colors focus:border-gold md:h-9 md:text-sm'

export type SearchBoxProps = {
  readonly label: string
  readonly text: string
  /** Called 500 ms after the last change (spec §9.3), or at once on Enter and on a press of the clear button. */
  readonly onChange: (text: string) => void
  readonly className?: string
}

export function SearchBox({ label, text, onChange, className }: SearchBoxProps) {
  const { draft, setDraft, wish, handOn } = useDraft(text, onChange)
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
          if (event.key === 'Enter' && !endsWord(event)) handOn(wish)
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
            handOn('')
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
  readonly label: string
  readonly value: Value
  readonly onChange: (value: Value) => void
  readonly choices: ReadonlyArray<Choice<Value>>
}

export function ChoiceBar<Value extends string>({ label, value, onChange, choices }: ChoiceBarProps<Value>) {
  const name = useId()
  return (
    <fieldset className="max-w-full min-w-0">
      <legend className="sr-only">{label}</legend>
      <div className="scrollbar-none flex w-fit max-w-full overflow-x-auto rounded-s border border-control bg-surface">
        {choices.map((choice) => (
          <label
            key={choice.value}
            className="relative grid min-h-[42px] shrink-0 cursor-pointer place-items-center px-3 text-sm font-medium whitespace-nowrap text-ink-2 md:px-2.5 transition-colors hover:bg-surface-press has-checked:bg-surface-2 has-checked:text-ink has-checked:shadow-[inset_0_-2px_0_var(--color-gold)] has-focus-visible:outline-2 has-focus-visible:-outline-offset-2 has-focus-visible:outline-gold md:min-h-[34px] md:text-dense"
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

export type LabelledBoxProps = {
  readonly label: string
  readonly problem: string | undefined
  readonly children: (control: Omit<ControlAttributes, 'id'> & { readonly className: string }) => ReactNode
}

export function LabelledBox({ label, problem, children }: LabelledBoxProps) {
  const id = useId()
  const hasProblem = problem !== undefined
  return (
    <div className="flex flex-col gap-1 max-md:w-full">
      <label
        className={classNames(
          controlClass,
          'flex items-center gap-2 px-2.5 focus-within:border-gold has-focus-visible:outline-2 has-focus-visible:outline-gold',
        )}
      >
        <span className="shrink-0 text-dense whitespace-nowrap text-ink-3">{label}</span>
        {children({
          'aria-describedby': hasProblem ? id : undefined,
          'aria-invalid': hasProblem || undefined,
          className: 'min-w-0 flex-1 bg-transparent text-ink outline-none',
        })}
      </label>
      {hasProblem && (
        <p id={id} className="max-w-80 text-xs text-down">
          {problem}
        </p>
      )}
    </div>
  )
}

export type DayBoxProps = Omit<DayChoice, 'first'> & { readonly label: string }

export function DayBox({ label, ...choice }: DayBoxProps) {
  const { input, problem } = useDay({ ...choice, first: FIRST_DAY })
  return (
    <LabelledBox label={label} problem={problem}>
      {(control) => <input {...input} {...control} />}
    </LabelledBox>
  )
}
