import type { FoundUser } from '#contract/finder.ts'
import { foldForSearch } from '#domain/search-text.ts'
import type { IconComponent } from '#web/ui/icon.tsx'

/** An act on a user. The admin types its label and then a username ("đóng băng an"), or chooses the act in a list. */
export type UserAct = {
  readonly id: string
  readonly label: string
  readonly icon: IconComponent
  readonly suits: (user: FoundUser) => boolean
  readonly run: (userId: string) => void
}

const wordsOf = (text: string) => text.trim().split(/\s+/)

/** Returns the act with the longest label that begins the text, and the words after that label. */
export function readTyped(typed: string, acts: readonly UserAct[]) {
  const words = wordsOf(typed)
  const act = acts
    .filter(({ label }) => {
      const said = words.slice(0, wordsOf(label).length).join(' ')
      return words.length > wordsOf(label).length && foldForSearch(said) === foldForSearch(label)
    })
    .toSorted((one, other) => other.label.length - one.label.length)[0]
  return { act: act ?? null, text: act === undefined ? typed.trim() : words.slice(wordsOf(act.label).length).join(' ') }
}

/** Returns true if each typed word begins a word of the text. Order, case and accents do not matter. */
export function isMeant(typed: string, text: string): boolean {
  const words = wordsOf(foldForSearch(text))
  return wordsOf(foldForSearch(typed)).every((part) => words.some((word) => word.startsWith(part)))
}
