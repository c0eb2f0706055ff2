// Gate: each book is verified by a process of its own.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { type BookAnswer, BookHostError, openBookSource } from '#domain/book/book-source.ts'
import { decodeBundle, encodeBundle } from '#domain/book/bundle.ts'
import { fromUtf8, toUtf8 } from '#domain/book/bytes.ts'
import { checkBook } from '#domain/book/check-book.ts'
import { leafHash } from '#domain/book/merkle.ts'
import { encodeOpening } from '#domain/book/opening.ts'
import { formatProof } from '#domain/book/proof.ts'
import { parseSettledLine } from '#domain/book/settled-line.ts'
import { type BookHost, pathOf, serveBook, serveBoth } from '#domain/book/testing/book-host.ts'
import { makeWorld, type Published, publish } from '#domain/book/testing/book-world.ts'
import { bookKeyOf, verifyEd25519 } from '#server/features/book/index.ts'
import { sha256 } from '#testing/book/test-log.ts'
import { watchElsewhere } from './verify-elsewhere.ts'

const NODE_COMPILE_CACHE = fileURLToPath(new URL('../../.build/compile-cache', import.meta.url))
const program = fileURLToPath(new URL('verify-book.ts', import.meta.url))

function run(...args: readonly string[]): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawn(process.execPath, [program, ...args], { env: { ...process.env, NODE_COMPILE_CACHE } })
  let [out, err] = ['', '']
  child.stdout.on('data', (part: Buffer) => (out += part.toString()))
  child.stderr.on('data', (part: Buffer) => (err += part.toString()))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, out, err }))
  })
}

const folder = mkdtempSync(join(tmpdir(), 'verify-'))
const file = (name: string) => join(folder, name)
let published: Published
/** Tries again for five seconds, beside the other tests. */
const AWAY: readonly string[] = ['http://127.0.0.1:1']
let away: ReturnType<typeof run>
let host: Pick<BookHost, 'get' | 'vkey' | 'noteOf'>
let url = ''
const changed = new Map<string, (answer: BookAnswer) => BookAnswer>()
const hostWith = (byte: number, of: Published = published, origin = 'kim-phien/test') =>
  serveBook({ sha256, key: bookKeyOf(Buffer.alloc(32, byte)), origin }, of)
const server = createServer((request, response) => {
  const path = request.url ?? ''
  const { status, bytes } = changed.get(path)?.(host.get(path)) ?? host.get(path)
  response.writeHead(status).end(bytes)
})

beforeAll(async () => {
  away = run(...AWAY)
  const seconds = inject('isFull') ? 3_600 : 1_200
  published = publish(
    sha256,
    makeWorld({ sha256, seed: 3, fromSecond: 50_000, seconds, betsPerRound: 3, beatEvery: 10 }),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(() => {
  host = hostWith(4)
  changed.clear()
})

const makeOther = (previous?: string) =>
  publish(
    sha256,
    makeWorld({ sha256, seed: 4, fromSecond: 60_000, seconds: 300, betsPerRound: 1, beatEvery: 10 }),
    previous,
  )

const bets = () => [...published.settled.values()].reduce((sum, lines) => sum + lines.length, 0)

describe('an honest log', () => {
  test('is right as a whole: 0, and what was recomputed', async () => {
    const { code, out, err } = await run(`${url}/`, '--key', host.vkey)
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain(`kim-phien/test, ${published.lines.length} dòng (entries)`)
    expect(out).toContain(`đã tính lại (recomputed) ${bets()}`)
    expect(out).toMatch(/ĐÚNG +Chữ ký của sổ \(note\): 1\n/)
    expect(out).toContain('KHỚP: ')
    expect(out).not.toContain('LỖI')
  })

  test('without a key of the reader’s own says so loudly, and keeps it for the next time', async () => {
    const state = file('state.json')
    const first = await run(url, '--rounds', '5', '--state', state)
    expect(first.code).toBe(0)
    expect(first.err).toContain('KHÔNG CÓ KHÓA ĐÃ BIẾT')
    expect(first.err).toContain(host.vkey)
    expect(first.out).toMatch(/đã kết thúc \(closed\) [5-9]\d*,/)
    expect(JSON.parse(readFileSync(state, 'utf8'))).toEqual({
      logs: [{ origin: 'kim-phien/test', vkey: host.vkey, note: host.noteOf(published.lines.length) }],
    })
    const second = await run(url, '--rounds', '5', '--state', state)
    expect([second.code, second.err]).toEqual([0, ''])

    host = hostWith(5)
    const other = await run(url, '--rounds', '5', '--state', state)
    expect(other.code).toBe(1)
    expect(other.out).toContain('LỖI (fault): log-key')
  })

  function proofOf(of: Pick<BookHost, 'noteOf'>) {
    const [round = '', lines = []] = [...published.settled].find(([, some]) => some.length > 1) ?? []
    const line = parseSettledLine(lines[1] ?? '')!
    const { i, salt, id, direction, stake, basis, script, at, entryFrom } = line
    const opening = encodeOpening({ bet: id, round, direction, stake, basis, script, at, entryFrom })
    const leaves = published.lines.map((entry) => leafHash(sha256, toUtf8(entry)))
    const proof = formatProof({
      extra: Buffer.concat([Buffer.from(salt, 'base64'), toUtf8(opening)]),
      index: i,
      path: pathOf(sha256, leaves, i),
      checkpoint: of.noteOf(leaves.length),
    })
    return { i, proof }
  }

  test('has a proof of each bet', async () => {
    const { i, proof } = proofOf(host)
    writeFileSync(file('bet.tlog-proof'), proof)
    expect((await run(url, '--key', host.vkey, '--proof', file('bet.tlog-proof'))).code).toBe(0)
    writeFileSync(file('other.tlog-proof'), proof.replace(`index ${i}\n`, `index ${i + 1}\n`))
    const wrong = await run(url, '--key', host.vkey, '--proof', file('other.tlog-proof'))
    expect([wrong.code, wrong.out.includes('LỖI (fault): proof-path')]).toEqual([1, true])
  })

  test('that a restart ended is still right, by its key and by a proof that names it', async () => {
    const older = hostWith(4)
    const newer = hostWith(5, makeOther(older.noteOf(published.lines.length)), 'kim-phien/test/2')
    host = { ...older, ...serveBoth(newer, older) }
    const [seeds, status] = ['/api/v1/market/seeds?page=1&limit=100', '/api/v1/book/status']
    changed.set(seeds, () => older.get(seeds))
    changed.set(status, ({ bytes }) => ({
      status: 200,
      bytes: toUtf8((fromUtf8(bytes) ?? '').replace('"prefix":"/log"', '"prefix":"/log/2"')),
    }))
    const last = await run(url, '--key', older.vkey, '--rounds', '3')
    expect([last.code, last.out]).toEqual([0, expect.stringContaining('KHỚP: ')])
    writeFileSync(file('older.tlog-proof'), proofOf(older).proof)
    const proven = await run(url, '--proof', file('older.tlog-proof'))
    expect([proven.code, proven.out]).toEqual([0, expect.stringContaining('kim-phien/test,')])
    expect(proven.err).toContain(older.vkey)
  })
})

describe('what the host’s pages say is compared with the log', () => {
  /** Over a midnight, with simulated rounds before it. */
  const overMidnight = publish(
    sha256,
    makeWorld({ sha256, seed: 3, fromSecond: 85_900, seconds: 1_300, betsPerRound: 1, beatEvery: 10, cycle: 100 }),
  )
  const seedsPath = '/api/v1/market/seeds?page=1&limit=100'
  const statusPath = '/api/v1/book/status'
  type Json = Record<string, unknown>
  beforeEach(() => {
    host = hostWith(4, overMidnight)
  })

  const withData = (path: string, change: (data: never) => unknown) =>
    changed.set(path, ({ status, bytes }) => {
      const { data, ...more } = JSON.parse(fromUtf8(bytes) ?? '') as { data: never }
      return { status, bytes: toUtf8(JSON.stringify({ ...more, data: change(data) })) }
    })
  /** The kinds of what is wrong, as the command finds them. */
  async function faults(wait: () => void = () => undefined): Promise<string[]> {
    const get = (path: string) => Promise.resolve(changed.get(path)?.(host.get(path)) ?? host.get(path))
    const source = await openBookSource({ get, sha256, verifyEd25519, vkey: host.vkey, wait: async () => wait() })
    const elsewhere = watchElsewhere(source, get)
    const { faults: found, head } = await checkBook(elsewhere.source, { sha256, rounds: 'all', readsReceipts: true })
    const kinds = [...found, ...(head === null ? [] : await elsewhere.compare(head))].map(({ kind }) => kind)
    return [...new Set(kinds)]
  }

  test('nothing differs on an honest host, also with an older note of witnesses', async () => {
    expect(await faults()).toEqual([])
    changed.set('/log/checkpoint-witnessed', () => ({ status: 200, bytes: toUtf8(host.noteOf(5)) }))
    expect(await faults()).toEqual([])
  })

  test.each<[string, string, string, (data: never) => unknown]>([
    [
      'another commitment',
      'seeds-page',
      seedsPath,
      ([day, ...rest]: Json[]) => [{ ...day, commitment: 'ab' }, ...rest],
    ],
    ['another start price', 'seeds-page', seedsPath, (days: Json[]) => days.map((day) => ({ ...day, startPrice: 1 }))],
    [
      'no seed of an opened day',
      'seeds-page',
      seedsPath,
      (days: Json[]) => days.map((day) => ({ ...day, seed: null })),
    ],
    ['no day', 'seeds-page', seedsPath, () => []],
    ['days that are no texts', 'seeds-page', seedsPath, () => [{ day: { toString: 1, valueOf: 1 } }]],
    [
      'a size that is no number',
      'status-page',
      statusPath,
      (data: Json) => ({ ...data, size: { toString: 1, valueOf: 1 } }),
    ],
    ['another size', 'status-page', statusPath, (data: Json) => ({ ...data, size: Number(data['size']) + 1 })],
    ['another time', 'status-page', statusPath, (data: Json) => ({ ...data, noteAt: '2026-01-01T00:00:00.000Z' })],
    ['another key', 'status-page', statusPath, (data: Json) => ({ ...data, vkey: 'x' })],
  ])('%s: %s', async (_, kind, path, change) => {
    withData(path, change)
    expect(await faults()).toEqual([kind])
  })

  test('a host that always has more days is asked for no more than there can be', async () => {
    const { bytes } = host.get(seedsPath)
    const { data } = JSON.parse(fromUtf8(bytes) ?? '') as { data: unknown[] }
    let pages = 0
    const more = (days: unknown[]) => {
      if (++pages > 200) throw new Error('This host is asked for ever')
      return { status: 200, bytes: toUtf8(JSON.stringify({ data: days, meta: { hasMore: true } })) }
    }
    changed.set(seedsPath, () => more(data))
    for (let page = 2; page <= 201; page++) changed.set(seedsPath.replace('page=1', `page=${page}`), () => more([]))
    expect(await faults()).toEqual([])
  })

  test('a process behind the one that told a size, or has the witnesses’ note, is waited for', async () => {
    const ahead = host
    const beat = overMidnight.lines.findLastIndex(
      (line, at, all) => at < all.length - 1 && line.startsWith('{"k":"beat"'),
    )
    const behind = hostWith(4, { ...overMidnight, lines: overMidnight.lines.slice(0, beat + 1) })
    const witnessed = () => ({ status: 200, bytes: toUtf8(ahead.noteOf(overMidnight.lines.length)) })
    for (const [path, answer] of [
      [statusPath, () => ahead.get(statusPath)],
      ['/log/checkpoint-witnessed', witnessed],
    ] as const) {
      changed.clear()
      changed.set(path, answer)
      let waits = 0
      host = behind
      expect(await faults(() => void (++waits === 3 && (host = ahead)))).toEqual([])
      expect(waits).toBe(3)
      host = behind
      expect(await faults()).toEqual([path === statusPath ? 'status-page' : 'note-stale'])
    }
  })

  test('a receipt that leaves out a result, and one that is missing', async () => {
    const [round = ''] = [...overMidnight.settled].find(([, lines]) => lines.length > 0) ?? []
    const path = `/api/v1/rounds/${round}/receipt`
    withData(path, (data: Json) => ({ ...data, result: null }))
    expect(await faults()).toEqual(['receipt-entry'])
    changed.set(path, () => ({ status: 404, bytes: new Uint8Array() }))
    expect(await faults()).toEqual(['receipt-missing'])
  })

  test('a note of witnesses that is of another log', async () => {
    const other = hostWith(4, { ...overMidnight, lines: overMidnight.lines.slice(0, 5).toReversed() })
    changed.set('/log/checkpoint-witnessed', () => ({ status: 200, bytes: toUtf8(other.noteOf(5)) }))
    await expect(faults()).rejects.toThrow('note-forked')
  })

  test('a note of witnesses that the host cannot give now is not a fault', async () => {
    changed.set('/log/checkpoint-witnessed', () => ({ status: 503, bytes: toUtf8('{"code":"OVERLOADED"}') }))
    await expect(faults()).rejects.toThrow(BookHostError)
  })

  test('a signed day beyond all dates is a fault', async () => {
    const lines = overMidnight.lines.map((line) =>
      line.startsWith('{"k":"seed",') ? line.replace(/"day":\d+/, '"day":8700000000000000') : line,
    )
    host = hostWith(4, { ...overMidnight, lines })
    expect(await faults()).toContain('entry-form')
  })

  test('the command ends with 1 for it, and with 3, never with 0, while something is pending', async () => {
    withData(seedsPath, () => [])
    const wrong = await run(url, '--key', host.vkey)
    expect([wrong.code, wrong.out.includes('LỖI (fault): seeds-page')]).toEqual([1, true])
    changed.clear()
    const opened = overMidnight.lines.findIndex((line) => line.startsWith('{"k":"seed-open"'))
    const before = overMidnight.lines.slice(0, opened)
    const beat = before.findLastIndex((line) => line.startsWith('{"k":"beat"'))
    host = hostWith(4, { ...overMidnight, lines: before.slice(0, beat + 1) })
    const { code, out } = await run(url, '--key', host.vkey)
    expect([code, out.includes('KHỚP ĐẾN NAY')]).toEqual([3, true])
  })

  test.each([seedsPath, statusPath])('%s that is no answer of a host is not a fault', async (path) => {
    for (const text of ['null', '{}', '{"data":null}', '5']) {
      changed.set(path, () => ({ status: 200, bytes: toUtf8(text) }))
      await expect(faults()).rejects.toThrow(BookHostError)
    }
    changed.set(path, () => ({ status: 200, bytes: toUtf8('{"data":[null]}') }))
    expect(await faults()).toEqual([path === seedsPath ? 'seeds-page' : 'status-page'])
  })
})

describe('what is changed on the way ends with 1 and its name', () => {
  const bundlePath = '/log/tile/entries/001'
  const found = async (...args: readonly string[]) => {
    const { code, out } = await run(url, ...(args.length === 0 ? ['--key', hostWith(4).vkey] : args))
    return [code, /LỖI \(fault\): (\S+)/.exec(out)?.[1]]
  }

  test('an entry', async () => {
    changed.set(bundlePath, ({ bytes }) => {
      const entries = decodeBundle(bytes) ?? []
      return { status: 200, bytes: encodeBundle(entries.with(7, toUtf8(`${fromUtf8(entries[7]!)} `))) }
    })
    expect(await found()).toEqual([1, 'entry-hash'])
  })

  test('the history since the last time', async () => {
    const state = file('before.json')
    expect((await run(url, '--rounds', '1', '--state', state)).code).toBe(0)
    const beats = published.lines.map((line, at) => (line.startsWith('{"k":"beat"') ? at : -1)).filter((at) => at > 0)
    const without = published.lines.toSpliced(beats[3] ?? 0, 1)
    host = hostWith(4, {
      ...published,
      lines: [...without, ...published.lines.slice(-1), ...published.lines.slice(-1)],
    })
    expect(await found('--rounds', '1', '--state', state)).toEqual([1, 'note-forked'])
  })
})

test.each([
  ['no host', []],
  ['another protocol', ['ftp://127.0.0.1']],
  ['two ways to check', ['http://127.0.0.1:1', '--all', '--rounds', '3']],
  ['a key that is none', ['http://127.0.0.1:1', '--key', 'a']],
  ['a host that is away', AWAY],
])('%s ends with 2', async (_, args) => {
  const { code, out, err } = await (args === AWAY ? away : run(...args))
  expect([code, out]).toEqual([2, ''])
  expect(err.length).toBeGreaterThan(10)
})

test('a state file that cannot be written ends with 2, after the result', async () => {
  const { code, out, err } = await run(url, '--rounds', '1', '--state', file('no/folder/state.json'))
  expect([code, out, err]).toEqual([2, expect.stringContaining('recomputed'), expect.stringContaining('cannot write')])
})

test.each(['null', '{"logs":[null]}', '{"logs":{}}', '{'])('a state file %s ends with 2', async (text) => {
  writeFileSync(file('damaged.json'), text)
  const { code, err } = await run('http://127.0.0.1:1', '--state', file('damaged.json'))
  expect([code, err]).toEqual([2, expect.stringContaining('not a state file')])
})

test('a host without a log ends with 2', async () => {
  changed.set('/log/logs', () => ({ status: 404, bytes: new Uint8Array() }))
  const { code, err } = await run(url)
  expect([code, err]).toEqual([2, expect.stringContaining('/log/logs')])
})
