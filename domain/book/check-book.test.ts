// Gate: hundreds of whole books are forged and checked.
import { createPublicKey, generateKeyPairSync, hash, type KeyObject, sign, verify } from 'node:crypto'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { type BookAnswer, BookFaultError, type BookSource, openBookSource } from './book-source.ts'
import type { FaultKind } from './faults.ts'
import { concatBytes, fromBase64, toBase64, toUtf8 } from './bytes.ts'
import { CHECK_STEPS, checkBook, checkProof, checkRound, type StepProgress } from './check-book.ts'
import type { EntryFields } from './entry.ts'
import { leafHash } from './merkle.ts'
import { encodeOpening } from './opening.ts'
import { formatProof } from './proof.ts'
import { addCounts, NO_COUNTS } from './rate-counts.ts'
import { type BookHost, pathOf, serveBook } from './testing/book-host.ts'
import { makeWorld, type Published, publish, type World } from './testing/book-world.ts'
import { type Get, type Tampering, tamperings } from './testing/tamperings.ts'
import { type Forger, operatorLies, toldRounds } from './testing/operator-lies.ts'

const sha256 = (bytes: Uint8Array) => new Uint8Array(hash('sha256', bytes, 'buffer'))
const { publicKey, privateKey } = generateKeyPairSync('ed25519')
const SPKI = fromBase64('MCowBQYDK2VwAyEA') ?? new Uint8Array()
const keys = new Map<string, KeyObject>()
const keyOf = (raw: Uint8Array): KeyObject => {
  const name = toBase64(raw)
  const known =
    keys.get(name) ?? createPublicKey({ key: Buffer.from(concatBytes(SPKI, raw)), format: 'der', type: 'spki' })
  keys.set(name, known)
  return known
}
const verifyEd25519 = (raw: Uint8Array, message: Uint8Array, signature: Uint8Array) =>
  verify(null, message, keyOf(raw), signature)
const key = {
  publicKey: new Uint8Array(publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)),
  sign: (message: Uint8Array) => new Uint8Array(sign(null, message, privateKey)),
}
const serve = (published: Published) => serveBook({ sha256, key, origin: 'kim-phien/test' }, published)
const open = (host: BookHost) => openBookSource({ get: async (path) => host.get(path), sha256, verifyEd25519 })

/** Over midnight, from 20:00:17 UTC of a day for six hours, or for twelve. */
const DAY = 30 * 86_400
const HONEST = inject('isFull')
  ? { fromSecond: DAY + 14 * 3_600 + 17, seconds: 43_200, least: 500, rounds: 400 }
  : { fromSecond: DAY + 20 * 3_600 + 17, seconds: 21_600, least: 250, rounds: 200 }

/** It begins inside rounds of every type, as at an upgrade. */
describe('an honest log of some hours', () => {
  let world: World
  let published: Published
  let source: BookSource

  beforeAll(async () => {
    world = makeWorld({
      sha256,
      seed: 1,
      fromSecond: HONEST.fromSecond,
      seconds: HONEST.seconds,
      betsPerRound: 4,
      beatEvery: 1,
      cycle: 3_600,
      actsPerRound: 0.04,
    })
    published = publish(sha256, world)
    source = await open(serve(published))
  })

  const fieldsOf = <Kind extends keyof EntryFields>(kind: Kind): EntryFields[Kind][] =>
    world.entries.filter((entry) => entry.kind === kind).map(({ fields }) => fields as EntryFields[Kind])
  const roundsWhere = (is: (round: EntryFields['round']) => boolean) => fieldsOf('round').filter(is)

  test('has all that can happen to a round', () => {
    const results = fieldsOf('result')
    const lines = world.entries.flatMap((entry) => entry.lines ?? [])
    expect(results.filter(({ ages }) => ages === null).length).toBeGreaterThan(HONEST.least)
    expect(results.filter(({ ages }) => ages !== null).length).toBeGreaterThan(HONEST.least)
    expect(
      results.some(({ by, result, ticks }) => by === 'PRICE' && result === null && ticks[0] === ticks.at(-1)),
    ).toBe(true)
    expect(results.some(({ by }) => by === 'ADMIN')).toBe(true)
    expect(fieldsOf('closed').some(({ deleted }) => deleted)).toBe(true)
    expect(roundsWhere(({ attempt }) => attempt === 1).length).toBeGreaterThan(5)
    for (const why of ['TIE', 'NO_TICK', 'ROUND_DELETED']) expect(lines.some((line) => line.why === why)).toBe(true)
    for (const basis of ['PRICE', 'ADMIN', 'SCRIPTED']) expect(lines.some((line) => line.basis === basis)).toBe(true)
    expect(fieldsOf('seed-open')).toHaveLength(1)
    expect(fieldsOf('dispute').length).toBeGreaterThan(2)
  })

  test('is right in all of it, and waits for the seed of the running day', async () => {
    const steps: StepProgress[] = []
    const result = await checkBook(source, { sha256, rounds: 'all', onStep: (step) => steps.push(step) })
    expect(result.faults).toEqual([])
    expect(result).toMatchObject({ state: 'pending', faultCount: 0 })
    const closed = fieldsOf('closed').length
    const { summary } = result
    expect(summary).toMatchObject({ entries: published.lines.length, closed, outside: 0, notUnderstood: 0 })
    expect(summary.pending).toBeGreaterThan(100)
    expect(summary.onPath).toBeGreaterThan(0.6 * HONEST.least)
    const lines = world.entries.flatMap((entry) => entry.lines ?? [])
    expect(result.settledBets).toBe(lines.length)
    const counts = result.rates.reduce((sum, rate) => addCounts(sum, rate.counts), NO_COUNTS)
    const byPrice = lines.filter(({ basis }) => basis === 'PRICE')
    expect(counts).toMatchObject({
      won: byPrice.filter(({ status }) => status === 'WIN').length,
      lost: byPrice.filter(({ status }) => status === 'LOSE').length,
      profit: byPrice.reduce((sum, { profit }) => sum + profit, 0),
    })
    const lastOf = (name: string) => steps.findLast(({ step }) => step === name)
    expect(CHECK_STEPS.map((step) => lastOf(step)?.state)).toEqual(['right', 'right', 'right', 'right', 'pending'])
    expect(lastOf('entries')).toMatchObject({ done: published.lines.length, total: published.lines.length })
  })

  test('is right in its last rounds, which stand on hints that are proven', async () => {
    const result = await checkBook(source, { sha256, rounds: HONEST.rounds })
    expect(result.faults).toEqual([])
    expect(result.summary.closed).toBeGreaterThanOrEqual(HONEST.rounds)
    expect(result.summary.closed).toBeLessThan(HONEST.rounds + 20)
    expect(result.summary.entries).toBeLessThan(published.lines.length / 2)
    expect(result.settledBets).toBeGreaterThan(2.5 * HONEST.rounds)
  })

  test('is right in single rounds of every kind', async () => {
    const opened = endOfDay(fieldsOf('seed-open')[0]?.day ?? 0)
    const cases = [
      ['a live one', roundsWhere(({ source: from }) => from === 'pyth')[40], 'right'],
      [
        'a simulated one of a day whose seed is open',
        roundsWhere((r) => r.source === 'simulated' && r.closes < opened)[9],
        'right',
      ],
      [
        'a simulated one of the running day',
        roundsWhere((r) => r.source === 'simulated' && r.opens > opened)[9],
        'pending',
      ],
      ['a second attempt', roundsWhere(({ attempt }) => attempt === 1)[0], 'right'],
      ['the newest', fieldsOf('round').at(-1), 'pending'],
    ] as const
    for (const [name, round, state] of cases) {
      const result = await checkRound(source, round?.round ?? '', { sha256 })
      expect([name, result.faults]).toEqual([name, []])
      expect([name, result.state]).toEqual([
        name,
        round?.source === 'simulated' && round.opens > opened ? 'pending' : state,
      ])
      const line = world.entries.find(
        ({ lines, fields }) => lines && (fields as { round: string }).round === round?.round,
      )
      expect(result.settledBets).toBe(line?.lines?.length ?? 0)
    }
  })

  test('a check stops when it is told to', async () => {
    const signal = { aborted: false }
    const states = new Map<string, string>()
    const result = await checkBook(source, {
      sha256,
      rounds: 'all',
      signal,
      onStep: ({ step, state, done }) => {
        states.set(step, state)
        if (step === 'entries' && done > 5_000) signal.aborted = true
      },
    })
    expect(result.state).toBe('stopped')
    // What was judged whole before stays right.
    expect(Object.fromEntries(states)).toEqual({
      ...{ note: 'right', entries: 'stopped', rounds: 'stopped', bets: 'stopped', prices: 'stopped' },
    })
    expect(result.summary.entries).toBeLessThan(6_000)
  })

  test('proves one bet, and notices a proof that is another’s', async () => {
    const closed = world.entries.findLast(({ lines }) => (lines?.length ?? 0) > 2)
    const [line, other] = closed?.lines ?? []
    if (closed === undefined || line === undefined || other === undefined) throw new Error('no bets')
    const { round } = closed.fields as EntryFields['closed']
    const hashes = published.lines.map((text) => leafHash(sha256, toUtf8(text)))
    const proofOf = (told: typeof line, about: typeof line, size: number) => {
      const index = world.entries.indexOf(about.bet)
      const { salt, id: bet, direction, stake, basis, script, at, entryFrom } = told
      const opening = encodeOpening({ bet, round, direction, stake, basis, script, at, entryFrom })
      const extra = concatBytes(fromBase64(salt) ?? new Uint8Array(), toUtf8(opening))
      const path = pathOf(sha256, hashes.slice(0, size), index)
      return formatProof({ extra, index, path, checkpoint: serve(published).noteOf(size) })
    }
    const size = published.lines.length - 20
    const right = await checkProof(source, proofOf(line, line, size), { sha256 })
    expect(right).toMatchObject({ state: 'right', index: world.entries.indexOf(line.bet), opening: { bet: line.id } })
    const wrong = await checkProof(source, proofOf(other, line, size), { sha256 })
    expect(wrong).toMatchObject({ state: 'wrong', faults: [{ kind: 'proof-path' }] })
    const changed = await checkProof(source, proofOf({ ...line, stake: line.stake + 100 }, line, size), { sha256 })
    expect(changed.faults).toMatchObject([{ kind: 'proof-path' }])
    expect((await checkProof(source, 'nothing', { sha256 })).faults).toMatchObject([{ kind: 'proof-form' }])
    // Stopped between the host's note and the proof's own, the step does not read as right.
    const states: string[] = []
    const stopped = await checkProof(
      { ...source, checkExtends: () => Promise.reject(new Error('the call was given up')) },
      proofOf(line, line, size),
      { sha256, signal: { aborted: true }, onStep: ({ state }) => states.push(state) },
    )
    expect([stopped.state, states.at(-1)]).toEqual(['stopped', 'stopped'])
  })
})

test.runIf(inject('isFull'))(
  'finds nothing wrong in ten thousand honest rounds over two changes of the day (long run only)',
  async () => {
    const world = makeWorld({ sha256, seed: 11, fromSecond: 80_017, seconds: 150_000, betsPerRound: 1, beatEvery: 5 })
    const result = await checkBook(await open(serve(publish(sha256, world))), { sha256, rounds: 'all' })
    expect(result.faults).toEqual([])
    const { closed, deleted, onPath } = result.summary
    expect(closed).toBeGreaterThan(10_000)
    expect(deleted).toBeGreaterThan(50)
    expect(onPath).toBeGreaterThan(1_000)
    expect(result.rates.length).toBeGreaterThan(15)
    // Six seconds on a calm machine.
  },
  180_000,
)

/** 23:41:17 UTC: every kind of round, over midnight, until the day's seed is open for long. */
const EVENING = 30 * 86_400 + 23 * 3_600 + 41 * 60 + 17
const busyEvening = (seed: number): World =>
  makeWorld({
    sha256,
    seed,
    fromSecond: EVENING,
    ...{ seconds: 2_600, betsPerRound: inject('isFull') ? 4 : 2, beatEvery: 10, cycle: 300, actsPerRound: 0.6 },
  })

const forgerOf = (world: World, seed: number): Forger => {
  let state = seed
  const upTo = (count: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7f_ff_ff_ff
    return Math.floor((state / 0x80_00_00_00) * count)
  }
  const any = <Value>(values: readonly Value[]): Value => {
    const value = values[upTo(values.length)]
    if (value === undefined) throw new Error('nothing to choose from')
    return value
  }
  const told = toldRounds(world)
  return { entries: world.entries, any, pick: (is) => any(told.filter(is)) }
}

describe('an operator who signs a whole new log with a lie in it', () => {
  let world: World
  beforeAll(() => {
    world = busyEvening(7)
  })

  /** Stops at the first fault. */
  const check = async (told: World) => {
    const signal = { aborted: false }
    return checkBook(await open(serve(publish(sha256, told))), {
      sha256,
      rounds: 'all',
      signal,
      onStep: ({ state }) => {
        if (state === 'wrong') signal.aborted = true
      },
    })
  }

  test('is given away by nothing while there is no lie', async () => {
    const result = await check(world)
    expect(result.faults).toEqual([])
    expect(result.summary.onPath).toBeGreaterThan(20)
  })

  const lies = operatorLies(sha256)
  test.each(lies.map((lie) => [lie.name, lie.kind, lie] as const))('%s: %s', async (_, kind, lie) => {
    const told = structuredClone(world)
    lie.tell(forgerOf(told, 1))
    const { state, faults } = await check(told)
    expect([state, faults[0]?.kind]).toEqual(['wrong', kind])
  })

  test('who claims bets without end is asked for no more than one that the log lacks', async () => {
    const told = structuredClone(world)
    const { closed } = forgerOf(told, 1).pick((one) => one.lines.length > 0 && one.result !== null)
    closed.instead = { bets: 2 ** 50 }
    const host = serve(publish(sha256, told))
    let asked = 0
    const get = async (path: string): Promise<BookAnswer> => {
      if (!path.includes('?page=') || path.endsWith('?page=1')) return host.get(path)
      if (++asked > 20) throw new Error('This host is asked for ever')
      return { status: 200, bytes: toUtf8('{"data":["{}"]}') }
    }
    const source = await openBookSource({ get, sha256, verifyEd25519 })
    const { faults } = await checkBook(source, { sha256, rounds: 'all' })
    expect(faults.map(({ kind }) => kind)).toContain('totals')
    expect(asked).toBe(1)
  })
})

describe('an honest log that is changed on the way', () => {
  const world = makeWorld({
    sha256,
    seed: 3,
    fromSecond: EVENING,
    ...{ seconds: 1_500, betsPerRound: 8, beatEvery: 5, cycle: 540, actsPerRound: 0.6 },
  })
  const published = publish(sha256, world)
  const honest = serve(published)
  const full = Math.floor(published.lines.length / 256)
  const [round, other] = toldRounds(world).filter(
    (told) =>
      told.announce !== null &&
      told.result !== null &&
      told.lines.length > 2 &&
      world.entries.indexOf(told.closed) < 256 * full,
  )
  const idOf = (told: typeof round): string => {
    if (told === undefined) throw new Error('no such round')
    return (told.round.fields as EntryFields['round']).round
  }

  const faultOf = async (
    get: Get,
    asks: Tampering['asks'],
    lastNote: string | null = null,
  ): Promise<FaultKind | null> => {
    try {
      const known = [{ origin: honest.origin, vkey: honest.vkey, note: lastNote }]
      const options = { get: async (path: string) => get(path), sha256, verifyEd25519, known }
      const source = await openBookSource(options)
      const result = await (asks === 'book'
        ? checkBook(source, { sha256, rounds: 'all' })
        : checkRound(source, idOf(round), { sha256 }))
      return result.faults[0]?.kind ?? null
    } catch (error) {
      if (error instanceof BookFaultError) return error.fault.kind
      throw error
    }
  }

  test('has every signed quote that its rounds name', async () => {
    const closed = toldRounds(world).find((told) => (told.closed.fields as EntryFields['closed']).evidence.length > 1)
    const id = idOf(closed)
    const named = closed?.closed.fields as EntryFields['closed'] | undefined
    const [second] = named?.evidence[1] ?? []
    const seen = async (change: (bytes: Uint8Array) => BookAnswer) => {
      const get = async (path: string) => {
        const answer = honest.get(path)
        return path.endsWith(`/market/evidence/pyth/${second}`) ? change(answer.bytes) : answer
      }
      const source = await openBookSource({ get, sha256, verifyEd25519, vkey: honest.vkey })
      return (await checkRound(source, id, { sha256 })).faults.map(({ kind }) => kind)
    }
    expect(await seen((bytes) => ({ status: 200, bytes }))).toEqual([])
    expect(await seen((bytes) => ({ status: 200, bytes: bytes.subarray(1) }))).toEqual(['evidence-bytes'])
    expect(await seen((bytes) => ({ status: 404, bytes }))).toEqual(['evidence-bytes'])
  })

  test('is right while nobody changes it', async () => {
    expect(await faultOf(honest.get, 'book')).toBeNull()
    expect(await faultOf(honest.get, 'round')).toBeNull()
    expect(await faultOf(honest.get, 'book', honest.noteOf(300))).toBeNull()
  })

  const cases = tamperings(full, idOf(round), idOf(other))
  test.each(cases.map((one) => [one.name, one.kind, one] as const))('%s: %s', async (_, kind, { asks, tamper }) => {
    expect(await faultOf(tamper(honest.get), asks)).toBe(kind)
  })

  test.each([1, 2, 200, 256, 257, 300, 512, 600])('an older note (%i entries): note-stale', async (size) => {
    const get: Get = (path) =>
      path === '/log/checkpoint' ? { status: 200, bytes: toUtf8(honest.noteOf(size)) } : honest.get(path)
    expect(await faultOf(get, 'book', honest.noteOf(published.lines.length))).toBe('note-stale')
  })

  test.each([100, 255, 256, 300, 511, 512, 700, published.lines.length])(
    'another history than the one seen before (%i entries): note-forked',
    async (size) => {
      const told = structuredClone(world)
      const bet = told.entries.find(({ kind }) => kind === 'bet')
      if (bet !== undefined) bet.at += 1
      expect(await faultOf(serve(publish(sha256, told)).get, 'book', honest.noteOf(size))).toBe('note-forked')
    },
  )
})

/** End of a day that is counted since 1970, Unix ms. */
const endOfDay = (day: number) => (day + 1) * 86_400_000
