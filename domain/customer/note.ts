import { storedText } from '../blank.ts'

export const NOTE_TEXT_MAX = 2_000

export const cleanNote = (text: string): string | null =>
  storedText(text.replaceAll(/\r\n?/g, '\n').trim(), NOTE_TEXT_MAX)
