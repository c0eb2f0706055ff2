import { DURATION_S, EPOCH_MS, locksAtMs, ROUND_TYPES, type RoundType, windowAt } from '../../game/calendar.ts'
import { decideSettlement, type TickPrice } from '../../game/settle.ts'
import { DAY_SECONDS, lastSimulatedPrice, simulatedPrices } from '../../market/simulated-path.ts'
import { SIMULATED } from '../../market/sources.ts'
import { concatBytes, fromBase64, type Sha256, toBase64, toHex, toUtf8 } from '../bytes.ts'
import { type BookDirection, encodeEntry, encodeFields, type EntryFields, type EntryKind } from '../entry.ts'
import { leafHash, rootOf } from '../merkle.ts'
import { commitmentOf, encodeOpening } from '../opening.ts'
import { pathHash } from '../seed-path.ts'
import { encodeSettledLine, type SettledLine } from '../settled-line.ts'

/*
 * A made-up installation for tests. Its clock goes on second by second, and its events are entered into a log as an
 * honest server does. operator-lies.ts changes these facts before the log is signed.
 */

/** A settled bet. Its index in the log is the index of the entry `bet`. */
export interface WorldLine extends Omit<SettledLine, 'i'> {
  readonly bet: WorldEntry
}

export interface WorldEntry {
  kind: EntryKind
  at: number
  fields: EntryFields[EntryKind]
  /** A whole line that replaces the line made from the fields. */
  line?: string
  /** The settled lines of a `closed` entry, whose counts, sums and root are computed from them. */
  lines?: WorldLine[]
  /** Fields of a `closed` entry that replace the computed ones. */
  instead?: Partial<EntryFields['closed']>
  /** The bet whose index an act or a dispute names. */
  about?: WorldEntry
}

export interface World {
  readonly entries: WorldEntry[]
}

export interface WorldOptions {
  readonly sha256: Sha256
  /** Each number gives another world. */
  readonly seed: number
  /** The log begins `fromSecond` seconds after EPOCH_MS, and goes on for `seconds` seconds. */
  readonly fromSecond: number
  readonly seconds: number
  readonly betsPerRound: number
  /** Seconds between two beats while entries wait to be sealed. */
  readonly beatEvery: number
  /** In seconds, by default an hour. Prices are live for two cycles, then simulated for one cycle, again and again. */
  readonly cycle?: number
  /** Average number of acts of staff on a round; 0.04 by default. */
  readonly actsPerRound?: number
}

interface OpenRound {
  readonly id: string
  readonly type: RoundType
  readonly index: number
  readonly attempt: number
  readonly opens: number
  readonly locks: number
  readonly closes: number
  readonly source: string
  readonly bets: { readonly entry: WorldEntry; readonly opening: Omit<WorldLine, keyof Settled | 'bet'> }[]
  announced: { readonly direction: BookDirection; readonly nonce: string } | null
  isDeleted: boolean
}

interface SimulatedDay {
  readonly seed: Uint8Array
  readonly startPrice: number
  readonly prices: Int32Array
}

type Settled = Pick<SettledLine, 'status' | 'why' | 'entrySecond' | 'entry' | 'exit' | 'profit'>

/** Returns a function that returns random numbers from 0 to below 1, always the same for a seed (mulberry32). */
export function createChance(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

const RATES = { '30s': 5, '60s': 7, '90s': 9, '120s': 12 }
const LIVE = 'pyth'
/** Returns the bytes that stand in for the signed quote of a second. */
export const evidenceOf = (second: number): Uint8Array => toUtf8(`signed ${second}`)
const TEN_MINUTES = 600

/**
 * Makes a world with live and simulated prices in turns, half an hour of downtime in the fourth hour, bets by price, by
 * announced results and by scripts, ties, seconds without a price, deleted rounds and their next attempts, corrections,
 * disputes, and a feed that closes.
 */
export function makeWorld(options: WorldOptions): World {
  const { sha256, cycle = 3_600, actsPerRound = 0.04 } = options
  const chance = createChance(options.seed)
  const upTo = (number: number) => Math.floor(chance() * number)
  let drawn = 0
  const bytes = (length: number): Uint8Array => sha256(toUtf8(`${options.seed} ${drawn++}`)).subarray(0, length)
  const text = (length: number) => toBase64(bytes(length))
  const newId = () => {
    const hex = toHex(bytes(16))
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`
  }

  const entries: WorldEntry[] = []
  const write = <Kind extends EntryKind>(kind: Kind, at: number, fields: EntryFields[Kind]): WorldEntry => {
    const entry: WorldEntry = { kind, at, fields }
    entries.push(entry)
    return entry
  }

  const fromS = EPOCH_MS / 1000 + options.fromSecond
  const firstDay = Math.floor(fromS / DAY_SECONDS)
  const days = new Map<number, SimulatedDay>()
  const dayOf = (day: number): SimulatedDay => {
    let known = days.get(day)
    if (known === undefined) {
      const before = day === firstDay ? null : dayOf(day - 1)
      const seed = sha256(toUtf8(`seed ${options.seed} ${day}`))
      const startPrice =
        before === null ? 4_000_000 : lastSimulatedPrice(pathHash(sha256, before.seed), before.startPrice)
      known = { seed, startPrice, prices: simulatedPrices(pathHash(sha256, seed), startPrice, 0, DAY_SECONDS) }
      days.set(day, known)
    }
    return known
  }

  const liveTicks = new Map<number, { price: number | null; age: number | null }>()
  let livePrice = 4_010_000
  const liveAt = (second: number) => {
    const known = liveTicks.get(second)
    if (known !== undefined) return known
    // The steps are multiples of 0.1 dollars, so that entry and exit price are often equal.
    livePrice += (upTo(5) - 2) * 100
    const isMissing = chance() < 0.03
    const tick = isMissing ? { price: null, age: null } : { price: livePrice, age: upTo(1_300) }
    liveTicks.set(second, tick)
    return tick
  }
  const tickOf = (source: string, second: number): { price: number | null; age: number | null } => {
    if (source !== SIMULATED) return liveAt(second)
    const day = Math.floor(second / DAY_SECONDS)
    return { price: dayOf(day).prices[second - day * DAY_SECONDS] ?? null, age: null }
  }

  const hourOf = (second: number) => Math.floor((second - fromS) / 3_600)
  const sourceAt = (second: number) => (Math.floor((second - fromS) / cycle) % 3 === 2 ? SIMULATED : LIVE)
  const isDown = (second: number) => hourOf(second) === 3 && (second - fromS) % 3_600 >= 1_800

  let running: OpenRound[] = []
  /** Ended rounds that get their `closed` entry in the next second. */
  let ending: { round: OpenRound; result: EntryFields['result'] | null }[] = []
  let beatTicksFrom = fromS
  const disputed: WorldEntry[] = []
  const lostBets: WorldEntry[] = []

  function open(type: RoundType, index: number, attempt: number, opens: number, atMs: number): void {
    const { closesAtMs } = windowAt(type, index)
    const source = sourceAt(opens / 1000) === LIVE && sourceAt(closesAtMs / 1000) === LIVE ? LIVE : SIMULATED
    const locks = locksAtMs(closesAtMs, source !== SIMULATED)
    const round: OpenRound = {
      ...{ id: newId(), type, index, attempt, opens, locks, closes: closesAtMs, source, bets: [] },
      announced: null,
      isDeleted: false,
    }
    running.push(round)
    write('round', atMs, { round: round.id, type, n: index + 1, attempt, opens, locks, closes: closesAtMs, source })
  }

  function bet(round: OpenRound, atMs: number): void {
    const isScripted = chance() < 0.05
    const opening = {
      salt: text(16),
      direction: chance() < 0.5 ? ('UP' as const) : ('DOWN' as const),
      stake: 100 * (1 + upTo(2_000)),
      basis: isScripted ? ('SCRIPTED' as const) : round.announced === null ? ('PRICE' as const) : ('ADMIN' as const),
      script: isScripted ? (chance() < 0.5 ? ('WIN' as const) : ('LOSE' as const)) : null,
      at: atMs,
      entryFrom: Math.floor(atMs / 1000) + 1,
      id: newId(),
    }
    round.bets.push({ entry: write('bet', atMs, { round: round.id, c: commit(sha256, round.id, opening) }), opening })
  }

  function staffAct(round: OpenRound, atMs: number): void {
    const dice = chance()
    if (dice < 0.5 && round.announced === null) {
      const direction = chance() < 0.5 ? 'UP' : 'DOWN'
      const nonce = bytes(16)
      round.announced = { direction, nonce: toBase64(nonce) }
      write('announce', atMs, { round: round.id, c: toBase64(sha256(concatBytes(toUtf8(direction), nonce))) })
    } else if (dice >= 0.5) {
      const actor = chance() < 0.9 ? text(9) : null
      write('act', atMs, { act: 'round.delete', actor, round: round.id, bet: null, amount: null, c: text(32) })
      round.isDeleted = true
    }
  }

  /** Writes the result of a round. Its `closed` entry follows in the next second. */
  function settle(round: OpenRound, atMs: number): void {
    const from = round.opens / 1000
    const ticks = Array.from({ length: round.closes / 1000 - from + 1 }, (_, at) => tickOf(round.source, from + at))
    const [first, last] = [ticks[0]?.price ?? null, ticks.at(-1)?.price ?? null]
    const byPrice = first === null || last === null || first === last ? null : last > first ? 'UP' : 'DOWN'
    const result: EntryFields['result'] = {
      round: round.id,
      ticks: ticks.map(({ price }) => price),
      ages: round.source === SIMULATED ? null : ticks.map(({ age }) => age),
      result: round.announced?.direction ?? byPrice,
      by: round.announced === null ? 'PRICE' : 'ADMIN',
    }
    write('result', atMs, result)
    ending.push({ round, result })
  }

  function close({ round, result }: (typeof ending)[number], atMs: number): void {
    const lines = round.bets.map(({ entry, opening }) => ({
      bet: entry,
      ...opening,
      ...settleLine(round, result, opening),
    }))
    const decisive = new Set([round.opens / 1000, round.closes / 1000, ...lines.map(({ entrySecond }) => entrySecond)])
    const evidence = [...decisive]
      .filter((second): second is number => second !== null && tickOf(round.source, second).price !== null)
      .toSorted((a, b) => a - b)
      .map((second) => [second, toBase64(sha256(evidenceOf(second)))] as const)
    const entry = write('closed', atMs, {
      round: round.id,
      deleted: round.isDeleted,
      announce: round.announced,
      evidence: round.source === SIMULATED || round.isDeleted ? [] : evidence,
      ...{ bets: 0, won: 0, lost: 0, voided: 0, staked: 0, profit: 0, root: '' },
    })
    entry.lines = lines
    lostBets.push(...lines.filter(({ status }) => status === 'LOSE').map((line) => line.bet))
  }

  function beat(second: number): void {
    const sources = new Set(running.map(({ source }) => source))
    // After a downtime there are more seconds than one entry can hold, so the older ones are left out.
    beatTicksFrom = Math.max(beatTicksFrom, second - 60)
    const ticks = [LIVE]
      .filter((source) => sources.has(source))
      .flatMap((source) =>
        Array.from({ length: second - beatTicksFrom }, (_, at) => {
          const { price, age } = tickOf(source, beatTicksFrom + at)
          return [source, beatTicksFrom + at, price, age] as const
        }),
      )
    beatTicksFrom = second
    write('beat', second * 1000 + 990, { ticks })
  }

  write('rules', fromS * 1000, {
    product: 'kim-phien',
    rates: RATES,
    lockMs: { simulated: 1000, live: 3000 },
    text: toHex(bytes(32)),
  })
  const commitDay = (day: number, atMs: number) =>
    write('seed', atMs, { day, commitment: toBase64(sha256(dayOf(day).seed)) })
  for (let day = firstDay; day <= firstDay + 2; day++) commitDay(day, fromS * 1000 + 1)

  for (let second = fromS + 1; second < fromS + options.seconds; second++) {
    if (isDown(second)) continue
    const before = entries.length
    const nowMs = second * 1000
    // Seconds in which the server was down have no live price.
    if (isDown(second - 1))
      for (let s = second - 1_800; s < second; s++)
        if (isDown(s) && !liveTicks.has(s)) liveTicks.set(s, { price: null, age: null })
    const sinceMidnight = second % DAY_SECONDS
    if (sinceMidnight === 0 && second > fromS) commitDay(second / DAY_SECONDS + 2, nowMs)
    if (sinceMidnight === TEN_MINUTES && second > fromS) {
      const day = (second - TEN_MINUTES) / DAY_SECONDS - 1
      if (day >= firstDay) {
        const { seed, startPrice } = dayOf(day)
        write('seed-open', nowMs, { day, seed: toBase64(seed), startPrice })
      }
    }
    for (const type of ROUND_TYPES) {
      const index = Math.floor((second - EPOCH_MS / 1000) / DURATION_S[type])
      const window = windowAt(type, index)
      if (window.opensAtMs === nowMs) open(type, index, 0, nowMs, nowMs + 3)
    }
    for (const due of ending) close(due, nowMs + 20)
    ending = []
    for (const round of running) {
      const leftMs = round.closes - nowMs
      if (round.isDeleted || round.closes <= nowMs) continue
      const length = DURATION_S[round.type]
      const bets = options.betsPerRound / length
      for (let odds = bets; odds > 0; odds--) {
        const atMs = nowMs + 100 + upTo(700)
        if (chance() < odds && atMs < round.locks) bet(round, atMs)
      }
      if (leftMs > 12_000 && chance() < actsPerRound / length) staffAct(round, nowMs + 850)
    }
    for (const round of running.filter(({ isDeleted, closes }) => isDeleted && closes > nowMs)) {
      ending.push({ round, result: null })
      if (round.closes - nowMs > 11_000 && chance() < 0.7) {
        const at = nowMs + 900
        open(round.type, round.index, round.attempt + 1, nowMs, at)
        write('act', at, {
          act: 'round.force-create',
          actor: text(9),
          round: running.at(-1)?.id ?? '',
          ...{ bet: null, amount: null, c: null },
        })
      }
    }
    for (const round of running.filter(({ isDeleted, closes }) => !isDeleted && closes <= nowMs))
      settle(round, nowMs + 760)
    running = running.filter(({ isDeleted, closes }) => !isDeleted && closes > nowMs)
    if (chance() < 0.0005) write('feed', nowMs + 950, { source: LIVE, state: 'closed', why: 'UNPRICED' })
    const complaint = chance() < actsPerRound / 100 ? lostBets[upTo(lostBets.length)] : undefined
    if (complaint !== undefined && !disputed.includes(complaint)) {
      disputed.push(complaint)
      write('dispute', nowMs + 960, { bet: 0, state: 'opened', c: text(32) }).about = complaint
      const second = { actor: text(9), round: null, bet: null, amount: 500, c: null }
      write('act', nowMs + 965, { ...second, act: 'money.propose', actor: text(9) })
      write('act', nowMs + 966, { ...second, act: 'money.confirm' })
      write('act', nowMs + 970, {
        act: 'balance.adjust',
        actor: text(9),
        ...{ round: null, bet: 0, amount: 500, c: text(32) },
      }).about = complaint
      write('dispute', nowMs + 971, { bet: 0, state: 'upheld', c: text(32) }).about = complaint
    }
    if (entries.length > before ? second % options.beatEvery === 0 || ending.length > 0 : second % 10 === 0)
      beat(second)
  }
  beat(fromS + options.seconds)
  return { entries }
}

/** Returns the commitment of a line, as the entry of its bet holds it. */
export const commit = (
  sha256: Sha256,
  round: string,
  { salt, direction, stake, basis, script, at, entryFrom, id }: Omit<WorldLine, keyof Settled | 'bet'>,
): string =>
  toBase64(
    commitmentOf(
      sha256,
      base64Bytes(salt),
      encodeOpening({ bet: id, round, direction, stake, basis, script, at, entryFrom }),
    ),
  )

const base64Bytes = (text: string): Uint8Array => {
  const bytes = fromBase64(text)
  if (bytes === null) throw new Error('no base64')
  return bytes
}

/** Settles a bet as the product does. */
export function settleLine(
  round: {
    readonly type: RoundType
    readonly opens: number
    readonly closes: number
    readonly isDeleted: boolean
    readonly announced: { readonly direction: BookDirection } | null
  },
  result: Pick<EntryFields['result'], 'ticks' | 'ages'> | null,
  line: Omit<WorldLine, keyof Settled | 'bet'>,
): Settled {
  const from = round.opens / 1000
  const tickAt = (second: number): TickPrice | null => {
    const price = result?.ticks[second - from] ?? null
    return price === null ? null : { second, price, quoteAtMs: second * 1000 - (result?.ages?.[second - from] ?? 0) }
  }
  const outcome = decideSettlement(
    {
      type: round.type,
      closesAtMs: round.closes,
      staffDirection: round.announced === null ? null : round.announced.direction === 'UP' ? 'up' : 'down',
      isDeleted: round.isDeleted,
    },
    {
      direction: line.direction === 'UP' ? 'up' : 'down',
      stakeMinor: BigInt(line.stake),
      basis: line.basis,
      seenBasis: line.basis,
      scriptedOutcome: line.script === null ? null : line.script === 'WIN' ? 'win' : 'lose',
      acceptedAtMs: line.at,
    },
    tickAt,
  )
  return {
    status: outcome.status === 'won' ? 'WIN' : outcome.status === 'lost' ? 'LOSE' : 'VOID',
    why: outcome.voidReason,
    entrySecond: outcome.entry?.second ?? null,
    entry: outcome.entry?.price ?? null,
    exit: outcome.exit?.price ?? null,
    profit: Number(outcome.profitMinor),
  }
}

/** The files that a host publishes: the lines of the log, and the settled lines of each closed round by its id. */
export interface Published {
  readonly lines: readonly string[]
  readonly settled: ReadonlyMap<string, readonly string[]>
}

/**
 * Writes the world's facts as the lines of a log. Counts, sums and roots are computed from the settled lines.
 * @param previous the last note of the log before, which a restart ended
 */
export function publish(sha256: Sha256, { entries: made }: World, previous?: string): Published {
  const restart = (note: string): WorldEntry => ({
    kind: 'restart',
    at: made[0]?.at ?? 0,
    fields: { previous: toBase64(toUtf8(note)), why: 'RESTORED' },
  })
  const entries = previous === undefined ? made : [restart(previous), ...made]
  const indexes = new Map(entries.map((entry, index) => [entry, index]))
  const settled = new Map<string, readonly string[]>()
  const lines = entries.map((entry) => {
    if (entry.line !== undefined) return entry.line
    let fields = entry.fields
    if (entry.about !== undefined) fields = { ...fields, bet: indexes.get(entry.about) ?? 0 }
    if (entry.lines !== undefined) {
      const closed = fields as EntryFields['closed']
      const texts = entry.lines.map(({ bet, ...line }) => encodeSettledLine({ i: indexes.get(bet) ?? 0, ...line }))
      settled.set(closed.round, texts)
      const byPrice = entry.lines.filter(({ basis }) => basis === 'PRICE')
      const counted = (status: string) => entry.lines?.filter((line) => line.status === status).length ?? 0
      fields = {
        ...closed,
        ...{ bets: texts.length, won: counted('WIN'), lost: counted('LOSE'), voided: counted('VOID') },
        staked: byPrice.reduce((sum, { stake }) => sum + stake, 0),
        profit: byPrice.reduce((sum, { profit }) => sum + profit, 0),
        root: toBase64(
          rootOf(
            sha256,
            texts.map((line) => leafHash(sha256, toUtf8(line))),
          ),
        ),
        ...entry.instead,
      }
    }
    return encodeEntry(entry.kind, entry.at, encodeFields(entry.kind, fields))
  })
  return { lines, settled }
}
