import { SIMULATED } from '../../market/sources.ts'
import { concatBytes, fromBase64, type Sha256, toBase64, toUtf8 } from '../bytes.ts'
import { type BookDirection, encodeEntry, encodeFields, type EntryFields, type EntryKind } from '../entry.ts'
import type { FaultKind } from '../faults.ts'
import { commit, settleLine, type World, type WorldEntry, type WorldLine } from './book-world.ts'

/*
 * Lies that an operator who holds the log's key may try: to change a fact, to make everything else fit, and to sign a
 * whole new log. Each lie names the fault that gives it away.
 */

/** A round of a world with everything about it. Fields are changed in place. */
interface Told {
  readonly round: WorldEntry
  readonly closed: WorldEntry
  readonly result: WorldEntry | null
  readonly announce: WorldEntry | null
  readonly deletion: WorldEntry | null
  readonly bets: readonly WorldEntry[]
  readonly lines: WorldLine[]
}

type Mutable<Value> = { -readonly [Key in keyof Value]: Value[Key] }

/** Tools to change one world. */
export interface Forger {
  readonly entries: WorldEntry[]
  /** Returns one of the rounds for which `is` is true; throws if there is none. */
  readonly pick: (is: (told: Told) => boolean) => Told
  readonly any: <Value>(values: readonly Value[]) => Value
}

export interface Lie {
  readonly name: string
  readonly kind: FaultKind
  readonly tell: (forger: Forger) => void
}

const roundOf = (told: Told) => told.round.fields as Mutable<EntryFields['round']>
const resultOf = (told: Told) => told.result?.fields as Mutable<EntryFields['result']>
const closedOf = (told: Told) => told.closed.fields as Mutable<EntryFields['closed']>

const isLive = (told: Told) => roundOf(told).source !== SIMULATED
const isByPrice = (told: Told) => told.result !== null && told.announce === null
const isSettled = (told: Told) => told.result !== null && told.lines.length > 1
const hasLine = (is: (line: WorldLine) => boolean) => (told: Told) => told.result !== null && told.lines.some(is)
const isDecided = (line: WorldLine) => line.basis === 'PRICE' && line.status !== 'VOID'
const decided = (status: string) => (line: WorldLine) => isDecided(line) && line.status === status
const having = (field: 'status' | 'why' | 'basis' | 'script', value: string) => (line: WorldLine) =>
  line[field] === value
const always = () => true

/** Returns the closed rounds of a world. */
export function toldRounds({ entries }: World): Told[] {
  const byRound = new Map<string, WorldEntry[]>()
  for (const entry of entries) {
    const { round } = entry.fields as { readonly round?: string }
    if (round !== undefined) byRound.set(round, [...(byRound.get(round) ?? []), entry])
  }
  return [...byRound.values()].flatMap((mine) => {
    const of = (kind: EntryKind) => mine.find((entry) => entry.kind === kind) ?? null
    const [round, closed] = [of('round'), of('closed')]
    if (round === null || closed === null) return []
    const isDeletion = ({ kind, fields }: WorldEntry) =>
      kind === 'act' && (fields as EntryFields['act']).act === 'round.delete'
    return [
      {
        ...{ round, closed, result: of('result'), announce: of('announce') },
        deletion: mine.find(isDeletion) ?? null,
        bets: mine.filter(({ kind }) => kind === 'bet'),
        lines: closed.lines ?? [],
      },
    ]
  })
}

/** Settles lines again by the present fields of the round. */
function resettle(told: Told, lines: readonly WorldLine[] = told.lines): void {
  const { type, opens, closes } = roundOf(told)
  const { deleted: isDeleted, announce: announced } = closedOf(told)
  for (const line of lines)
    Object.assign(line, settleLine({ type, opens, closes, isDeleted, announced }, told.result && resultOf(told), line))
}

const change = (entry: WorldEntry, fields: object): void => {
  entry.fields = { ...entry.fields, ...fields }
}

/** Changes the line of an entry as a text. */
const spell = (entry: WorldEntry, to: (line: string) => string): void => {
  entry.line = to(encodeEntry(entry.kind, entry.at, encodeFields(entry.kind, entry.fields)))
}

/** Returns a value that every world has; throws if it is missing. */
function sure<Value>(value: Value | null | undefined): Value {
  if (value === null || value === undefined) throw new Error('there is nothing to lie about')
  return value
}

const flipped = (direction: BookDirection): BookDirection => (direction === 'UP' ? 'DOWN' : 'UP')

export function operatorLies(sha256: Sha256): readonly Lie[] {
  const lies: Lie[] = []
  const lie = (kind: FaultKind, name: string, tell: Lie['tell']) => lies.push({ kind, name, tell })

  const remove = ({ entries }: Forger, entry: WorldEntry) => entries.splice(entries.indexOf(entry), 1)
  const insertAfter = ({ entries }: Forger, entry: WorldEntry, added: WorldEntry) =>
    entries.splice(entries.indexOf(entry) + 1, 0, added)
  const move = (forger: Forger, entry: WorldEntry, after: WorldEntry) => {
    remove(forger, entry)
    insertAfter(forger, after, entry)
  }
  const first = ({ entries }: Forger, kind: EntryKind): WorldEntry => {
    const found = entries.find((entry) => entry.kind === kind)
    if (found === undefined) throw new Error(`no ${kind}`)
    return found
  }
  const all = ({ entries }: Forger, kind: EntryKind) => entries.filter((entry) => entry.kind === kind)
  const reseal = (told: Told, line: WorldLine) => change(line.bet, { c: commit(sha256, roundOf(told).round, line) })

  /** Adds a lie that changes one settled line of a round. */
  const line = (
    kind: FaultKind,
    name: string,
    is: (line: WorldLine, told: Told) => boolean,
    to: (line: Mutable<WorldLine>, told: Told, forger: Forger) => void,
  ) =>
    lie(kind, name, (forger) => {
      const told = forger.pick((one) => one.result !== null && one.lines.some((bet) => is(bet, one)))
      to(forger.any(told.lines.filter((bet) => is(bet, told))), told, forger)
    })

  // Lies about results.
  lie('result', 'turns the round’s direction', (forger) => {
    const told = forger.pick((one) => isByPrice(one) && resultOf(one).result !== null)
    change(sure(told.result), { result: flipped(sure(resultOf(told).result)) })
  })
  lie('result', 'leaves the direction out', (forger) => {
    const told = forger.pick((one) => isByPrice(one) && resultOf(one).result !== null)
    change(sure(told.result), { result: null })
  })
  lie('result', 'gives a tie a direction', (forger) => {
    const told = forger.pick((one) => isByPrice(one) && resultOf(one).result === null)
    change(sure(told.result), { result: 'UP' })
  })
  lie('result', 'shows another direction than announced', (forger) => {
    const told = forger.pick((one) => one.announce !== null && one.result !== null)
    change(sure(told.result), { result: flipped(sure(resultOf(told).result)) })
  })
  lie('result-by', 'says that staff decided what the price decided', (forger) =>
    change(sure(forger.pick(isByPrice).result), { by: 'ADMIN' }),
  )
  lie('result-by', 'says that the price decided what staff decided', (forger) =>
    change(sure(forger.pick((one) => one.announce !== null && one.result !== null).result), { by: 'PRICE' }),
  )
  lie('result-twice', 'writes a second result', (forger) => {
    const told = forger.pick((one) => one.result !== null)
    insertAfter(forger, sure(told.result), { ...sure(told.result), fields: { ...resultOf(told) } })
  })
  lie('result-twice', 'writes a second result after the end', (forger) => {
    const told = forger.pick((one) => one.result !== null)
    insertAfter(forger, told.closed, { ...sure(told.result), fields: { ...resultOf(told), result: null } })
  })
  lie('result-missing', 'leaves the result out', (forger) => {
    const told = forger.pick((one) => isLive(one) && one.result !== null)
    remove(forger, sure(told.result))
  })
  lie('result-missing', 'writes the end before the result', (forger) => {
    const told = forger.pick((one) => one.result !== null)
    move(forger, sure(told.result), told.closed)
  })
  lie('closed-early', 'writes a result before its round is over', (forger) => {
    const told = forger.pick((one) => one.result !== null)
    sure(told.result).at = roundOf(told).closes - 1
  })
  lie('closed-early', 'closes a round before it is over', (forger) => {
    const told = forger.pick((one) => one.result !== null)
    told.closed.at = roundOf(told).closes - 1
  })

  // Lies about ticks.
  const changeTick = (told: Told, at: number, price: number | null, age?: number | null) => {
    const { ticks, ages } = resultOf(told)
    change(sure(told.result), {
      ticks: ticks.with(at, price),
      ages: ages === null || age === undefined ? ages : ages.with(at, age),
    })
  }
  const withTick = (from: number) => (told: Told) =>
    isLive(told) && told.lines.length > 0 && told.result !== null && (resultOf(told).ticks.at(from) ?? null) !== null
  lie('two-prices', 'raises a live exit price in one round, and settles by it', (forger) => {
    const told = forger.pick((one) => withTick(-1)(one) && roundOf(one).type !== '30s')
    const last = resultOf(told).ticks.length - 1
    changeTick(told, last, sure(resultOf(told).ticks[last]) + 5_000)
    if (told.announce === null) change(sure(told.result), { result: directionOf(resultOf(told)) })
    resettle(told)
  })
  lie('two-prices', 'lowers a live price within a round, and settles by it', (forger) => {
    const told = forger.pick(withTick(9))
    changeTick(told, 9, sure(resultOf(told).ticks[9]) - 5_000)
    resettle(told)
  })
  lie('two-prices', 'loses a live price, and settles without it', (forger) => {
    const told = forger.pick(withTick(10))
    changeTick(told, 10, null, null)
    resettle(told)
  })
  lie('two-prices', 'finds a live price that was missing', (forger) => {
    const told = forger.pick((one) => isLive(one) && isSettled(one) && resultOf(one).ticks.slice(1, -1).includes(null))
    const at = resultOf(told).ticks.indexOf(null, 1)
    changeTick(told, at, 4_010_000, 100)
    resettle(told)
  })
  lie('two-prices', 'tells another price in a beat', (forger) => {
    const beat = forger.any(
      all(forger, 'beat').filter(({ fields }) => ((fields as EntryFields['beat']).ticks[1]?.[2] ?? null) !== null),
    )
    const [tick, second, ...more] = (beat.fields as EntryFields['beat']).ticks
    change(beat, {
      ticks: [tick, [sure(second)[0], sure(second)[1], sure(sure(second)[2]) + 100, sure(second)[3]], ...more],
    })
  })
  lie('two-ages', 'makes a quote younger than a bet, and settles by it', (forger) => {
    const told = forger.pick((one) => withTick(8)(one) && (resultOf(one).ages?.[8] ?? 0) > 100)
    changeTick(told, 8, sure(resultOf(told).ticks[8]), 0)
    resettle(told)
  })
  const isPathKnown = (told: Told) => !isLive(told) && roundOf(told).closes % 86_400_000 > 80_000_000
  lie('tick-off-path', 'bends the simulated path, in every round that shows it', (forger) => {
    const told = forger.pick((one) => isPathKnown(one) && one.result !== null)
    const second = roundOf(told).closes / 1000 - forger.any([0, 3, 9])
    for (const other of toldRounds(forger)) {
      if (isLive(other) || other.result === null) continue
      const at = second - roundOf(other).opens / 1000
      if (at < 0 || at >= resultOf(other).ticks.length) continue
      changeTick(other, at, sure(resultOf(other).ticks[at]) + 2_000)
      if (other.announce === null) change(other.result, { result: directionOf(resultOf(other)) })
      resettle(other)
    }
  })
  lie('tick-missing', 'loses a simulated price', (forger) => {
    const told = forger.pick((one) => !isLive(one) && one.result !== null && one.announce === null)
    const second = roundOf(told).opens / 1000 + 7
    for (const other of toldRounds(forger)) {
      const at = second - roundOf(other).opens / 1000
      if (isLive(other) || other.result === null || at < 1 || at >= resultOf(other).ticks.length - 1) continue
      changeTick(other, at, null)
      resettle(other)
    }
  })
  lie('ticks-form', 'leaves the last second out', (forger) => {
    const told = forger.pick((one) => isByPrice(one) && one.lines.length === 0 && isLive(one))
    const { ticks, ages } = resultOf(told)
    change(sure(told.result), { ticks: ticks.slice(0, -1), ages: sure(ages).slice(0, -1) })
    change(sure(told.result), { result: directionOf(resultOf(told)) })
    change(told.closed, { evidence: [] })
  })
  lie('ticks-form', 'gives simulated prices ages', (forger) => {
    const told = forger.pick((one) => !isLive(one) && one.result !== null)
    change(sure(told.result), { ages: resultOf(told).ticks.map(() => 0) })
  })
  lie('ticks-form', 'gives live prices no ages', (forger) => {
    const told = forger.pick((one) => isLive(one) && one.result !== null)
    change(sure(told.result), { ages: null })
    resettle(told)
  })

  // Lies about settled bets.
  line('profit', 'pays one more', isDecided, (bet) => (bet.profit += 1))
  line('profit', 'pays a rate of one per cent more', having('status', 'WIN'), (bet) => (bet.profit += bet.stake / 100))
  line('profit', 'takes the whole stake', having('status', 'LOSE'), (bet) => (bet.profit = -bet.stake))
  line('profit', 'keeps a part of a void stake', having('status', 'VOID'), (bet) => (bet.profit = -100))
  line('status', 'turns a loss into a win', decided('LOSE'), (bet) => {
    bet.status = 'WIN'
    bet.profit = -bet.profit
  })
  line('status', 'turns a win into a loss', decided('WIN'), (bet) => {
    bet.status = 'LOSE'
    bet.profit = -bet.profit
  })
  line('status', 'voids a loss', having('status', 'LOSE'), (bet) => {
    bet.status = 'VOID'
    bet.why = 'TIE'
    bet.profit = 0
  })
  line('status', 'decides a tie', having('why', 'TIE'), (bet) => {
    bet.status = 'LOSE'
    bet.why = null
    bet.profit = -bet.stake / 20
  })
  line('void-reason', 'calls a tie a missing price', having('why', 'TIE'), (bet) => (bet.why = 'NO_TICK'))
  line('void-reason', 'calls a missing price a tie', having('why', 'NO_TICK'), (bet) => (bet.why = 'TIE'))
  line(
    'entry-second',
    'takes a later entry of the same price',
    isDecided,
    (bet) => (bet.entrySecond = sure(bet.entrySecond) + 1),
  )
  line('entry-price', 'takes another entry price', isDecided, (bet) => (bet.entry = sure(bet.entry) + 1))
  line('exit-price', 'takes another exit price', isDecided, (bet) => (bet.exit = sure(bet.exit) - 1))
  line('exit-price', 'hides the exit', isDecided, (bet) => (bet.exit = null))
  line('entry-price', 'shows an entry of a scripted bet', having('basis', 'SCRIPTED'), (bet) => (bet.entry = 4_000_000))

  // Adds a lie that changes a settled line, but not the commitment that was sealed before.
  const sealed = (name: string, is: (line: WorldLine) => boolean, to: (line: Mutable<WorldLine>) => void) =>
    line('commitment', name, is, (bet, told) => {
      to(bet)
      resettle(told, [bet])
    })
  sealed('turns a bet’s side', isDecided, (bet) => (bet.direction = flipped(bet.direction)))
  sealed(
    'lowers a stake',
    (bet) => isDecided(bet) && bet.stake > 100,
    (bet) => (bet.stake -= 100),
  )
  sealed('raises a stake', isDecided, (bet) => (bet.stake += 100))
  sealed('makes a bet scripted', isDecided, (bet) => {
    bet.basis = 'SCRIPTED'
    bet.script = 'LOSE'
  })
  sealed('turns a script', having('script', 'WIN'), (bet) => (bet.script = 'LOSE'))
  sealed('changes a salt', always, (bet) => (bet.salt = toBase64(sha256(toUtf8(bet.salt)).subarray(0, 16))))
  sealed('changes a bet’s id', always, (bet) => (bet.id = `${bet.id}x`))
  line(
    'commitment',
    'moves an acceptance by a millisecond',
    isDecided,
    (bet) => (bet.at += bet.at % 1000 === 999 ? -1 : 1),
  )
  line('commitment', 'seals another opening after the result', isDecided, (bet) => {
    change(bet.bet, { c: toBase64(sha256(toUtf8('another'))) })
  })

  /** Adds a lie that changes a settled line and its commitment alike: only a broken rule reveals it. */
  const resealed = (
    kind: FaultKind,
    name: string,
    is: (line: WorldLine, told: Told) => boolean,
    to: (line: Mutable<WorldLine>, told: Told, forger: Forger) => void,
  ) =>
    line(kind, name, is, (bet, told, forger) => {
      to(bet, told, forger)
      resettle(told, [bet])
      reseal(told, bet)
    })
  resealed('salt', 'salts with 15 bytes', always, (bet) => (bet.salt = toBase64(new Uint8Array(15))))
  resealed('salt', 'salts with 17 bytes', always, (bet) => (bet.salt = toBase64(new Uint8Array(17))))
  resealed('salt', 'salts with nothing', always, (bet) => (bet.salt = ''))
  const acceptAt = (bet: Mutable<WorldLine>, at: number) => {
    bet.at = at
    bet.entryFrom = Math.floor(at / 1000) + 1
    bet.bet.at = at
  }
  resealed('bet-time', 'accepts a bet when betting is closed', isDecided, (bet, told) =>
    acceptAt(bet, roundOf(told).locks),
  )
  resealed('bet-time', 'accepts a bet after the end', isDecided, (bet, told) => acceptAt(bet, roundOf(told).closes + 5))
  resealed('bet-time', 'accepts a bet before the round', isDecided, (bet, told) =>
    acceptAt(bet, roundOf(told).opens - 1),
  )
  resealed('bet-entry-time', 'enters a bet under another time', always, (bet) => (bet.bet.at += 1))
  resealed('entry-from', 'lets a bet enter a second later', isDecided, (bet) => (bet.entryFrom += 1))
  resealed('entry-from', 'lets a bet enter in its own second', isDecided, (bet) => (bet.entryFrom -= 1))
  resealed('stake', 'takes a stake above the limit', isDecided, (bet) => (bet.stake = 10_000_100))
  line('stake', 'takes a stake of a part of a point', isDecided, (bet, told) => {
    bet.stake += 50
    reseal(told, bet)
  })
  resealed('stake', 'takes a stake of nothing', isDecided, (bet) => (bet.stake = 0))
  resealed('script', 'gives a bet by price a script', isDecided, (bet) => (bet.script = 'LOSE'))
  resealed(
    'script',
    'leaves a scripted bet without its script',
    having('basis', 'SCRIPTED'),
    (bet) => (bet.script = null),
  )
  resealed(
    'admin-before-announce',
    'lets staff decide a bet from before',
    (bet, told) => isDecided(bet) && told.announce !== null,
    (bet) => (bet.basis = 'ADMIN'),
  )
  resealed(
    'admin-before-announce',
    'lets staff decide without an announcement',
    (bet, told) => isDecided(bet) && told.announce === null,
    (bet) => (bet.basis = 'ADMIN'),
  )
  resealed(
    'price-after-announce',
    'lets the price decide after the announcement',
    having('basis', 'ADMIN'),
    (bet) => (bet.basis = 'PRICE'),
  )
  resealed(
    'bet-id-twice',
    'gives two bets one id',
    (bet, told) => told.lines.indexOf(bet) > 0,
    (bet, told) => (bet.id = sure(told.lines[0]).id),
  )

  // Lies about which bets exist.
  line('line-missing', 'drops a settled bet', always, (bet, told) => told.lines.splice(told.lines.indexOf(bet), 1))
  line('line-missing', 'seals a bet that is never settled', always, (bet, _, forger) =>
    insertAfter(forger, bet.bet, { ...bet.bet, fields: { ...bet.bet.fields } }),
  )
  line('line-extra', 'drops a bet’s entry', always, (bet, _, forger) => remove(forger, bet.bet))
  line('line-extra', 'settles a bet twice', always, (bet, told) =>
    told.lines.splice(told.lines.indexOf(bet), 0, { ...bet }),
  )
  lie('line-extra', 'settles two bets in another order', (forger) => {
    const { lines } = forger.pick(isSettled)
    lines.reverse()
  })
  lie('line-extra', 'settles a bet of another round', (forger) => {
    const told = forger.pick(isSettled)
    const other = forger.pick((one) => one !== told && one.lines.length > 0 && one.result !== null)
    told.lines.push(sure(other.lines[0]))
  })
  lie('bet-after-result', 'seals a bet after the result', (forger) => {
    const told = forger.pick(isSettled)
    move(forger, sure(told.bets.at(-1)), sure(told.result))
  })
  lie('bet-after-result', 'seals a bet after the end', (forger) => {
    const told = forger.pick((one) => one.result !== null && one.bets.length > 0)
    insertAfter(forger, told.closed, { ...sure(told.bets[0]) })
  })
  lie('bet-after-delete', 'takes a bet after staff deleted the round', (forger) => {
    const told = forger.pick((one) => one.deletion !== null && one.bets.length > 0)
    move(forger, sure(told.bets.at(-1)), sure(told.deletion))
  })
  lie('round-unknown', 'seals a bet for a round that does not exist', (forger) => {
    const told = forger.pick((one) => one.bets.length > 0)
    insertAfter(forger, sure(told.bets[0]), {
      ...sure(told.bets[0]),
      fields: { ...sure(told.bets[0]).fields, round: 'none' },
    })
  })
  lie('round-unknown', 'enters a round after its first bet', (forger) => {
    const told = forger.pick((one) => one.bets.length > 0)
    move(forger, told.round, sure(told.bets[0]))
  })
  lie('round-unknown', 'leaves a round’s first entry out', (forger) => {
    remove(forger, forger.pick((one) => one.bets.length > 0).round)
  })

  // Lies about sums and roots.
  for (const name of ['bets', 'won', 'lost', 'voided', 'staked', 'profit'] as const)
    lie('totals', `counts one more ${name}`, (forger) => {
      const { closed, lines } = forger.pick((one) => one.lines.length > 0 && one.result !== null)
      const byPrice = lines.filter(({ basis }) => basis === 'PRICE')
      const counted = (status: string) => lines.filter((bet) => bet.status === status).length
      const right = {
        ...{ bets: lines.length, won: counted('WIN'), lost: counted('LOSE'), voided: counted('VOID') },
        staked: byPrice.reduce((sum, { stake }) => sum + stake, 0),
        profit: byPrice.reduce((sum, { profit }) => sum + profit, 0),
      }
      closed.instead = { [name]: right[name] + 1 }
    })
  lie('lines-root', 'signs another root', (forger) => {
    forger.pick(isSettled).closed.instead = { root: toBase64(sha256(toUtf8('another'))) }
  })
  lie('lines-root', 'signs the root of nothing', (forger) => {
    forger.pick(isSettled).closed.instead = { root: '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=' }
  })
  lie('closed-twice', 'closes a round twice', (forger) => {
    const told = forger.pick((one) => one.result !== null)
    insertAfter(forger, told.closed, { ...told.closed })
  })
  lie('overdue', 'never closes a round', (forger) => {
    const told = forger.pick((one) => forger.entries.indexOf(one.closed) < forger.entries.length / 2)
    remove(forger, told.closed)
  })
  lie('overdue', 'closes a round in words that nobody reads', (forger) => {
    const told = forger.pick((one) => forger.entries.indexOf(one.closed) < forger.entries.length / 2)
    spell(told.closed, (text) => text.replace('"v":1', '"v":2'))
  })
  lie('evidence', 'names evidence of a simulated price', (forger) => {
    const told = forger.pick((one) => !isLive(one) && one.result !== null)
    change(told.closed, { evidence: [[roundOf(told).opens / 1000, toBase64(sha256(toUtf8('x')))]] })
  })
  lie('evidence', 'names evidence of a second that decided nothing', (forger) => {
    const told = forger.pick((one) => isLive(one) && one.result !== null && one.lines.length === 0)
    change(told.closed, { evidence: [[roundOf(told).opens / 1000 + 1, toBase64(sha256(toUtf8('x')))]] })
  })
  lie('evidence', 'names evidence in another order', (forger) => {
    const told = forger.pick((one) => isLive(one) && closedOf(one).evidence.length > 1)
    change(told.closed, { evidence: closedOf(told).evidence.toReversed() })
  })

  // Lies about staff's acts.
  lie('announce-late', 'announces with less than 10 s left', (forger) => {
    const told = forger.pick((one) => one.announce !== null && one.result !== null)
    sure(told.announce).at = roundOf(told).closes - 9_999
  })
  lie('announce-order', 'announces after the result', (forger) => {
    const told = forger.pick((one) => one.announce !== null && one.result !== null)
    move(forger, sure(told.announce), sure(told.result))
  })
  lie('announce-twice', 'announces twice', (forger) => {
    const told = forger.pick((one) => one.announce !== null && one.result !== null)
    insertAfter(forger, sure(told.announce), { ...sure(told.announce) })
  })
  lie('announce-opening', 'opens another direction than announced, and settles by it', (forger) => {
    const told = forger.pick((one) => one.announce !== null && one.result !== null)
    const { direction, nonce } = sure(closedOf(told).announce)
    change(told.closed, { announce: { direction: flipped(direction), nonce } })
    change(sure(told.result), { result: flipped(direction) })
    resettle(told)
  })
  lie('announce-opening', 'opens another nonce', (forger) => {
    const told = forger.pick((one) => one.announce !== null && one.result !== null)
    change(told.closed, { announce: { ...sure(closedOf(told).announce), nonce: toBase64(new Uint8Array(16)) } })
  })
  lie('announce-opening', 'never opens an announcement', (forger) => {
    const told = forger.pick(
      (one) => one.announce !== null && one.result !== null && one.lines.every((bet) => bet.basis !== 'ADMIN'),
    )
    change(told.closed, { announce: null })
  })
  lie('announce-opening', 'opens an announcement that nobody made', (forger) => {
    const told = forger.pick(isByPrice)
    change(told.closed, { announce: { direction: 'UP', nonce: toBase64(new Uint8Array(16)) } })
  })
  lie('announce-opening', 'announces both directions and opens one', (forger) => {
    const told = forger.pick((one) => one.announce !== null && one.result !== null)
    change(sure(told.announce), {
      c: toBase64(sha256(concatBytes(toUtf8('UPDOWN'), sure(fromBase64(sure(closedOf(told).announce).nonce))))),
    })
  })
  lie('deleted-unsaid', 'hides that staff deleted a round', (forger) => {
    const told = forger.pick((one) => one.deletion !== null && !hasNext(forger, one))
    remove(forger, sure(told.deletion))
  })
  lie('deleted-unsaid', 'deletes a round with less than 10 s left', (forger) => {
    const told = forger.pick((one) => one.deletion !== null && !hasNext(forger, one))
    sure(told.deletion).at = roundOf(told).closes - 9_999
  })
  lie('deleted-unsaid', 'voids a round whose end is known', (forger) => {
    const told = forger.pick((one) => isByPrice(one) && one.lines.length > 0)
    remove(forger, sure(told.result))
    change(told.closed, { deleted: true, evidence: [] })
    resettle({ ...told, result: null })
  })
  lie('deleted-ignored', 'settles a round that staff deleted', (forger) => {
    const told = forger.pick(isByPrice)
    insertAfter(forger, told.bets.at(-1) ?? told.round, {
      kind: 'act',
      at: told.round.at + 1,
      fields: { act: 'round.delete', actor: null, round: roundOf(told).round, bet: null, amount: null, c: null },
    })
  })
  lie('result-of-deleted', 'gives a deleted round a result', (forger) => {
    const told = forger.pick((one) => one.deletion !== null)
    const other = forger.pick((one) => isByPrice(one) && roundOf(one).type === roundOf(told).type)
    insertAfter(forger, sure(told.deletion), {
      ...sure(other.result),
      at: roundOf(told).closes,
      fields: {
        ...resultOf(other),
        round: roundOf(told).round,
        ticks: [],
        ages: roundOf(told).source === SIMULATED ? null : [],
      },
    })
  })
  lie('act-form', 'deletes without a round', (forger) => {
    const told = forger.pick((one) => one.deletion !== null && !hasNext(forger, one))
    insertAfter(forger, sure(told.deletion), {
      ...sure(told.deletion),
      fields: { ...sure(told.deletion).fields, round: null } as EntryFields['act'],
    })
  })
  lie('act-form', 'adjusts a balance by an amount that is not told', (forger) => {
    const act = forger.any(
      all(forger, 'act').filter(({ fields }) => (fields as EntryFields['act']).act === 'balance.adjust'),
    )
    change(act, { amount: null })
  })
  const confirmations = (forger: Forger) =>
    all(forger, 'act').filter(({ fields }) => (fields as EntryFields['act']).act === 'money.confirm')
  lie('four-eyes', 'confirms what nobody proposed', (forger) => {
    change(forger.any(confirmations(forger)), { amount: 501 })
  })
  lie('four-eyes', 'lets one admin propose and confirm', (forger) => {
    const told = all(forger, 'act')
    const confirmed = forger.any(confirmations(forger))
    const proposed = told[told.indexOf(confirmed) - 1]
    // Another proposal of the same amount would make the confirmation right, so all others get another amount.
    for (const one of told)
      if ((one.fields as EntryFields['act']).act === 'money.propose' && one !== proposed) change(one, { amount: 1 })
    change(sure(proposed), { actor: (confirmed.fields as EntryFields['act']).actor })
  })
  lie('act-form', 'proposes an amount that is not told', (forger) => {
    change(
      forger.any(all(forger, 'act').filter(({ fields }) => (fields as EntryFields['act']).act === 'money.propose')),
      { amount: null },
    )
  })
  lie('bet-reference', 'corrects a bet that is none', (forger) => {
    const act = forger.any(all(forger, 'act').filter(({ about }) => about !== undefined))
    act.about = first(forger, 'rules')
  })
  lie('bet-reference', 'disputes a bet that comes later', (forger) => {
    first(forger, 'dispute').about = sure(all(forger, 'bet').at(-1))
  })
  lie('dispute-order', 'hides that a bet was disputed', (forger) => {
    remove(forger, first(forger, 'dispute'))
  })
  lie('dispute-order', 'opens a dispute twice', (forger) => {
    const dispute = first(forger, 'dispute')
    insertAfter(forger, dispute, { ...dispute })
  })

  // Lies about rounds and the calendar.
  lie('off-calendar', 'moves a round by a second', (forger) => {
    const told = forger.pick((one) => isByPrice(one) && one.lines.length === 0)
    const { opens, closes, locks } = roundOf(told)
    change(told.round, { opens: opens + 1000, closes: closes + 1000, locks: locks + 1000 })
    told.round.at += 1000
    sure(told.result).at += 1000
    told.closed.at += 1000
  })
  lie('off-calendar', 'lets a round last longer', (forger) => {
    const told = forger.pick((one) => isByPrice(one) && one.lines.length === 0)
    change(told.round, { closes: roundOf(told).closes + 1000, locks: roundOf(told).locks + 1000 })
    sure(told.result).at += 1000
    told.closed.at += 1000
  })
  lie('off-calendar', 'takes bets to the last second', (forger) => {
    const told = forger.pick(isByPrice)
    change(told.round, { locks: roundOf(told).closes })
  })
  lie('off-calendar', 'gives a round another number', (forger) => {
    const told = forger.pick((one) => isByPrice(one) && roundOf(one).attempt === 0)
    change(told.round, { n: roundOf(told).n + 50_000 })
  })
  lie('off-calendar', 'calls a short round a long one', (forger) => {
    const told = forger.pick((one) => isByPrice(one) && roundOf(one).type === '30s')
    change(told.round, { type: '60s' })
  })
  lie('off-calendar', 'begins a second attempt within a second', (forger) => {
    const told = forger.pick((one) => roundOf(one).attempt > 0 && one.result !== null)
    change(told.round, { opens: roundOf(told).opens + 1 })
  })
  lie('round-time', 'enters a round when it is over', (forger) => {
    const told = forger.pick(isByPrice)
    told.round.at = roundOf(told).closes
  })
  lie('round-time', 'enters a round before it begins', (forger) => {
    const told = forger.pick((one) => roundOf(one).attempt === 0)
    told.round.at = roundOf(told).opens - 1
  })
  lie('round-twice', 'enters a round twice', (forger) => {
    const told = forger.pick(() => true)
    insertAfter(forger, told.round, { ...told.round })
  })
  lie('round-twice', 'runs two rounds in one window', (forger) => {
    const told = forger.pick((one) => one.deletion === null)
    insertAfter(forger, told.round, { ...told.round, fields: { ...roundOf(told), round: 'second' } })
  })
  lie('attempt', 'runs a second attempt beside the first', (forger) => {
    const told = forger.pick((one) => one.deletion === null && roundOf(one).attempt === 0)
    insertAfter(forger, told.round, { ...told.round, fields: { ...roundOf(told), round: 'second', attempt: 1 } })
  })
  lie('attempt', 'hides a first attempt', (forger) => {
    const told = forger.pick((one) => one.deletion === null && roundOf(one).attempt === 0)
    change(told.round, { attempt: 1 })
  })
  lie('attempt', 'leaves out an attempt', (forger) => {
    const told = forger.pick((one) => roundOf(one).attempt === 1)
    change(told.round, { attempt: 2 })
  })
  lie('tick-off-path', 'prices a round by another source than it had', (forger) => {
    const told = forger.pick(
      (one) =>
        isLive(one) &&
        isByPrice(one) &&
        roundOf(one).closes % 86_400_000 > 80_000_000 &&
        !resultOf(one).ticks.includes(null),
    )
    change(told.round, { source: SIMULATED, locks: roundOf(told).closes - 1000 })
    change(sure(told.result), { ages: null })
    change(told.closed, { evidence: [] })
    resettle(told)
  })

  // Lies about seeds and rules.
  const openedDay = (forger: Forger) => first(forger, 'seed-open').fields as EntryFields['seed-open']
  const seedOf = (forger: Forger, day: number) =>
    sure(all(forger, 'seed').find(({ fields }) => (fields as EntryFields['seed']).day === day))
  const otherSeed = (forger: Forger) => sha256(toUtf8(`other ${openedDay(forger).seed}`))
  lie('seed-commitment', 'opens another seed', (forger) =>
    change(first(forger, 'seed-open'), { seed: toBase64(otherSeed(forger)) }),
  )
  lie('seed-commitment', 'commits to another seed', (forger) =>
    change(seedOf(forger, openedDay(forger).day), { commitment: toBase64(sha256(otherSeed(forger))) }),
  )
  lie('tick-off-path', 'commits to and opens another seed', (forger) => {
    const { day } = openedDay(forger)
    change(seedOf(forger, day), { commitment: toBase64(sha256(otherSeed(forger))) })
    change(first(forger, 'seed-open'), { seed: toBase64(otherSeed(forger)) })
  })
  lie('tick-off-path', 'starts the day’s path at another price', (forger) =>
    change(first(forger, 'seed-open'), { startPrice: openedDay(forger).startPrice + 7 }),
  )
  lie('seed-start', 'starts the next day’s path at another price', (forger) => {
    const { day } = openedDay(forger)
    const last = sure(forger.entries.at(-1))
    const next = toBase64(sha256(toUtf8('next')))
    change(seedOf(forger, day + 1), { commitment: toBase64(sha256(sure(fromBase64(next)))) })
    forger.entries.splice(-1, 0, {
      kind: 'seed-open',
      at: (day + 2) * 86_400_000,
      fields: { day: day + 1, seed: next, startPrice: 4_000_000 },
    })
    last.at = (day + 2) * 86_400_000
  })
  lie('seed-twice', 'commits to two seeds for a day', (forger) => {
    const seed = first(forger, 'seed')
    insertAfter(forger, seed, {
      ...seed,
      fields: { ...seed.fields, commitment: toBase64(otherSeed(forger)) },
    })
  })
  lie('seed-twice', 'opens a seed twice', (forger) =>
    insertAfter(forger, first(forger, 'seed-open'), { ...first(forger, 'seed-open') }),
  )
  lie('seed-unknown', 'opens a seed that nobody committed to', (forger) => {
    const open = first(forger, 'seed-open')
    insertAfter(forger, open, {
      ...open,
      fields: { ...open.fields, day: openedDay(forger).day - 1 },
    })
  })
  lie('seed-early', 'opens a seed within its day', (forger) => {
    first(forger, 'seed-open').at = (openedDay(forger).day + 1) * 86_400_000 - 1
  })
  lie('seed-overdue', 'never opens a seed', (forger) => remove(forger, first(forger, 'seed-open')))
  lie('round-before-seed', 'commits to no seed', (forger) => {
    const { day } = openedDay(forger)
    remove(forger, seedOf(forger, day))
    remove(forger, first(forger, 'seed-open'))
  })
  lie('round-before-seed', 'commits to a seed when its rounds have begun', (forger) => {
    const { day } = openedDay(forger)
    const told = forger.pick((one) => isPathKnown(one))
    move(forger, seedOf(forger, day), told.round)
  })
  lie('rules-missing', 'begins without rules', (forger) => remove(forger, first(forger, 'rules')))
  lie('profit', 'writes other rates into the rules afterwards', (forger) =>
    change(first(forger, 'rules'), { rates: { '30s': 6, '60s': 8, '90s': 10, '120s': 13 } }),
  )
  lie('profit', 'changes the rates and pays the old ones', (forger) => {
    const rules = first(forger, 'rules')
    const told = forger.pick(hasLine(isDecided))
    const at = forger.entries.indexOf(told.round)
    forger.entries.splice(at, 0, {
      ...rules,
      at: told.round.at - 1,
      fields: { ...rules.fields, rates: { '30s': 6, '60s': 8, '90s': 10, '120s': 13 } },
    })
  })
  lie('off-calendar', 'writes another time to lock into the rules', (forger) =>
    change(first(forger, 'rules'), { lockMs: { simulated: 2000, live: 2000 } }),
  )

  // Lies about whole entries.
  lie('beat-falls', 'turns the clock back', (forger) => {
    const beats = all(forger, 'beat')
    const beat = forger.any(beats.slice(beats.length / 2))
    beat.at -= 600_000
  })
  lie('last-not-beat', 'signs without a last beat', (forger) => forger.entries.pop())
  lie('restart-place', 'begins again within the log', (forger) => {
    const beat = forger.any(all(forger, 'beat'))
    insertAfter(forger, beat, {
      kind: 'restart',
      at: beat.at,
      fields: { previous: toBase64(new Uint8Array(90)), why: 'RESTORED' },
    })
  })
  for (const kind of [
    'round',
    'bet',
    'result',
    'closed',
    'beat',
    'act',
    'announce',
    'dispute',
    'seed',
    'rules',
  ] as const)
    lie('entry-form', `writes a key too many into a ${kind}`, (forger) =>
      spell(forger.any(all(forger, kind)), (text) => text.replace(/}$/, ',"more":1}')),
    )
  const spellings: readonly (readonly [string, EntryKind, (text: string) => string])[] = [
    ['a space', 'beat', (text) => text.replace(',', ', ')],
    ['an exponent', 'act', (text) => text.replace(/"at":(\d+)000,/, '"at":$1e3,').replace(/"v":1/, '"v":1.0')],
    ['another order of keys', 'bet', (text) => text.replace(/("round":"[^"]*"),("c":"[^"]*")/, '$2,$1')],
    ['a newline at the end', 'round', (text) => `${text}\n`],
    ['a letter of another alphabet', 'feed', (text) => text.replace('pyth', 'рyth')],
    ['an act that is not on the list', 'act', (text) => text.replace(/"act":"[^"]*"/, '"act":"user.reward"')],
    ['a key twice', 'result', (text) => text.replace(/}$/, ',"by":"PRICE"}')],
    ['a time before 1970', 'bet', (text) => text.replace(/"at":/, '"at":-')],
    ['a time after all dates', 'beat', (text) => text.replace(/"at":\d+/, '"at":9000000000000000')],
    ['a day after all dates', 'seed', (text) => text.replace(/"day":\d+/, '"day":9000000000000000')],
    ['another padding', 'bet', (text) => text.replace('="', '"')],
    ['no line at all', 'feed', () => ''],
  ]
  for (const [name, kind, to] of spellings)
    lie('entry-form', `spells a ${kind} with ${name}`, (forger) => spell(forger.any(all(forger, kind)), to))

  return lies
}

function directionOf({ ticks }: Pick<EntryFields['result'], 'ticks'>): BookDirection | null {
  const [from, to] = [ticks.at(0) ?? null, ticks.at(-1) ?? null]
  return from === null || to === null || from === to ? null : to > from ? 'UP' : 'DOWN'
}

/** Returns whether a later attempt at the window of the round follows. */
const hasNext = ({ entries }: Forger, told: Told): boolean =>
  entries.some(({ kind, fields }) => {
    const { type, n, attempt } = fields as EntryFields['round']
    return kind === 'round' && type === roundOf(told).type && n === roundOf(told).n && attempt > roundOf(told).attempt
  })
