import { STAFF_ACT_MIN_LEFT_MS, windowAt } from '../game/calendar.ts'
import { checkStake } from '../game/bet.ts'
import { decideSettlement, resultByPrice, type SettlingRound, type TickPrice } from '../game/settle.ts'
import { SIMULATED } from '../market/sources.ts'
import { concatBytes, fromBase64, type Sha256, toBase64, toUtf8 } from './bytes.ts'
import type { EntryFields, EntryOf } from './entry.ts'
import type { Fault, FaultKind } from './faults.ts'
import { leafHash, rootOf } from './merkle.ts'
import { commitmentOf, encodeOpening, SALT_BYTES } from './opening.ts'
import { countRound, type RateCounts } from './rate-counts.ts'
import { parseSettledLine, type SettledLine } from './settled-line.ts'
import { fromBookDirection, toBookDirection } from './spelling.ts'

/*
 * Computes one round again from its entries in the log and its settled lines, by the rules that settled the round
 * (docs/open-book.md §2 to §4).
 */

export interface Placed<Value> {
  readonly index: number
  readonly entry: Value
}

export interface SealedBet extends Placed<EntryOf<'bet'>> {
  readonly sealedAtMs: number | null
}

export interface LoggedRound extends Placed<EntryOf<'round'>> {
  readonly rules: EntryFields['rules'] | null
  readonly announce: Placed<EntryOf<'announce'>> | null
  readonly bets: readonly SealedBet[]
  readonly deletedAtMs: number | null
  readonly result: Placed<EntryOf<'result'>> | null
  readonly closed: Placed<EntryOf<'closed'>> | null
}

type Told = Fault['expected']
type Say = (kind: FaultKind, index: number | null, expected?: Told, found?: Told) => void

const sayInto =
  (faults: Fault[], round: string): Say =>
  (kind, index, expected, found) => {
    faults.push({ kind, index, round, expected, found })
  }

/** Returns the faults that a `round` entry shows by itself: in its window, in its times, and by the rules in force. */
export function checkOpening({ index, entry, rules }: Pick<LoggedRound, 'index' | 'entry' | 'rules'>): Fault[] {
  const faults: Fault[] = []
  const say = sayInto(faults, entry.round)
  const window = windowAt(entry.type, entry.n - 1)
  const isInside =
    entry.attempt === 0
      ? entry.opens === window.opensAtMs
      : entry.opens % 1000 === 0 && entry.opens >= window.opensAtMs && entry.opens < window.closesAtMs
  if (!isInside) say('off-calendar', index, window.opensAtMs, entry.opens)
  if (entry.closes !== window.closesAtMs) say('off-calendar', index, window.closesAtMs, entry.closes)
  if (rules === null) say('rules-missing', index)
  else {
    const locks = entry.closes - rules.lockMs[entry.source === SIMULATED ? 'simulated' : 'live']
    if (entry.locks !== locks) say('off-calendar', index, locks, entry.locks)
  }
  if (entry.at < entry.opens || entry.at >= entry.closes) say('round-time', index, entry.opens, entry.at)
  return faults
}

/** Returns the faults of an `announce` entry: the round must be running, with at least 10 s left (rules §1.2). */
export function checkAnnouncement(round: EntryOf<'round'>, { index, entry }: Placed<EntryOf<'announce'>>): Fault[] {
  const faults: Fault[] = []
  const latest = round.closes - STAFF_ACT_MIN_LEFT_MS
  if (entry.at > latest || entry.at < round.opens)
    sayInto(faults, round.round)('announce-late', index, latest, entry.at)
  return faults
}

export function checkClosing(sha256: Sha256, round: LoggedRound): Fault[] {
  const faults: Fault[] = []
  const say = sayInto(faults, round.entry.round)
  const { entry, closed, result } = round
  if (closed === null) return faults
  if (!closed.entry.deleted && closed.entry.at < entry.closes)
    say('closed-early', closed.index, entry.closes, closed.entry.at)
  checkDeletion(round, say)
  checkOpenedAnnouncement(sha256, round, say)
  if (result !== null) checkResult(round, result, say)
  else if (!closed.entry.deleted) say('result-missing', closed.index)
  return faults
}

function checkDeletion({ entry, closed, result, deletedAtMs }: LoggedRound, say: Say): void {
  if (closed === null) return
  if (!closed.entry.deleted) {
    if (deletedAtMs !== null) say('deleted-ignored', closed.index, 'deleted', 'settled')
    return
  }
  if (result !== null) say('result-of-deleted', result.index)
  const latest = entry.closes - STAFF_ACT_MIN_LEFT_MS
  if (deletedAtMs === null || deletedAtMs > latest) say('deleted-unsaid', closed.index, latest, deletedAtMs)
}

function checkOpenedAnnouncement(sha256: Sha256, { announce, closed }: LoggedRound, say: Say): void {
  if (closed === null) return
  const opened = closed.entry.announce
  if (announce === null || opened === null) {
    // The announcement of a deleted round need not be opened, because it decides nothing.
    if ((announce === null) !== (opened === null) && !(opened === null && closed.entry.deleted))
      say('announce-opening', closed.index, announce?.entry.c ?? null, opened?.direction ?? null)
    return
  }
  const hash = toBase64(sha256(concatBytes(toUtf8(opened.direction), fromBase64(opened.nonce) ?? new Uint8Array())))
  if (hash !== announce.entry.c) say('announce-opening', closed.index, announce.entry.c, hash)
}

function checkResult(
  { entry, announce, closed }: LoggedRound,
  { index, entry: result }: Placed<EntryOf<'result'>>,
  say: Say,
): void {
  if (result.at < entry.closes) say('closed-early', index, entry.closes, result.at)
  const seconds = (entry.closes - entry.opens) / 1000 + 1
  const { ticks, ages } = result
  const isSimulated = entry.source === SIMULATED
  if (ticks.length !== seconds) say('ticks-form', index, seconds, ticks.length)
  if ((ages === null) !== isSimulated || (ages !== null && ages.length !== ticks.length))
    say('ticks-form', index, isSimulated ? null : ticks.length, ages?.length ?? null)
  else if (ages?.some((age, at) => (age === null) !== (ticks[at] === null)) === true) say('ticks-form', index)
  const missing = isSimulated ? ticks.indexOf(null) : -1
  if (missing >= 0) say('tick-missing', index, entry.opens / 1000 + missing, null)
  const by = announce === null ? 'PRICE' : 'ADMIN'
  if (result.by !== by) say('result-by', index, by, result.by)
  const byPrice = resultByPrice(ticks.at(0) ?? null, ticks.at(-1) ?? null)
  const direction =
    announce !== null ? (closed?.entry.announce?.direction ?? result.result) : byPrice && toBookDirection(byPrice)
  if (result.result !== direction) say('result', index, direction, result.result)
}

export function checkLines(
  sha256: Sha256,
  round: LoggedRound,
  lines: readonly string[],
): { readonly faults: readonly Fault[]; readonly counts: RateCounts } {
  const faults: Fault[] = []
  const say = sayInto(faults, round.entry.round)
  const { closed } = round
  const counter = countRound(round.entry.closes, round.result?.entry ?? null)
  if (closed === null) return { faults, counts: counter.counts() }
  const hashes = lines.map((line) => leafHash(sha256, toUtf8(line)))
  const root = toBase64(rootOf(sha256, hashes))
  if (closed.entry.root !== root) say('lines-root', closed.index, closed.entry.root, root)

  const settle = settlingOf(round)
  const ids = new Set<string>()
  const totals = { bets: 0, won: 0, lost: 0, voided: 0, staked: 0, profit: 0 }
  const used = new Set<number>([closed.entry.deleted ? -1 : round.entry.opens / 1000, round.entry.closes / 1000])
  const bets = new Map(round.bets.map((bet) => [bet.index, bet]))
  let before = -1
  for (const text of lines) {
    const line = parseSettledLine(text)
    if (line === null) {
      say('line-form', closed.index)
      continue
    }
    const bet = bets.get(line.i)
    if (bet === undefined || line.i <= before) say('line-extra', line.i)
    bets.delete(line.i)
    before = line.i
    if (ids.has(line.id)) say('bet-id-twice', line.i)
    ids.add(line.id)
    if (bet !== undefined) checkLine(sha256, round, bet, line, settle, say)
    totals.bets++
    totals[line.status === 'WIN' ? 'won' : line.status === 'LOSE' ? 'lost' : 'voided']++
    if (line.basis === 'PRICE') {
      totals.staked += line.stake
      totals.profit += line.profit
    }
    if (line.entrySecond !== null) used.add(line.entrySecond)
    counter.addLine(line, bet?.sealedAtMs ?? line.at)
  }
  for (const index of bets.keys()) say('line-missing', index)
  for (const name of ['bets', 'won', 'lost', 'voided', 'staked', 'profit'] as const)
    if (closed.entry[name] !== totals[name]) say('totals', closed.index, totals[name], closed.entry[name])
  checkEvidence(round, closed, used, say)
  return { faults, counts: counter.counts() }
}

/**
 * Checks the evidence: hashes of the signed bytes that gave seconds of a live round their prices. Reports evidence of a
 * simulated round, evidence out of order, and evidence of a second that has no price or decided nothing.
 */
function checkEvidence(
  { entry, result }: LoggedRound,
  { index, entry: closed }: Placed<EntryOf<'closed'>>,
  used: ReadonlySet<number>,
  say: Say,
): void {
  let before = -1
  for (const [second] of closed.evidence) {
    const isPriced = closed.deleted || (result?.entry.ticks[second - entry.opens / 1000] ?? null) !== null
    if (entry.source === SIMULATED || second <= before || !isPriced || (!closed.deleted && !used.has(second)))
      say('evidence', index, null, second)
    before = second
  }
}

type Settle = (line: SettledLine) => Pick<SettledLine, 'status' | 'why' | 'entrySecond' | 'entry' | 'exit' | 'profit'>

function settlingOf({ entry, rules, closed, result }: LoggedRound): Settle {
  const from = entry.opens / 1000
  const ticks = result?.entry.ticks ?? []
  const ages = result?.entry.ages ?? null
  const tickAt = (second: number): TickPrice | null => {
    const price = ticks[second - from] ?? null
    if (price === null) return null
    return { second, price, quoteAtMs: second * 1000 - (ages?.[second - from] ?? 0) }
  }
  const opened = closed?.entry.announce ?? null
  const settling: SettlingRound = {
    type: entry.type,
    closesAtMs: entry.closes,
    staffDirection: opened === null ? null : fromBookDirection(opened.direction),
    isDeleted: closed?.entry.deleted ?? false,
  }
  const rate = rules?.rates[entry.type] ?? 0
  return (line) => {
    const outcome = decideSettlement(
      settling,
      {
        direction: fromBookDirection(line.direction),
        stakeMinor: BigInt(line.stake),
        basis: line.basis,
        // A bet is only accepted if its player saw how it would be decided, so `seenBasis` equals `basis` here.
        seenBasis: line.basis,
        scriptedOutcome: line.script === null ? null : line.script === 'WIN' ? 'win' : 'lose',
        acceptedAtMs: line.at,
      },
      tickAt,
    )
    const sign = outcome.status === 'won' ? 1 : outcome.status === 'lost' ? -1 : 0
    return {
      status: outcome.status === 'won' ? 'WIN' : outcome.status === 'lost' ? 'LOSE' : 'VOID',
      why: outcome.voidReason,
      entrySecond: outcome.entry?.second ?? null,
      entry: outcome.entry?.price ?? null,
      exit: outcome.exit?.price ?? null,
      // Uses the rates of the log, not those of this program, which may have changed since the round.
      profit: sign === 0 ? 0 : (sign * line.stake * rate) / 100,
    }
  }
}

const WHERE_DIFFERENT = [
  ['status', 'status'],
  ['why', 'void-reason'],
  ['entrySecond', 'entry-second'],
  ['entry', 'entry-price'],
  ['exit', 'exit-price'],
  ['profit', 'profit'],
] as const

function checkLine(
  sha256: Sha256,
  round: LoggedRound,
  bet: SealedBet,
  line: SettledLine,
  settle: Settle,
  say: Say,
): void {
  const { entry, announce } = round
  const salt = fromBase64(line.salt) ?? new Uint8Array()
  if (salt.length !== SALT_BYTES) say('salt', line.i, SALT_BYTES, salt.length)
  const { direction, stake, basis, script, at, entryFrom } = line
  const opening = encodeOpening({ bet: line.id, round: entry.round, direction, stake, basis, script, at, entryFrom })
  const c = toBase64(commitmentOf(sha256, salt, opening))
  if (c !== bet.entry.c) say('commitment', line.i, bet.entry.c, c)
  if (bet.entry.at !== at) say('bet-entry-time', line.i, at, bet.entry.at)
  if (at < entry.opens || at >= entry.locks) say('bet-time', line.i, entry.locks, at)
  const from = Math.floor(at / 1000) + 1
  if (entryFrom !== from) say('entry-from', line.i, from, entryFrom)
  const isStake = checkStake(BigInt(stake)) === null
  if (!isStake) say('stake', line.i, null, stake)
  if ((script !== null) !== (basis === 'SCRIPTED')) say('script', line.i, basis, script)
  const isAnnounced = announce !== null && announce.index < line.i
  if (basis === 'PRICE' && isAnnounced) say('price-after-announce', line.i, announce.index, line.i)
  if (basis === 'ADMIN' && !isAnnounced) say('admin-before-announce', line.i, announce?.index ?? null, line.i)
  // A forbidden stake has no right profit. `settle` looks at each second from `at` to the round's end, so it would take
  // too long if a false log put these two times far apart.
  const isSearchable = at >= entry.opens && at < entry.locks && entry.closes - entry.opens <= 120_000
  if (!isStake || !isSearchable) return
  const right = settle(line)
  for (const [field, kind] of WHERE_DIFFERENT)
    if (line[field] !== right[field]) say(kind, line.i, right[field], line[field])
}
