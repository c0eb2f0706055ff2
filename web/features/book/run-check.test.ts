import { getPublicKey, sign } from '@noble/ed25519'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { BookAnswer } from '#domain/book/book-source.ts'
import { concatBytes, fromBase64, toUtf8 } from '#domain/book/bytes.ts'
import { leafHash } from '#domain/book/merkle.ts'
import { encodeOpening } from '#domain/book/opening.ts'
import { formatProof } from '#domain/book/proof.ts'
import { parseSettledLine } from '#domain/book/settled-line.ts'
import { type BookHost, pathOf, serveBook, serveBoth } from '#domain/book/testing/book-host.ts'
import { makeWorld, type Published, publish } from '#domain/book/testing/book-world.ts'
import { sha256 } from '#web/platform/book-crypto.ts'
import { bookGet } from '#web/platform/book-get.ts'
import type { KeptLog } from '#web/platform/book-notes.ts'
import type { CheckReport, CheckRequest, FromWorker } from './check-messages.ts'
import { runCheck } from './run-check.ts'

const secret = new Uint8Array(32).fill(7)
const key = { publicKey: getPublicKey(secret), sign: (message: Uint8Array) => sign(message, secret) }
const bookOf = (seed: number, fromSecond: number, previous?: string): Published =>
  publish(sha256, makeWorld({ sha256, seed, fromSecond, seconds: 300, betsPerRound: 2, beatEvery: 10 }), previous)
const first = bookOf(3, 50_000)
const older = serveBook({ sha256, key, origin: 'kim-phien/test' }, first)
const books = { older: first, newer: bookOf(4, 60_000, older.noteOf(first.lines.length)) }
const newer = serveBook({ sha256, key, origin: 'kim-phien/test/2' }, books.newer)
const { get: find } = serveBoth(newer, older)

async function run(
  request: CheckRequest,
  get: (path: string) => Promise<BookAnswer> = async (path) => find(path),
  known: readonly KeptLog[] = [],
  signal = new AbortController().signal,
): Promise<CheckReport | 'host' | 'crash'> {
  const told: FromWorker[] = []
  await runCheck(request, { get, known, tell: (message) => told.push(message), signal })
  const last = told.at(-1)
  if (last === undefined || 'step' in last) throw new Error('no end')
  return 'report' in last ? last.report : last.failure
}

describe('after a restart of the log', () => {
  const closedIn = ({ settled }: Published) => [...settled].find(([, lines]) => lines.length > 1) ?? ['', []]
  const keptOf = ({ origin, vkey, noteOf }: BookHost): KeptLog => ({ origin, vkey, note: noteOf(20), size: 20 })

  test.each([
    ['older', older],
    ['newer', newer],
  ] as const)('a round of the %s log is checked in that log', async (which, host) => {
    const [round] = closedIn(books[which])
    for (const known of [[], [keptOf(older), keptOf(newer)]])
      expect(await run({ kind: 'round', round }, undefined, known)).toMatchObject({
        ...{ state: 'right', faults: [], vkey: host.vkey },
      })
  })

  test('an older log that the newer one does not follow, and the device never saw, is not believed', async () => {
    const [round] = closedIn(books.older)
    const other = new Uint8Array(32).fill(8)
    const anotherKey = { publicKey: getPublicKey(other), sign: (message: Uint8Array) => sign(message, other) }
    const invented = serveBook({ sha256, key: anotherKey, origin: 'kim-phien/test' }, books.older)
    const newerAfter = (previous?: string) =>
      serveBook({ sha256, key, origin: 'kim-phien/test/2' }, bookOf(4, 60_000, previous))
    const lost = serveBook({ sha256, key, origin: 'kim-phien/test/lost' }, books.older)
    for (const [both, kind] of [
      [serveBoth(newer, invented), 'note-signature'],
      [serveBoth(newerAfter(), older), 'restart-place'],
      [serveBoth(newerAfter(lost.noteOf(20)), older), 'restart-place'],
    ] as const)
      expect(await run({ kind: 'round', round }, async (path) => both.get(path))).toMatchObject({
        ...{ state: 'wrong', faults: [{ kind }] },
      })
  })

  test.each([
    ['is checked in the next log', 1, { state: 'right', faults: [] }],
    ['and back is wrong', 4, { state: 'wrong', faults: [{ kind: 'note-signature' }] }],
  ] as const)('a round that a restart moves during its check %s', async (_, receiptsOfOlder, expected) => {
    const [round] = closedIn(books.newer)
    let receipts = 0
    const get = async (path: string) => {
      const isOfOlder = path.endsWith('/receipt') && receipts++ % 2 === 0 && receipts < receiptsOfOlder * 2
      return isOfOlder
        ? { status: 200, bytes: toUtf8(JSON.stringify({ data: { note: older.noteOf(20) } })) }
        : find(path)
    }
    expect(await run({ kind: 'round', round }, get)).toMatchObject(expected)
  })

  test('the proof of a bet in the older log is right, and a log that vanished is wrong', async () => {
    const [round, lines] = closedIn(books.older)
    const { i, salt, id, ...line } = parseSettledLine(lines[0] ?? '')!
    const { direction, stake, basis, script, at, entryFrom } = line
    const opening = encodeOpening({ bet: id, round, direction, stake, basis, script, at, entryFrom })
    const leaves = books.older.lines.map((entry) => leafHash(sha256, toUtf8(entry)))
    const text = formatProof({
      extra: concatBytes(fromBase64(salt)!, toUtf8(opening)),
      index: i,
      path: pathOf(sha256, leaves, i),
      checkpoint: older.noteOf(leaves.length),
    })
    const request = { kind: 'proof', text } as const
    expect(await run(request)).toMatchObject({ state: 'right', faults: [], proof: { index: i } })
    expect(await run(request, async (path) => newer.get(path))).toMatchObject({ faults: [{ kind: 'log-key' }] })
  })
})

describe('a host', () => {
  afterEach(() => vi.unstubAllGlobals())

  test.each(['/log/logs', '/log/2/tile/entries/000.p/'])('that hangs at %s does not hold up a stop', async (at) => {
    const stopping = new AbortController()
    vi.stubGlobal('fetch', (path: string) => {
      if (!path.startsWith(at)) return Promise.resolve(new Response(find(path).bytes as Uint8Array<ArrayBuffer>))
      setTimeout(() => stopping.abort(), 10)
      return new Promise(() => undefined)
    })
    const { signal } = stopping
    expect(await run({ kind: 'rounds', count: 1 }, bookGet(signal), [], signal)).toMatchObject({
      ...{ state: 'stopped', faults: [] },
    })
  })

  test('that is away or busy for a moment is asked again, each time for a limited time', async () => {
    const answers = [503, 429, 502, 200].map(
      (status) => new Response('ok', { status, headers: { 'retry-after': '0' } }),
    )
    const fetch = vi.fn((_: string, __: RequestInit): Promise<Response> => Promise.resolve(answers.shift()!))
    fetch.mockRejectedValueOnce(new TypeError('offline'))
    vi.stubGlobal('fetch', fetch)
    const get = bookGet(new AbortController().signal)
    expect(await get('/log/key')).toEqual({ status: 200, bytes: toUtf8('ok') })
    expect(fetch).toHaveBeenCalledTimes(5)
    for (const [, { signal }] of fetch.mock.calls) expect(signal).toBeInstanceOf(AbortSignal)
    fetch.mockImplementation(async () => new Response('', { status: 503, headers: { 'retry-after': '0' } }))
    expect((await get('/log/key')).status).toBe(503)
    expect(fetch).toHaveBeenCalledTimes(9)
  })
})
