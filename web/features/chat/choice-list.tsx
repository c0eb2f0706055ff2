import { type KeyboardEvent, useState } from 'react'
import { classNames } from '#web/ui/class-names.ts'

export type ChoiceListProps = {
  readonly id: string
  readonly label: string
  readonly sign: string
  readonly options: ReadonlyArray<{ readonly name: string; readonly text: string }>
  /** The index of the highlighted option, which Enter or Tab chooses. */
  readonly at: number
  readonly onChoose: (at: number) => void
}

/** Lists, above the field, the choices for a typed word. The field passes its keys to `takeKey` of `useChoices`. */
export function ChoiceList({ id, label, sign, options, at, onChoose }: ChoiceListProps) {
  return (
    <div
      id={id}
      role="listbox"
      aria-label={label}
      className="absolute inset-x-2 bottom-full mb-1 max-h-64 overflow-y-auto rounded-m border border-line bg-surface p-1.5 shadow-overlay"
    >
      {options.map(({ name, text }, index) => (
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the textarea handles the keys
        <div
          // Two people may have given their replies the same name, so a name alone is not unique.
          key={`${name} ${index}`}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === at}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(index)}
          className={classNames('rounded-s px-3 py-2 text-sm', index === at && 'bg-surface-press')}
        >
          <span className="font-semibold text-gold">
            {sign}
            {name}
          </span>{' '}
          {text}
        </div>
      ))}
    </div>
  )
}

/**
 * Finds the choices for a word at the end of the text, and handles the keys that choose one of them.
 * @param word matches the word; its first group is the part after the sign, such as `/` or `@`
 * @param take receives the chosen option, and the text before the word
 */
export function useChoices<Option>(
  text: string,
  word: RegExp,
  find: (wanted: string) => readonly Option[],
  take: (option: Option, before: string) => void,
) {
  const [at, setAt] = useState(0)
  const [closedFor, setClosedFor] = useState<string>()
  const found = word.exec(text)
  const options = found === null || closedFor === text ? [] : find(found[1] ?? '')
  const current = Math.min(at, options.length - 1)
  const choose = (index: number) => {
    const option = options[index]
    if (option === undefined) return
    setAt(0)
    take(option, text.slice(0, found?.index))
  }
  return {
    options,
    at: current,
    active: options[current] === undefined ? undefined : current,
    choose,
    takeKey(event: KeyboardEvent): boolean {
      if (options.length === 0) return false
      const { key } = event
      if (key === 'ArrowDown') setAt((current + 1) % options.length)
      else if (key === 'ArrowUp') setAt((current + options.length - 1) % options.length)
      else if ((key === 'Enter' && !event.shiftKey) || key === 'Tab') choose(current)
      else if (key === 'Escape') setClosedFor(text)
      else return false
      event.preventDefault()
      return true
    },
  }
}
