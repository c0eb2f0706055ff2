import { type KeyboardEvent, type Ref, useEffect, useId, useState } from 'react'
import { bankTexts } from './bank-texts.ts'
import { endsWord } from '#web/platform/ends-word.ts'
import { formatCount } from '#web/platform/formats.ts'
import { classNames } from '#web/ui/class-names.ts'
import { controlClass, Field } from '#web/ui/field.tsx'
import { Monogram } from '#web/ui/monogram.tsx'
import { type BankSuggestion, findBanks, loadBankSuggestions } from './bank-words.ts'

export type BankPickerProps = {
  readonly value: string
  readonly onChange: (bankName: string) => void
  readonly onBlur: () => void
  readonly error?: string | undefined
  readonly name: string
  readonly ref: Ref<HTMLInputElement>
}

function useSuggestions(id: string, value: string, onChange: (bankName: string) => void) {
  const [banks, setBanks] = useState<readonly BankSuggestion[]>([])
  const [isOpen, setIsOpen] = useState(false)
  const [activeIndex, setActiveIndex] = useState(-1)
  /** The value that was chosen from the list. While the field still has this value, all banks are suggested. */
  const [chosen, setChosen] = useState<string | null>(null)

  useEffect(() => {
    // If the suggestions can't be loaded, the field stays a plain text field.
    loadBankSuggestions().then(setBanks, () => {})
  }, [])

  const found = findBanks(banks, value === chosen ? '' : value)
  const isShown = isOpen && found.length > 0
  const active = isShown ? found[activeIndex] : undefined

  useEffect(() => {
    document.getElementById(`${id}-${activeIndex}`)?.scrollIntoView({ block: 'nearest' })
  }, [id, activeIndex])

  const open = () => {
    setIsOpen(true)
    setActiveIndex(-1)
  }
  const choose = (bank: BankSuggestion) => {
    onChange(bank.shortName)
    setChosen(bank.shortName)
    setIsOpen(false)
  }
  const handleKey = (event: KeyboardEvent) => {
    if (endsWord(event)) return
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      if (!isOpen) return open()
      const step = event.key === 'ArrowDown' ? 1 : -1
      const count = found.length
      setActiveIndex(count === 0 ? -1 : activeIndex < 0 && step < 0 ? count - 1 : (activeIndex + step + count) % count)
    } else if (event.key === 'Enter' && active !== undefined) {
      event.preventDefault()
      choose(active)
    } else if (event.key === 'Escape' && isOpen) {
      event.preventDefault()
      setIsOpen(false)
    }
  }
  return {
    found,
    isShown,
    activeIndex,
    activeId: active === undefined ? undefined : `${id}-${activeIndex}`,
    /** Announces the number of suggestions to screen readers; false while there is nothing to announce. */
    countText: isOpen && value !== '' && value !== chosen && banks.length > 0 && countText(found.length),
    open,
    close: () => setIsOpen(false),
    type: (text: string) => {
      onChange(text)
      setChosen(null)
      open()
    },
    choose,
    handleKey,
  }
}

/** A text field that suggests banks (ARIA's combobox pattern). The field accepts other names too. */
export function BankPicker({ value, onChange, onBlur, error, name, ref }: BankPickerProps) {
  const id = useId()
  const suggestions = useSuggestions(id, value, onChange)
  return (
    <div className="relative">
      <Field label={bankTexts.bankName} hint={bankTexts.bankNameHint} error={error}>
        {(control) => (
          <input
            {...control}
            ref={ref}
            name={name}
            type="text"
            role="combobox"
            autoComplete="off"
            autoCorrect="off"
            spellCheck={false}
            aria-autocomplete="list"
            aria-expanded={suggestions.isShown}
            aria-controls={`${id}-list`}
            aria-activedescendant={suggestions.activeId}
            value={value}
            onChange={(event) => suggestions.type(event.target.value)}
            onClick={suggestions.open}
            onBlur={() => {
              suggestions.close()
              onBlur()
            }}
            onKeyDown={suggestions.handleKey}
            className={controlClass}
          />
        )}
      </Field>
      <p role="status" className="sr-only">
        {suggestions.countText}
      </p>
      <div
        id={`${id}-list`}
        role="listbox"
        aria-label={bankTexts.suggestions}
        hidden={!suggestions.isShown}
        className="absolute inset-x-0 top-[calc(100%-1.25rem)] z-20 max-h-64 overflow-y-auto overscroll-contain rounded-s border border-line-strong bg-surface py-1 shadow-overlay"
      >
        {suggestions.isShown &&
          suggestions.found.map((bank, index) => (
            <Suggestion
              key={bank.shortName}
              id={`${id}-${index}`}
              bank={bank}
              isActive={index === suggestions.activeIndex}
              onChoose={() => suggestions.choose(bank)}
            />
          ))}
      </div>
    </div>
  )
}

const countText = (count: number) =>
  count > 0 ? bankTexts.suggestionCount(formatCount(count)) : bankTexts.noSuggestion

type SuggestionProps = {
  readonly id: string
  readonly bank: BankSuggestion
  readonly isActive: boolean
  readonly onChoose: () => void
}

function Suggestion({ id, bank, isActive, onChoose }: SuggestionProps) {
  return (
    // Keyboard users reach the options through the field, which keeps the focus.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- see above
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      // The press must not move the focus: leaving the field would close the list before the click arrives.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onChoose}
      className={classNames(
        'flex min-h-target cursor-pointer items-center gap-3 px-3 py-1.5 hover:bg-surface-press',
        isActive && 'bg-gold-soft',
      )}
    >
      <Monogram name={bank.shortName} />
      <span className="min-w-0">
        <span className="block text-sm font-medium">{bank.shortName}</span>
        <span className="block text-xs text-ink-3">{bank.fullName}</span>
      </span>
    </div>
  )
}
