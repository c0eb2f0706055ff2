import { foldForSearch } from '#web/platform/search-text.ts'

/** A bank of the list: the name to show and to keep, the full name, and what it is found by. */
export type BankSuggestion = { readonly shortName: string; readonly fullName: string; readonly searchedText: string }

/** The list, fetched when somebody begins to choose. */
export async function loadBankSuggestions(): Promise<readonly BankSuggestion[]> {
  const { default: rows } = await import('./bank-names.json')
  return rows.map(([shortName = '', fullName = '', otherWords = '']) => ({
    shortName,
    fullName,
    searchedText: foldForSearch(`${shortName} ${fullName} ${otherWords}`),
  }))
}

/** What stands between the words of a name. */
const between = /[^\p{L}\p{N}]+/gu

/**
 * The banks that fit what was typed: every word of it begins a word of theirs, or stands somewhere in the name without
 * its spaces ("ngoaithuong"). Banks whose own name begins with it come first; the list's order otherwise.
 */
export function findBanks(banks: readonly BankSuggestion[], typed: string): readonly BankSuggestion[] {
  const words = foldForSearch(typed).split(between).filter(Boolean)
  if (words.length === 0) return banks
  const whole = words.join('')
  const fits = ({ searchedText }: BankSuggestion) =>
    words.every((word) => searchedText.split(between).some((part) => part.startsWith(word))) ||
    searchedText.replaceAll(between, '').includes(whole)
  const isFirst = (bank: BankSuggestion) => foldForSearch(bank.shortName).replaceAll(between, '').startsWith(whole)
  const found = banks.filter(fits)
  return [...found.filter(isFirst), ...found.filter((bank) => !isFirst(bank))]
}
