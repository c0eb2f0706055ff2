import { foldForSearch } from '#domain/search-text.ts'

export type BankSuggestion = { readonly shortName: string; readonly fullName: string; readonly searchedText: string }

export async function loadBankSuggestions(): Promise<readonly BankSuggestion[]> {
  const { default: rows } = await import('./bank-names.json')
  return rows.map(([shortName = '', fullName = '', otherWords = '']) => ({
    shortName,
    fullName,
    searchedText: foldForSearch(`${shortName} ${fullName} ${otherWords}`),
  }))
}

const between = /[^\p{L}\p{N}]+/gu

/**
 * Returns matching banks: each typed word begins a word of `searchedText`, or, if only letters and digits count, the
 * typed text occurs in `searchedText` ("ngoaithuong"). Banks whose short name begins with the typed text come first.
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
