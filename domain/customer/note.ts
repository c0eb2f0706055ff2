import { isBlank } from '../blank.ts'

export const NOTE_TEXT_MAX = 2_000

export type NoteRefusal = 'NOTE_INVALID'

export function cleanNote(text: string): string | null {
  const cleaned = text.replaceAll(/\r\n?/g, '\n').trim()
  return isBlank(cleaned) || cleaned.length > NOTE_TEXT_MAX || cleaned.includes('\0') || !cleaned.isWellFormed()
    ? null
    : cleaned
}
