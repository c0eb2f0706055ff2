import { PROPOSAL_LIFETIME_MS } from '../four-eyes/proposal.ts'
import { STAFF_ACT_MIN_LEFT_MS } from '../game/calendar.ts'
import type { EntryOf } from './entry.ts'
import { type Reading, say } from './reading.ts'

/** The lifetime of a proposal, and a minute more in which its confirmation is written (docs/open-book.md §2). */
const PROPOSAL_AFTER_MS = PROPOSAL_LIFETIME_MS + 60_000

export function act(book: Reading, index: number, entry: EntryOf<'act'>): void {
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

export function dispute(book: Reading, index: number, { bet, state }: EntryOf<'dispute'>): void {
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
