import { isBlank } from '../blank.ts'

/** Longest name of a saved view, in UTF-16 units after trimming (rules §6.11). */
export const VIEW_NAME_MAX = 40

/** Most views that one admin keeps, over all lists (rules §6.11). */
export const VIEWS_MAX = 50

export type ViewRefusal = 'VIEW_NAME_INVALID' | 'VIEW_NAME_TAKEN' | 'TOO_MANY_VIEWS'

/** The name as it is stored: on one line, without spaces around it. Null when nothing is left, or too much. */
export function cleanViewName(text: string): string | null {
  const cleaned = text.normalize('NFC').replaceAll(/\s+/g, ' ').trim()
  const isName = !isBlank(cleaned) && cleaned.length <= VIEW_NAME_MAX
  return isName && !/\p{Cc}/u.test(cleaned) && cleaned.isWellFormed() ? cleaned : null
}

/** The form in which names of one maker's views are compared. */
export const viewNameKey = (name: string): string => name.toLowerCase()
