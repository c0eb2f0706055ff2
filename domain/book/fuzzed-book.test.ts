import { createPublicKey, generateKeyPairSync, hash, sign, verify } from 'node:crypto'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { BookFaultError, BookHostError, openBookSource } from './book-source.ts'
import { fromAscii, fromBase64, fromUtf8, concatBytes, toUtf8 } from './bytes.ts'
import { checkBook, checkRound, type CheckResult } from './check-book.ts'
import { type BookHost, serveBook } from './testing/book-host.ts'
import { makeWorld, createChance, type Published, publish } from './testing/book-world.ts'
import type { Get } from './testing/tamperings.ts'

/*
 * Changes that nobody thought of: bytes and fields by chance, the same for each seed.
 */

const sha256 = (bytes: Uint8Array) => new Uint8Array(hash('sha256', bytes, 'buffer'))
const { publicKey, privateKey } = generateKeyPairSync('ed25519')
const SPKI = fromBase64('MCowBQYDK2VwAyEA') ?? new Uint8Array()
const verifyEd25519 = (raw: Uint8Array, message: Uint8Array, signature: Uint8Array) =>
  verify(
    null,
    message,
    createPublicKey({ key: Buffer.from(concatBytes(SPKI, raw)), format: 'der', type: 'spki' }),
    signature,
  )
const key = {
  publicKey: new Uint8Array(publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)),
  sign: (message: Uint8Array) => new Uint8Array(sign(null, message, privateKey)),
}
const serve = (published: Published) => serveBook({ sha256, key, origin: 'kim-phien/test' }, published)

/** 23:53 UTC: some rounds of every kind, over midnight. */
const world = makeWorld({
  sha256,
  seed: 11,
  fromSecond: 30 * 86_400 + 23 * 3_600 + 53 * 60 + 17,
  ...{ seconds: 500, betsPerRound: 3, beatEvery: 5, cycle: 180, actsPerRound: 0.6 },
})

type Outcome =
  | { readonly is: 'fault'; readonly kind: string }
  /** The host gave no answer of a log: not checked, and said so. */
  | { readonly is: 'no answer' }
  | { readonly is: 'checked'; readonly result: CheckResult }

async function look(host: BookHost, get: Get, round: string | null): Promise<Outcome> {
  try {
    const source = await openBookSource({ get: async (path) => get(path), sha256, verifyEd25519, vkey: host.vkey })
    const result = await (round === null
      ? checkBook(source, { sha256, rounds: 'all' })
      : checkRound(source, round, { sha256 }))
    const [fault] = result.faults
    return fault === undefined ? { is: 'checked', result } : { is: 'fault', kind: fault.kind }
  } catch (error) {
    if (error instanceof BookFaultError) return { is: 'fault', kind: error.fault.kind }
    if (error instanceof BookHostError) return { is: 'no answer' }
    throw error
  }
}

interface Chance {
  /** A whole number from 0 to below `count`. */
  readonly upTo: (count: number) => number
  readonly any: <Value>(values: readonly Value[]) => Value
}

function chanceOf(seed: number): Chance {
  const next = createChance(seed)
  const upTo = (count: number) => Math.floor(next() * count)
  return { upTo, any: (values) => values[upTo(values.length)] as (typeof values)[number] }
}

const someBytes = ({ upTo }: Chance, count: number): Uint8Array => Uint8Array.from({ length: count }, () => upTo(256))

/** Other bytes than these. */
function changeBytes(bytes: Uint8Array, chance: Chance): Uint8Array {
  const { upTo, any } = chance
  const at = upTo(bytes.length)
  const to = Math.min(bytes.length, at + 1 + upTo(40))
  const [before, after] = [bytes.subarray(0, at), bytes.subarray(to)]
  switch (any(['bit', 'bytes', 'cut', 'out', 'in', 'double', 'all', 'value'] as const)) {
    case 'bit':
      return bytes.with(at, (bytes[at] ?? 0) ^ (1 << upTo(8)))
    case 'bytes':
      return concatBytes(before, someBytes(chance, to - at), after)
    case 'cut':
      return before
    case 'out':
      return concatBytes(before, after)
    case 'in':
      return concatBytes(before, someBytes(chance, 1 + upTo(40)), bytes.subarray(at))
    case 'double':
      return concatBytes(bytes.subarray(0, to), bytes.subarray(at))
    case 'all':
      return someBytes(chance, upTo(2 * bytes.length))
    case 'value': {
      const json = parseJson(bytes)
      return json === undefined
        ? concatBytes(before, toUtf8('0'), after)
        : toUtf8(JSON.stringify(changeValue(json, chance)))
    }
  }
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(fromUtf8(bytes) ?? '')
  } catch {
    return undefined
  }
}

const ODD = [null, true, 0, -1, 1.5, 2 ** 53, '', 'UP', 'DOWN', 'x', [], [null], {}, [[1, 2], [3]]] as const

/** The same JSON with one value in it, at any depth, exchanged for another. */
function changeValue(json: unknown, chance: Chance): unknown {
  const { upTo, any } = chance
  const keys = json !== null && typeof json === 'object' ? Object.keys(json) : []
  if (keys.length > 0 && upTo(10) > 0) {
    const at = any(keys)
    const value = changeValue((json as Record<string, unknown>)[at], chance)
    return Array.isArray(json) ? json.with(Number(at), value) : { ...(json as Record<string, unknown>), [at]: value }
  }
  if (typeof json === 'number' && upTo(2) === 0) return json + any([1, -1, 1_000, -json])
  return any(ODD.filter((odd) => JSON.stringify(odd) !== JSON.stringify(json)))
}

const SEEDS = Array.from({ length: inject('isFull') ? 20 : 4 }, (_, at) => at + 1)
const EACH = 20

describe('a log that chance changes', () => {
  const published = publish(sha256, world)
  const host = serve(published)
  const rounds = published.lines.flatMap((line) => /^\{"k":"closed".*?"round":"([^"]+)"/.exec(line)?.[1] ?? [])
  const honest = new Map<string | null, { readonly result: CheckResult; readonly paths: readonly string[] }>()

  beforeAll(async () => {
    for (const asked of [null, ...rounds]) {
      const paths: string[] = []
      const get: Get = (path) => {
        paths.push(path)
        return host.get(path)
      }
      const seen = await look(host, get, asked)
      if (seen.is !== 'checked') throw new Error(`The honest log: ${JSON.stringify(seen)}`)
      honest.set(asked, { result: seen.result, paths: [...new Set(paths)] })
    }
  })

  test.each(SEEDS)('on the way, seed %i: a fault, no answer, or the same book as before', async (seed) => {
    const chance = chanceOf(seed)
    for (let turn = 0; turn < EACH; turn++) {
      const asked = chance.any([null, chance.any(rounds)])
      const known = honest.get(asked)
      const target = chance.any(known?.paths ?? [])
      const bytes = changeBytes(host.get(target).bytes, chance)
      const seen = await look(host, (path) => (path === target ? { status: 200, bytes } : host.get(path)), asked)
      // What means the same, such as a space between two fields of an answer, changes nothing of what was found.
      if (seen.is === 'checked') expect([seed, turn, target, seen.result]).toEqual([seed, turn, target, known?.result])
    }
  })

  test.each(SEEDS)('by who holds the key, seed %i: a fault, or nothing that could be recomputed', async (seed) => {
    const chance = chanceOf(1_000 + seed)
    for (let turn = 0; turn < EACH; turn++) {
      const at = chance.upTo(published.lines.length)
      const line = published.lines[at] ?? ''
      const changed = changeLine(line, chance)
      const told = serve({ ...published, lines: published.lines.with(at, changed) })
      const seen = await look(told, told.get, null)
      if (seen.is !== 'checked') expect([seed, turn, seen.is]).toEqual([seed, turn, 'fault'])
      else if (seen.result.summary.notUnderstood === 0)
        expect(CANNOT_BE_RECOMPUTED).toContain(differenceOf(line, changed))
    }
  })
})

/**
 * What only a reader who saw the entry before notices: when it was written, within the order of the log; an adjustment's
 * amount, which only its player knows; what a source of live prices calls itself.
 */
const CANNOT_BE_RECOMPUTED = [
  ...[
    'rules',
    'seed',
    'seed-open',
    'round',
    'bet',
    'announce',
    'result',
    'closed',
    'beat',
    'act',
    'feed',
    'dispute',
  ].map((kind) => `${kind} at`),
  'act amount',
  'round source',
]

/** Kind and names of the fields that differ. */
function differenceOf(line: string, changed: string): string {
  const [one, other] = [JSON.parse(line), JSON.parse(changed)] as [Record<string, unknown>, Record<string, unknown>]
  const differs = (name: string) => JSON.stringify(one[name]) !== JSON.stringify(other[name])
  return [one['k'], ...Object.keys({ ...one, ...other }).filter(differs)].join(' ')
}

/** Another line: one of its values, or any of its bytes. */
function changeLine(line: string, chance: Chance): string {
  for (;;) {
    const changed =
      chance.upTo(4) > 0
        ? JSON.stringify(changeValue(JSON.parse(line), chance))
        : (fromAscii(changeBytes(toUtf8(line), chance)) ?? line)
    if (changed !== line && changed.length < 60_000) return changed
  }
}
