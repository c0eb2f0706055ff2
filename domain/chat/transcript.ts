import { clockTextOf } from '../day.ts'

export interface SaidMessage {
  readonly sentAtMs: number
  readonly name: string
  readonly isOfStaff: boolean
  readonly kind: 'text' | 'image' | 'retracted'
  readonly content: string
}

const LINE_END = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/g
/** Control and direction characters, which could make a line look like another line. */
const UNSEEN = /[\p{Cc}\p{Bidi_Control}]/gu

const codeOf = (character: string): string =>
  `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`

const inOneLine = (text: string): string =>
  text.replaceAll(LINE_END, ' ↵ ').replaceAll('\t', ' ').replaceAll(UNSEEN, codeOf)

const saidIn = (kind: SaidMessage['kind'], content: string): string =>
  kind === 'image' ? '[hình ảnh]' : kind === 'retracted' ? '[tin nhắn đã thu hồi]' : inOneLine(content)

/** Returns a message as one line with a line end: time in Vietnam, name and text (docs/rules.md §7.17). */
export const transcriptLine = ({ sentAtMs, name, isOfStaff, kind, content }: SaidMessage): string =>
  `${clockTextOf(sentAtMs)} ${name}${isOfStaff ? ' (nhân viên)' : ''}: ${saidIn(kind, content)}\n`
