/** Returns the text without accents, in lower case and trimmed, so that a search for "dong a" finds "Đông Á". */
export function foldForSearch(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll(/[đĐ]/g, 'd').toLowerCase().trim()
}
