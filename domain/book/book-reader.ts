import { windowAt, STAFF_ACT_MIN_LEFT_MS } from '../game/calendar.ts'
import { SIMULATED } from '../market/sources.ts'
import type { BeatTick, Entry, EntryKind, EntryOf } from './entry.ts'
import { createStretchSet } from './number-sets.ts'
import { parseEntry } from './parse-entry.ts'
import { checkPath, checkSeedsOverdue, commitSeed, openSeed } from './read-days.ts'
import {
  beginReading,
  type BookReaderOptions,
  hasBecomeOverdue,
  NOTHING_COUNTED,
  type Reading,
  type RunningRound,
  say,
} from './reading.ts'
import { checkAnnouncement, checkClosing, checkOpening } from './round-check.ts'
import { daysOf } from './seed-path.ts'
import { PROPOSAL_LIFETIME_MS } from '../four-eyes/proposal.ts'

/*
 * Reads the entries of one log in their order and reports the faults in them (docs/open-book.md §2). If the reading
 * begins inside a log, the caller gives `learn` the earlier rules and seeds that the rounds need.
 */

/**
 * A gap between beats counts as at most this long, so that no downtime makes anything overdue (docs/open-book.md §2).
 */
const BEAT_EVERY_MS = 10_000
/**
 * A round is overdue if it has no `closed` entry this long after its end, in the time that `goneOn` of `Reading` counts
 * (docs/open-book.md §2).
 */
const OVERDUE_AFTER_MS = 60_000
const KEPT_ENDED = 256

export interface BookSummary extends Readonly<typeof NOTHING_COUNTED> {
  readonly fromMs: number | null
  readonly toMs: number | null
}

export const NOTHING_READ: BookSummary = { ...NOTHING_COUNTED, fromMs: null, toMs: null }

export type BookReader = ReturnType<typeof createBookReader>

export function createBookReader(options: BookReaderOptions) {
  const book = beginReading(options)
  return {
    /**
     * Takes in a `rules` or `seed` line from before the first entry that is read, or any `seed-open` line; other lines
     * are ignored. The caller has to verify that the line stands in the log.
     */
    learn(index: number, line: string): void {
      const parsed = parseEntry(line)
      if (parsed.is !== 'entry') return
      const { k: kind } = parsed.entry
      const isCommitted = (kind === 'rules' || kind === 'seed') && index < book.first
      if (isCommitted || kind === 'seed-open') read(book, index, parsed.entry)
    },
    take: (index: number, line: string): void => take(book, index, line),
    /** Called after the last entry of a signed tree: checks that this entry is a beat. */
    end(): void {
      const { entries } = book.count
      if (entries > 0 && book.lastKind !== 'beat') say(book, 'last-not-beat', book.first + entries - 1)
    },
    summary: (): BookSummary => ({ ...book.count, fromMs: book.firstBeatAt, toMs: book.beatAt }),
    /** Indexes before the first entry read, to which later entries refer as bets. The caller has to check them. */
    references: book.references as ReadonlySet<number>,
  }
}

function take(book: Reading, index: number, line: string): void {
  book.count.entries++
  const parsed = parseEntry(line)
  if (parsed.is !== 'entry') {
    if (parsed.is === 'malformed') say(book, 'entry-form', index, null, { found: line.slice(0, 200) })
    else book.count.notUnderstood++
    book.lastKind = ''
    return
  }
  book.lastKind = parsed.entry.k
  book.firstAt ??= parsed.entry.at
  read(book, index, parsed.entry)
}

const read = (book: Reading, index: number, entry: Entry): void =>
  (READ[entry.k] as (book: Reading, index: number, entry: Entry) => void)(book, index, entry)

const READ: { readonly [Kind in EntryKind]: (book: Reading, index: number, entry: EntryOf<Kind>) => void } = {
  rules: (book, _index, entry) => void (book.rules = entry),
  seed: commitSeed,
  'seed-open': openSeed,
  round: openRound,
  bet: placeBet,
  announce,
  result: fixResult,
  closed: close,
  beat,
  act,
  dispute,
  restart(book, index) {
    book.isRestarted = true
    if (index !== 0) say(book, 'restart-place', index)
  },
  feed: () => undefined,
}

function runningOf(book: Reading, index: number, entry: EntryOf<keyof typeof AFTER_END>): RunningRound | null {
  const round = book.running.get(entry.round)
  if (round !== undefined) return round
  if (book.ended.has(entry.round)) say(book, AFTER_END[entry.k], index, entry.round)
  else if (mayBeFromBefore(book, entry)) book.count.outside++
  else say(book, 'round-unknown', index, entry.round)
  return null
}

const LONGEST_ROUND_MS = 120_000

const AFTER_END = {
  bet: 'bet-after-result',
  announce: 'announce-order',
  result: 'result-twice',
  closed: 'closed-twice',
} as const

/** Returns whether the `round` entry of an unknown round may stand before the first entry that was read. */
function mayBeFromBefore({ first, firstAt }: Reading, { k, at }: EntryOf<keyof typeof AFTER_END>): boolean {
  if (first === 0) return false
  return k === 'result' || k === 'closed' || firstAt === null || at < firstAt + LONGEST_ROUND_MS
}

function openRound(book: Reading, index: number, entry: EntryOf<'round'>): void {
  book.count.rounds++
  if (book.running.has(entry.round) || book.ended.has(entry.round)) return say(book, 'round-twice', index, entry.round)
  checkOpening({ index, entry, rules: book.rules }).forEach(book.onFault)
  checkAttempt(book, index, entry)
  if (entry.source === SIMULATED)
    for (const day of daysOf(entry))
      if (!book.days.has(day)) say(book, 'round-before-seed', index, entry.round, { expected: day })
  book.running.set(entry.round, {
    index,
    entry,
    rules: book.rules,
    announce: null,
    bets: [],
    deletedAtMs: null,
    result: null,
    closed: null,
    overSince: null,
    isOverdue: false,
  })
}

function checkAttempt(book: Reading, index: number, { round, type, n, attempt }: EntryOf<'round'>): void {
  const key = `${type} ${n}`
  const before = book.windows.get(key)
  if (attempt === 0) {
    const seen = book.firstAttempts.get(type) ?? createStretchSet()
    book.firstAttempts.set(type, seen)
    if (!seen.add(n) || before !== undefined) say(book, 'round-twice', index, round, { found: n })
  } else if (before === undefined) {
    // If the window began before the first entry that was read, the entries of its earlier attempts may not be read.
    if (book.firstAt === null || windowAt(type, n - 1).opensAtMs >= book.firstAt)
      say(book, 'attempt', index, round, { found: attempt })
  } else if (attempt <= before.attempt) say(book, 'round-twice', index, round, { found: attempt })
  else if (attempt > before.attempt + 1 || !before.isDeleted) say(book, 'attempt', index, round, { found: attempt })
  book.windows.delete(key)
  keep(book.windows, key, { attempt, isDeleted: false })
}

function placeBet(book: Reading, index: number, entry: EntryOf<'bet'>): void {
  book.count.bets++
  book.betIndexes.add(index)
  const round = runningOf(book, index, entry)
  if (round === null) return
  if (round.result !== null) say(book, 'bet-after-result', index, entry.round)
  if (round.deletedAtMs !== null) say(book, 'bet-after-delete', index, entry.round)
  const bet = { index, entry, sealedAtMs: null as number | null }
  round.bets.push(bet)
  book.unsealed.push(bet)
}

function announce(book: Reading, index: number, entry: EntryOf<'announce'>): void {
  const round = runningOf(book, index, entry)
  if (round === null) return
  if (round.announce !== null) return say(book, 'announce-twice', index, entry.round)
  if (round.result !== null || round.deletedAtMs !== null) say(book, 'announce-order', index, entry.round)
  round.announce = { index, entry }
  checkAnnouncement(round.entry, round.announce).forEach(book.onFault)
}

function fixResult(book: Reading, index: number, entry: EntryOf<'result'>): void {
  const round = runningOf(book, index, entry)
  if (round === null) return
  if (round.result !== null) return say(book, 'result-twice', index, entry.round)
  round.result = { index, entry }
  const isSimulated = round.entry.source === SIMULATED
  if (isSimulated ? entry.ages !== null : entry.ages?.length !== entry.ticks.length) return
  const from = round.entry.opens / 1000
  for (const [at, price] of entry.ticks.entries())
    notePrice(book, index, entry.round, [round.entry.source, from + at, price, entry.ages?.[at] ?? null])
}

function notePrice(book: Reading, index: number, round: string | null, [source, second, price, age]: BeatTick): void {
  const known = book.prices.note(source, second, price, age)
  if (known === null) return
  if (known.price !== price) say(book, 'two-prices', index, round, { expected: known.price, found: price })
  else if (known.age !== age) say(book, 'two-ages', index, round, { expected: known.age, found: age })
}

function close(book: Reading, index: number, entry: EntryOf<'closed'>): void {
  const round = runningOf(book, index, entry)
  if (round === null) return
  round.closed = { index, entry }
  book.count.closed++
  if (entry.deleted) {
    book.count.deleted++
    const window = book.windows.get(`${round.entry.type} ${round.entry.n}`)
    if (window?.attempt === round.entry.attempt) window.isDeleted = true
  }
  book.running.delete(entry.round)
  keep(book.ended, entry.round, true)
  checkClosing(book.sha256, round).forEach(book.onFault)
  const isAsked = book.only === undefined || book.only === entry.round
  if (isAsked && round.entry.source === SIMULATED && round.result !== null) checkPath(book, round, round.result)
  book.onClosed(round)
}

function beat(book: Reading, index: number, entry: EntryOf<'beat'>): void {
  if (book.beatAt !== null && entry.at < book.beatAt)
    say(book, 'beat-falls', index, null, { expected: book.beatAt, found: entry.at })
  book.goneOn += book.beatAt === null ? 0 : Math.min(BEAT_EVERY_MS, Math.max(0, entry.at - book.beatAt))
  book.beatAt = Math.max(book.beatAt ?? 0, entry.at)
  book.firstBeatAt ??= entry.at
  for (const bet of book.unsealed) bet.sealedAtMs = entry.at
  book.unsealed = []
  for (const tick of entry.ticks) notePrice(book, index, null, tick)
  for (const round of book.running.values())
    if (book.beatAt >= round.entry.closes && hasBecomeOverdue(book, round, OVERDUE_AFTER_MS))
      say(book, 'overdue', round.index, round.entry.round, { expected: round.entry.closes })
  checkSeedsOverdue(book, index, book.beatAt)
}

function keep<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.set(key, value)
  if (map.size > KEPT_ENDED) map.delete(map.keys().next().value ?? key)
}

/** The lifetime of a proposal, and a minute more in which its confirmation is written (docs/open-book.md §2). */
const PROPOSAL_AFTER_MS = PROPOSAL_LIFETIME_MS + 60_000

function act(book: Reading, index: number, entry: EntryOf<'act'>): void {
  const { act: name, round, bet, amount, at } = entry
  const isAboutRound = name === 'round.delete' || name === 'round.force-create'
  const isAboutMoney = name === 'balance.adjust' || name.startsWith('money.')
  if ((isAboutRound && round === null) || (isAboutMoney && amount === null))
    say(book, 'act-form', index, round, { found: name })
  checkFourEyes(book, index, entry)
  if (bet !== null) checkReference(book, index, bet)
  const named = round === null ? undefined : book.running.get(round)
  // A deletion after the result only hides an ended round from staff's lists, so it changes nothing for the check.
  if (name !== 'round.delete' || named === undefined || named.result !== null) return
  named.deletedAtMs ??= at
  const window = book.windows.get(`${named.entry.type} ${named.entry.n}`)
  if (window?.attempt === named.entry.attempt && at <= named.entry.closes - STAFF_ACT_MIN_LEFT_MS)
    window.isDeleted = true
}

/**
 * Reports a confirmation without an actor, or without a recent proposal of its amount by another actor (rules §3.10).
 */
function checkFourEyes(book: Reading, index: number, { act: name, actor, amount, at }: EntryOf<'act'>): void {
  if (name !== 'money.propose' && name !== 'money.confirm') return
  const oldest = at - PROPOSAL_AFTER_MS
  while ((book.proposals[0]?.at ?? at) < oldest) book.proposals.shift()
  if (name === 'money.propose') {
    book.proposals.push({ actor, amount, at })
    return
  }
  if (actor !== null && book.proposals.some((one) => one.amount === amount && one.actor !== actor)) return
  // A proposal may stand before the part that is read, or in the log before this one. Then its absence is no fault.
  const isFromBefore = (book.first > 0 || book.isRestarted) && (book.firstAt === null || book.firstAt > oldest)
  if (!isFromBefore || actor === null) say(book, 'four-eyes', index, null, { found: name })
}

function checkReference(book: Reading, index: number, bet: number): void {
  if (bet >= index || (bet >= book.first && !book.betIndexes.has(bet)))
    say(book, 'bet-reference', index, null, { found: bet })
  else if (bet < book.first) book.references.add(bet)
}

function dispute(book: Reading, index: number, { bet, state }: EntryOf<'dispute'>): void {
  checkReference(book, index, bet)
  const isOpen = book.disputed.has(bet)
  if (state === 'opened') {
    if (isOpen) say(book, 'dispute-order', index, null, { found: state })
    book.disputed.add(bet)
    return
  }
  // The dispute may have been opened before the part that is read, but not in an older log: after the end of the log in
  // which a dispute was opened, its answer gets no entry (rules §9.3).
  if (!isOpen && book.first === 0) say(book, 'dispute-order', index, null, { found: state })
  book.disputed.delete(bet)
}
