import { isBlank } from '../blank.ts'

export const VIEW_NAME_MAX = 40

export const VIEWS_MAX = 50

export type ViewRefusal = 'VIEW_NAME_INVALID' | 'VIEW_NAME_TAKEN' | 'TOO_MANY_VIEWS'

export function cleanViewName(text: string): string | null {
  const cleaned = text.normalize('NFC').replaceAll(/\s+/g, ' ').trim()
  const isName = !isBlank(cleaned) && cleaned.length <= VIEW_NAME_MAX
  return isName && !/\p{Cc}/u.test(cleaned) && cleaned.isWellFormed() ? cleaned : null
}

export const viewNameKey = (name: string): string => name.toLowerCase()
