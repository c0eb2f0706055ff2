import { NOTED_ACTS, NOTED_KINDS } from '#contract/book-pages.ts'
import { type Day, isDay } from '#domain/day.ts'
import type { NotesFilter } from './api.ts'

/** The filters in the address of `/so-mo`: kind, act, first and last day. */
export type BookSearch = {
  readonly loai?: string | undefined
  readonly viec?: string | undefined
  readonly tu?: string | undefined
  readonly den?: string | undefined
}

const dayIn = (text: unknown): Day | undefined => (typeof text === 'string' && isDay(text) ? text : undefined)

/** Reads the filters from the address. An invalid filter counts as absent. */
export function readNotesSearch({ loai, viec, tu, den }: BookSearch): NotesFilter {
  const kind = NOTED_KINDS.find((one) => one === loai)
  const act = kind === 'act' ? NOTED_ACTS.find((one) => one === viec) : undefined
  return { kind, act, from: dayIn(tu), to: dayIn(den) }
}

export const writeNotesSearch = ({ kind, act, from, to }: NotesFilter): BookSearch => ({
  loai: kind,
  viec: act,
  tu: from,
  den: to,
})
