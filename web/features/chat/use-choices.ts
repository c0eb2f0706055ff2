import { type KeyboardEvent, useState } from 'react'

/**
 * The choices for a word that ends the text, and the keys that choose.
 * @param word the first group is the text after its sign
 * @param take gets the chosen option, and the text before the word
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
