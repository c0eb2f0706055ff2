import { PROPOSAL_LIFETIME_MS } from '../four-eyes/proposal.ts'
import { STAFF_ACT_MIN_LEFT_MS, windowAt } from '../game/calendar.ts'
import { DAY_SECONDS, lastSimulatedPrice, simulatedPrices } from '../market/simulated-path.ts'
import { SIMULATED } from '../market/sources.ts'
import { fromBase64, type Sha256, toBase64 } from './bytes.ts'
import type { Entry, EntryFields, EntryOf } from './entry.ts'
import type { Fault, FaultKind } from './faults.ts'
import { createKnownPrices } from './known-prices.ts'
import { createBitSet, createStretchSet, type StretchSet } from './number-sets.ts'
import { parseEntry } from './parse-entry.ts'
import { checkAnnouncement, checkClosing, checkOpening, type LoggedRound, type Placed } from './round-check.ts'
import { DAY_MS, daysOf, pathHash } from './seed-path.ts'

/*
 * Reads the entries of one log in their order and says what is wrong with them (docs/open-book.md §2). It keeps what the
 * running rounds need, the simulated prices of days whose seed is not opened, and a few bits for each entry.
 *
 * It may begin inside a log. What belongs to rounds from before is then left out, and what these rounds stand on, the
 * rules and the seeds, is given by `learn`.
 */

/** Beats come at least this often (docs/open-book.md §1). A longer gap is a time in which nothing was sealed, and counts as this much. */
const BEAT_EVERY_MS = 10_000
/** So long may the log go on after a round's end before its `closed` is overdue (docs/open-book.md §2). */
const OVERDUE_AFTER_MS = 60_000
const SEED_OPENS_AFTER_MS = 600_000
/** So long may the log go on after the time at which a seed is opened. */
const SEED_OVERDUE_AFTER_MS = 600_000
/** How long a proposal waits for its second person (rules §3.10), and a minute for the writing of it. */
const PROPOSAL_AFTER_MS = PROPOSAL_LIFETIME_MS + 60_000
/** Rounds remembered after their end, and windows remembered for their next attempt. */
const KEPT_ENDED = 256

export interface BookReaderOptions {
  readonly sha256: Sha256
  /** Index of the first entry that `take` gets; 0 for the whole log. */
  readonly first: number
  /** Simulated prices of this round alone are computed again; by default those of all. */
  readonly only?: string
  readonly onFault: (fault: Fault) => void
  /** A round is closed: all of it is known but its lines. */
  readonly onClosed: (round: LoggedRound) => void
}

/** What was read so far. */
export interface BookSummary {
  readonly entries: number
  /** Entries of a kind or version that this reader does not know. */
  readonly notUnderstood: number
  readonly rounds: number
  readonly closed: number
  readonly deleted: number
  readonly bets: number
  /** Closed rounds whose simulated prices wait for their day's seed. */
  readonly pending: number
  /** Rounds whose simulated prices were computed again. */
  readonly onPath: number
  /** Entries of rounds that began before the first entry that was read. */
  readonly outside: number
  /** Time of the first and of the newest beat, Unix ms. */
  readonly fromMs: number | null
  readonly toMs: number | null
}

export interface BookReader {
  /** Tells rules or a seed from before the first entry, or a seed that is opened after the last. What it says has to be proven to stand in the log; other entries are passed over. */
  learn(index: number, line: string): void
  /** Reads the next entry. */
  take(index: number, line: string): void
  /** After the last entry of a signed tree: each of them ends with a beat. */
  end(): void
  summary(): BookSummary
  /** Indexes before `first` that entries name as bets: to be read and proven by whoever has the log. */
  readonly references: ReadonlySet<number>
}

interface RunningRound extends LoggedRound {
  announce: Placed<EntryOf<'announce'>> | null
  readonly bets: { index: number; entry: EntryOf<'bet'>; sealedAtMs: number | null }[]
  deletedAtMs: number | null
  result: Placed<EntryOf<'result'>> | null
  closed: Placed<EntryOf<'closed'>> | null
  /** How long the log had gone on when the round was over; null before. */
  overSince: number | null
  isOverdue: boolean
}

/** The newest attempt at a window. */
interface Attempt {
  readonly attempt: number
  isDeleted: boolean
}

interface Day {
  readonly commitment: string
  opened: { readonly seed: Uint8Array; readonly startPrice: number } | null
  overSince: number | null
  isOverdue: boolean
}

interface PendingPath {
  readonly round: string
  readonly index: number
  readonly from: number
  readonly ticks: Int32Array
}

export function createBookReader({ sha256, first, only, onFault, onClosed }: BookReaderOptions): BookReader {
  const running = new Map<string, RunningRound>()
  const ended = new Map<string, true>()
  const windows = new Map<string, Attempt>()
  const firstAttempts = new Map<string, StretchSet>()
  const days = new Map<number, Day>()
  const unopened = new Map<number, Day>()
  const pending = new Map<number, PendingPath[]>()
  const prices = createKnownPrices()
  const betIndexes = createBitSet()
  const references = new Set<number>()
  const disputed = new Set<number>()
  /** Proposals of the last 24 hours, in log order. */
  const proposals: { readonly actor: string | null; readonly amount: number | null; readonly at: number }[] = []
  let isRestarted = false
  let rules: EntryFields['rules'] | null = null
  let unsealed: { sealedAtMs: number | null }[] = []
  let [firstAt, firstBeatAt, beatAt, lastKind] = [
    null as number | null,
    null as number | null,
    null as number | null,
    '',
  ]
  /** How long the log has gone on, in ms: without the times in which nothing was sealed. */
  let goneOn = 0
  const count = {
    entries: 0,
    notUnderstood: 0,
    rounds: 0,
    closed: 0,
    deleted: 0,
    bets: 0,
    pending: 0,
    onPath: 0,
    outside: 0,
  }

  const say = (
    kind: FaultKind,
    index: number | null,
    round: string | null = null,
    told: Pick<Fault, 'expected' | 'found'> = {},
  ) => onFault({ kind, index, round, ...told })

  function take(index: number, line: string): void {
    count.entries++
    const parsed = parseEntry(line)
    if (parsed.is !== 'entry') {
      if (parsed.is === 'malformed') say('entry-form', index, null, { found: line.slice(0, 200) })
      else count.notUnderstood++
      lastKind = ''
      return
    }
    const { entry } = parsed
    lastKind = entry.k
    firstAt ??= entry.at
    read(index, entry)
  }

  function read(index: number, entry: Entry): void {
    switch (entry.k) {
      case 'rules':
        rules = entry
        return
      case 'seed':
        if (days.has(entry.day)) say('seed-twice', index, null, { found: entry.day })
        else commitSeed(entry)
        return
      case 'seed-open':
        return openSeed(index, entry)
      case 'round':
        return openRound(index, entry)
      case 'bet':
        return placeBet(index, entry)
      case 'announce':
        return announce(index, entry)
      case 'result':
        return fixResult(index, entry)
      case 'closed':
        return close(index, entry)
      case 'beat':
        return beat(index, entry)
      case 'act':
        return act(index, entry)
      case 'dispute':
        return dispute(index, entry)
      case 'restart':
        isRestarted = true
        if (index !== 0) say('restart-place', index)
        return
      case 'feed':
    }
  }

  function commitSeed({ day, commitment }: EntryOf<'seed'>): void {
    const known: Day = { commitment, opened: null, overSince: null, isOverdue: false }
    days.set(day, known)
    unopened.set(day, known)
  }

  /** The running round that an entry names; says what is wrong when there is none. */
  function runningOf(index: number, entry: EntryOf<'bet' | 'announce' | 'result' | 'closed'>): RunningRound | null {
    const round = running.get(entry.round)
    if (round !== undefined) return round
    if (ended.has(entry.round)) say(AFTER_END[entry.k], index, entry.round)
    else if (mayBeFromBefore(entry)) count.outside++
    else say('round-unknown', index, entry.round)
    return null
  }

  /**
   * Whether a round that is not known can have begun before the first entry that was read. In a whole log none can: an
   * installation enters only rounds that began after its log, with everything about them.
   */
  function mayBeFromBefore(entry: EntryOf<'bet' | 'announce' | 'result' | 'closed'>): boolean {
    if (first === 0) return false
    // No round is longer than two minutes; results and ends can be late by a downtime.
    return entry.k === 'result' || entry.k === 'closed' || firstAt === null || entry.at < firstAt + LONGEST_ROUND_MS
  }

  function openRound(index: number, entry: EntryOf<'round'>): void {
    count.rounds++
    if (running.has(entry.round) || ended.has(entry.round)) return say('round-twice', index, entry.round)
    const faults = checkOpening({ index, entry, rules })
    faults.forEach(onFault)
    checkAttempt(index, entry)
    if (entry.source === SIMULATED)
      for (const day of daysOf(entry))
        if (!days.has(day)) say('round-before-seed', index, entry.round, { expected: day })
    running.set(entry.round, {
      index,
      entry,
      rules,
      announce: null,
      bets: [],
      deletedAtMs: null,
      result: null,
      closed: null,
      overSince: null,
      isOverdue: false,
    })
  }

  function checkAttempt(index: number, { round, type, n, attempt }: EntryOf<'round'>): void {
    const key = `${type} ${n}`
    const before = windows.get(key)
    if (attempt === 0) {
      const seen = firstAttempts.get(type) ?? createStretchSet()
      firstAttempts.set(type, seen)
      if (!seen.add(n) || before !== undefined) say('round-twice', index, round, { found: n })
    } else if (before === undefined) {
      // A window that began before the log, or before the part that is read: its first attempt stands elsewhere.
      if (firstAt === null || windowAt(type, n - 1).opensAtMs >= firstAt)
        say('attempt', index, round, { found: attempt })
    } else if (attempt <= before.attempt) say('round-twice', index, round, { found: attempt })
    else if (attempt > before.attempt + 1 || !before.isDeleted) say('attempt', index, round, { found: attempt })
    windows.delete(key)
    keep(windows, key, { attempt, isDeleted: false })
  }

  function placeBet(index: number, entry: EntryOf<'bet'>): void {
    count.bets++
    betIndexes.add(index)
    const round = runningOf(index, entry)
    if (round === null) return
    if (round.result !== null) say('bet-after-result', index, entry.round)
    if (round.deletedAtMs !== null) say('bet-after-delete', index, entry.round)
    const bet = { index, entry, sealedAtMs: null as number | null }
    round.bets.push(bet)
    unsealed.push(bet)
  }

  function announce(index: number, entry: EntryOf<'announce'>): void {
    const round = runningOf(index, entry)
    if (round === null) return
    if (round.announce !== null) return say('announce-twice', index, entry.round)
    if (round.result !== null || round.deletedAtMs !== null) say('announce-order', index, entry.round)
    round.announce = { index, entry }
    checkAnnouncement(round.entry, round.announce).forEach(onFault)
  }

  function fixResult(index: number, entry: EntryOf<'result'>): void {
    const round = runningOf(index, entry)
    if (round === null) return
    if (round.result !== null) return say('result-twice', index, entry.round)
    round.result = { index, entry }
    // Ages in another form than the prices have are named when the round is closed.
    const isSimulated = round.entry.source === SIMULATED
    if (isSimulated ? entry.ages !== null : entry.ages?.length !== entry.ticks.length) return
    const from = round.entry.opens / 1000
    for (const [at, price] of entry.ticks.entries())
      notePrice(index, entry.round, round.entry.source, from + at, price, entry.ages?.[at] ?? null)
  }

  function notePrice(
    index: number,
    round: string | null,
    source: string,
    second: number,
    price: number | null,
    age: number | null,
  ): void {
    const known = prices.note(source, second, price, age)
    if (known === null) return
    if (known.price !== price) say('two-prices', index, round, { expected: known.price, found: price })
    else if (known.age !== age) say('two-ages', index, round, { expected: known.age, found: age })
  }

  function close(index: number, entry: EntryOf<'closed'>): void {
    const round = runningOf(index, entry)
    if (round === null) return
    round.closed = { index, entry }
    count.closed++
    if (entry.deleted) {
      count.deleted++
      const window = windows.get(`${round.entry.type} ${round.entry.n}`)
      if (window?.attempt === round.entry.attempt) window.isDeleted = true
    }
    running.delete(entry.round)
    keep(ended, entry.round, true)
    checkClosing(sha256, round).forEach(onFault)
    const isAsked = only === undefined || only === entry.round
    if (isAsked && round.entry.source === SIMULATED && round.result !== null) checkPath(round, round.result)
    onClosed(round)
  }

  function checkPath({ entry }: RunningRound, result: Placed<EntryOf<'result'>>): void {
    const from = entry.opens / 1000
    const path: PendingPath = {
      round: entry.round,
      index: result.index,
      from,
      ticks: Int32Array.from(result.entry.ticks, (price) => price ?? 0),
    }
    count.pending++
    const waitsFor = daysOf(entry).find((day) => days.get(day)?.opened == null)
    if (waitsFor === undefined) comparePaths([path])
    else pending.set(waitsFor, [...(pending.get(waitsFor) ?? []), path])
  }

  /** Compares rounds whose days' seeds are all open, or waits for the next of their days. */
  function comparePaths(paths: readonly PendingPath[]): void {
    const wanted = new Map<number, { from: number; to: number }>()
    const ready = paths.filter((path) => {
      const span = daysOf({ opens: path.from * 1000, closes: (path.from + path.ticks.length - 1) * 1000 })
      const waitsFor = span.find((day) => days.get(day)?.opened == null)
      if (waitsFor !== undefined) {
        pending.set(waitsFor, [...(pending.get(waitsFor) ?? []), path])
        return false
      }
      for (const day of span) {
        const known = wanted.get(day) ?? { from: DAY_SECONDS, to: 0 }
        wanted.set(day, {
          from: Math.min(known.from, Math.max(0, path.from - day * DAY_SECONDS)),
          to: Math.max(known.to, Math.min(DAY_SECONDS, path.from + path.ticks.length - day * DAY_SECONDS)),
        })
      }
      return true
    })
    const computed = new Map<number, { from: number; prices: Int32Array }>()
    for (const [day, { from, to }] of wanted) {
      const opened = days.get(day)?.opened
      if (opened != null)
        computed.set(day, { from, prices: simulatedPrices(pathHash(sha256, opened.seed), opened.startPrice, from, to) })
    }
    for (const path of ready) {
      count.pending--
      count.onPath++
      const at = path.ticks.findIndex((price, offset) => price !== 0 && price !== priceAt(computed, path.from + offset))
      if (at >= 0)
        say('tick-off-path', path.index, path.round, {
          expected: priceAt(computed, path.from + at) ?? null,
          found: path.ticks[at] ?? null,
        })
    }
  }

  function openSeed(index: number, { day, seed, startPrice, at }: EntryOf<'seed-open'>): void {
    const known = days.get(day)
    if (known === undefined) {
      // Of a day that was over before the part that is read, nothing that was read needs the seed.
      if (first === 0 || (firstAt !== null && (day + 1) * DAY_MS > firstAt))
        say('seed-unknown', index, null, { found: day })
      return
    }
    if (known.opened !== null) return say('seed-twice', index, null, { found: day })
    if (at < (day + 1) * DAY_MS) say('seed-early', index, null, { expected: (day + 1) * DAY_MS, found: at })
    const bytes = fromBase64(seed) ?? new Uint8Array()
    const commitment = toBase64(sha256(bytes))
    if (commitment !== known.commitment)
      say('seed-commitment', index, null, { expected: known.commitment, found: commitment })
    known.opened = { seed: bytes, startPrice }
    unopened.delete(day)
    const before = days.get(day - 1)?.opened
    if (before != null) {
      const start = lastSimulatedPrice(pathHash(sha256, before.seed), before.startPrice)
      if (start !== startPrice) say('seed-start', index, null, { expected: start, found: startPrice })
    }
    const waiting = pending.get(day) ?? []
    pending.delete(day)
    if (waiting.length > 0) comparePaths(waiting)
  }

  function beat(index: number, entry: EntryOf<'beat'>): void {
    if (beatAt !== null && entry.at < beatAt) say('beat-falls', index, null, { expected: beatAt, found: entry.at })
    goneOn += beatAt === null ? 0 : Math.min(BEAT_EVERY_MS, Math.max(0, entry.at - beatAt))
    beatAt = Math.max(beatAt ?? 0, entry.at)
    firstBeatAt ??= entry.at
    for (const bet of unsealed) bet.sealedAtMs = entry.at
    unsealed = []
    for (const [source, second, price, age] of entry.ticks) notePrice(index, null, source, second, price, age)
    for (const round of running.values()) checkOverdue(round, beatAt)
    for (const [day, known] of unopened) checkSeedOverdue(index, day, known, beatAt)
  }

  function checkOverdue(round: RunningRound, nowMs: number): void {
    if (round.isOverdue || nowMs < round.entry.closes) return
    round.overSince ??= goneOn
    if (goneOn - round.overSince <= OVERDUE_AFTER_MS) return
    round.isOverdue = true
    say('overdue', round.index, round.entry.round, { expected: round.entry.closes })
  }

  function checkSeedOverdue(index: number, day: number, known: Day, nowMs: number): void {
    const dueAt = (day + 1) * DAY_MS + SEED_OPENS_AFTER_MS
    // A seed that was due before the part that is read may have been opened there.
    if (known.isOverdue || nowMs < dueAt || (first > 0 && dueAt <= (firstBeatAt ?? 0))) return
    known.overSince ??= goneOn
    if (goneOn - known.overSince <= SEED_OVERDUE_AFTER_MS) return
    known.isOverdue = true
    say('seed-overdue', index, null, { expected: day })
  }

  function act(index: number, entry: EntryOf<'act'>): void {
    const { act: name, round, bet, amount, at } = entry
    const isAboutRound = name === 'round.delete' || name === 'round.force-create'
    const isAboutMoney = name === 'balance.adjust' || name.startsWith('money.')
    if ((isAboutRound && round === null) || (isAboutMoney && amount === null))
      say('act-form', index, round, { found: name })
    checkFourEyes(index, entry)
    if (bet !== null) checkReference(index, bet)
    const named = round === null ? undefined : running.get(round)
    // What follows the result hides an ended round from staff's lists, and changes nothing here.
    if (name !== 'round.delete' || named === undefined || named.result !== null) return
    named.deletedAtMs ??= at
    const window = windows.get(`${named.entry.type} ${named.entry.n}`)
    if (window?.attempt === named.entry.attempt && at <= named.entry.closes - STAFF_ACT_MIN_LEFT_MS)
      window.isDeleted = true
  }

  /** Nobody confirms what they proposed themselves, or what nobody proposed (rules §3.10). */
  function checkFourEyes(index: number, { act: name, actor, amount, at }: EntryOf<'act'>): void {
    if (name !== 'money.propose' && name !== 'money.confirm') return
    const oldest = at - PROPOSAL_AFTER_MS
    while ((proposals[0]?.at ?? at) < oldest) proposals.shift()
    if (name === 'money.propose') {
      proposals.push({ actor, amount, at })
      return
    }
    if (actor !== null && proposals.some((one) => one.amount === amount && one.actor !== actor)) return
    // It may have been proposed before the part that is read, or in the log before this one.
    const isFromBefore = (first > 0 || isRestarted) && (firstAt === null || firstAt > oldest)
    if (!isFromBefore || actor === null) say('four-eyes', index, null, { found: name })
  }

  function checkReference(index: number, bet: number): void {
    if (bet >= index || (bet >= first && !betIndexes.has(bet))) say('bet-reference', index, null, { found: bet })
    else if (bet < first) references.add(bet)
  }

  function dispute(index: number, { bet, state }: EntryOf<'dispute'>): void {
    checkReference(index, bet)
    const isOpen = disputed.has(bet)
    if (state === 'opened') {
      if (isOpen) say('dispute-order', index, null, { found: state })
      disputed.add(bet)
      return
    }
    // It may have been opened before the part that is read. What one log opens, no later one decides.
    if (!isOpen && first === 0) say('dispute-order', index, null, { found: state })
    disputed.delete(bet)
  }

  return {
    learn(index, line) {
      const parsed = parseEntry(line)
      if (parsed.is !== 'entry') return
      const { k: kind } = parsed.entry
      const isCommitted = (kind === 'rules' || kind === 'seed') && index < first
      if (isCommitted || kind === 'seed-open') read(index, parsed.entry)
    },
    take,
    end() {
      if (count.entries > 0 && lastKind !== 'beat') say('last-not-beat', first + count.entries - 1)
    },
    summary: () => ({ ...count, fromMs: firstBeatAt, toMs: beatAt }),
    references,
  }
}

const LONGEST_ROUND_MS = 120_000

const AFTER_END = {
  bet: 'bet-after-result',
  announce: 'announce-order',
  result: 'result-twice',
  closed: 'closed-twice',
} as const

/** Sets a value and forgets the oldest beyond a number. */
function keep<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.set(key, value)
  if (map.size > KEPT_ENDED) map.delete(map.keys().next().value ?? key)
}

function priceAt(
  computed: ReadonlyMap<number, { readonly from: number; readonly prices: Int32Array }>,
  second: number,
): number | undefined {
  const day = Math.floor(second / DAY_SECONDS)
  const part = computed.get(day)
  return part?.prices[second - day * DAY_SECONDS - part.from]
}
