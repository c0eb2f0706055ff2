/** Returns the text without accents and in lower case, with d for đ, as people often type. */
export const searchKey = (text: string): string =>
  text.normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll(/[đĐ]/g, 'd').toLowerCase()

/** Like `searchKey`, but also trimmed, so that a search for "dong a" finds "Đông Á". */
export const foldForSearch = (text: string): string => searchKey(text).trim()
