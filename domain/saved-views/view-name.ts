import { storedText } from '../blank.ts'

export const VIEW_NAME_MAX = 40

export const VIEWS_MAX = 50

export function cleanViewName(text: string): string | null {
  const cleaned = text.normalize('NFC').replaceAll(/\s+/g, ' ').trim()
  return /\p{Cc}/u.test(cleaned) ? null : storedText(cleaned, VIEW_NAME_MAX)
}

export const viewNameKey = (name: string): string => name.toLowerCase()
