import type { NotedEntry } from '#contract/book-pages.ts'
import { parseEntry } from '#domain/book/parse-entry.ts'
import { sourceLabel } from '#domain/market/source-label.ts'
import { formatCount, formatSignedAmount } from '#web/platform/formats.ts'
import { bookTexts as texts } from './book-texts.ts'

const DAY_MS = 86_400_000
/** The number of shown characters of an admin's pseudonym: six base64 characters (36 bits) distinguish staff. */
const CODE_LETTERS = 6

export const daysBetween = (fromMs: number, toMs: number): number => Math.max(0, Math.floor((toMs - fromMs) / DAY_MS))

/** @param isLogOver whether a restart has ended the log of this entry, so that no answer to a dispute can follow */
export function wordsOf(note: NotedEntry, nowMs: number, isLogOver: boolean) {
  const parsed = parseEntry(note.entry)
  const entry = parsed.is === 'entry' ? parsed.entry : null
  if (entry?.k === 'act') {
    const actor = entry.actor === null ? texts.system : texts.actor(entry.actor.slice(0, CODE_LETTERS))
    return {
      title: texts.acts[entry.act],
      details: [
        actor,
        ...(entry.amount === null ? [] : [texts.amount(formatSignedAmount(BigInt(entry.amount)))]),
        ...(entry.bet === null ? [] : [texts.betAt(formatCount(entry.bet))]),
      ],
      roundId: entry.round,
    }
  }
  if (entry?.k === 'announce')
    return { title: texts.acts.announce, details: [texts.announceSealed], roundId: entry.round }
  if (entry?.k === 'feed') {
    const source = sourceLabel(entry.source)
    return {
      title: entry.state === 'closed' ? texts.feedClosed(source) : texts.feedOpen(source),
      details: [texts.feedWhys[entry.why]],
      roundId: null,
    }
  }
  if (entry?.k === 'dispute') {
    const { atMs, answeredAtMs } = note
    const answer =
      entry.state !== 'opened'
        ? []
        : answeredAtMs !== null
          ? [texts.answered(formatCount(daysBetween(atMs, answeredAtMs)))]
          : [isLogOver ? texts.logOver : texts.waiting(formatCount(daysBetween(atMs, nowMs)))]
    return {
      title: texts.disputeStates[entry.state],
      details: [texts.betAt(formatCount(entry.bet)), ...answer],
      roundId: null,
    }
  }
  return { title: texts.unknownNote, details: [], roundId: null }
}
