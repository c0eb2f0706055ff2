import { describe, expect, test } from 'vitest'
import { flipped, sha256, testLog, verifyEd25519 } from '#testing/book/test-log.ts'
import { BookFaultError, BookHostError, type KnownLog, openBookSource } from './book-source.ts'
import { encodeBundle } from './bundle.ts'
import { fromUtf8, toBase64, toUtf8, utf8After } from './bytes.ts'

const opened = async (
  log: ReturnType<typeof testLog>,
  more: { vkey?: string; origin?: string; known?: KnownLog[] } = {},
) => openBookSource({ get: log.get, sha256, verifyEd25519, ...more })
const seenAs = (log: ReturnType<typeof testLog>, note: string): { known: KnownLog[] } => ({
  known: [{ origin: 'a.example/log', vkey: log.vkey, note }],
})
async function faultOf(act: () => Promise<unknown>) {
  try {
    await act()
  } catch (error) {
    if (error instanceof BookFaultError) return error.fault
    throw error
  }
  return null
}
async function allLines(log: ReturnType<typeof testLog>, from: number, to: number | null = null) {
  const source = await opened(log)
  const head = await source.head()
  const lines: string[] = []
  for await (const part of source.entries(head, from, to ?? head.size)) {
    expect(part.first).toBe(from + lines.length)
    lines.push(...part.lines)
  }
  return lines
}
const expectedLines = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => `e${from + at}`)

const SIZES = [1, 2, 255, 256, 257, 511, 512, 700, 1_500]

describe('an honest log', () => {
  test.each(SIZES)('of %i entries is read from anywhere to anywhere', async (size) => {
    const log = testLog()
    log.grow(size)
    expect(await allLines(log, 0)).toEqual(expectedLines(0, size))
    const from = Math.floor(size / 3)
    const to = Math.ceil((size * 2) / 3)
    expect(await allLines(log, from, to)).toEqual(expectedLines(from, to))
    expect(await allLines(log, size)).toEqual([])
  })

  test('of more than 65,536 entries reads each tile once, and no leaves of full bundles', async () => {
    const log = testLog()
    log.grow(65_536 + 300)
    expect(await allLines(log, 65_000, 65_700)).toEqual(expectedLines(65_000, 65_700))
    const tiles = log.asked.filter((path) => /tile\/\d/.test(path))
    expect(tiles.toSorted()).toEqual([
      '/log/tile/0/257.p/44',
      '/log/tile/1/000',
      '/log/tile/1/001.p/1',
      '/log/tile/2/000.p/1',
    ])
  })

  test('that grows extends what was seen', async () => {
    const log = testLog()
    log.grow(1)
    const source = await opened(log)
    for (const size of SIZES) {
      log.grow(size)
      expect((await source.head()).size).toBe(size)
    }
    const old = source.signedHead(log.note(log.textOf(300)))
    expect(typeof old).toBe('object')
    if (typeof old === 'object') await source.checkExtends(await source.head(), old)
    const known = log.note(log.textOf(511))
    expect((await (await opened(log, seenAs(log, known))).head()).size).toBe(1_500)
  })

  test('before its first note is no log yet, which is no fault', async () => {
    const log = testLog()
    log.changed.set('/log/checkpoint', () => ({ status: 404, bytes: new Uint8Array() }))
    const source = await opened(log)
    await expect(source.head()).rejects.toThrow(BookHostError)
  })
})

describe('a key', () => {
  test('that is another one than the known is a fault', async () => {
    const log = testLog()
    const other = testLog('a.example/log', 2)
    expect(await faultOf(() => opened(log, { vkey: other.vkey }))).toMatchObject({
      kind: 'log-key',
      expected: other.vkey,
      found: log.vkey,
    })
    expect((await opened(log, { vkey: log.vkey })).log).toEqual({
      origin: 'a.example/log',
      prefix: '/log',
      vkey: log.vkey,
    })
    log.changed.set('/log/key', () => ({ status: 200, bytes: toUtf8(other.vkey) }))
    expect(await faultOf(() => opened(log))).toMatchObject({ kind: 'log-key' })
  })

  test.each([
    ['no list', 'x'],
    ['no log', []],
    ['another name', [{ origin: 'b.example', prefix: '/log', vkey: testLog().vkey }]],
    ['a path elsewhere', [{ origin: 'a.example/log', prefix: '//other.example', vkey: testLog().vkey }]],
    ['no key', [{ origin: 'a.example/log', prefix: '/log', vkey: 'a' }]],
  ])('with %s in the list of logs is a fault', async (_, list) => {
    const log = testLog()
    log.changed.set('/log/logs', () => log.json(list))
    expect(await faultOf(() => opened(log))).toMatchObject({ kind: 'log-key' })
  })
})

test('a log that a restart ended is opened by its origin, and asks for places in itself', async () => {
  const log = testLog()
  const next = testLog('a.example/log/2')
  log.grow(3)
  const logs = [
    { origin: 'a.example/log/2', prefix: '/log/2', vkey: next.vkey },
    { origin: 'a.example/log', prefix: '/log', vkey: log.vkey },
  ]
  log.changed.set('/log/logs', () => log.json(logs))
  log.changed.set('/log/2/key', () => ({ status: 200, bytes: toUtf8(`${next.vkey}\n`) }))
  const hints = { rules: 0, seeds: [] }
  log.changed.set('/api/v1/book/anchors?before=3', () => log.json({ data: { rules: 7, seeds: [] } }))
  log.changed.set('/api/v1/book/anchors?before=3&origin=a.example%2Flog', () => log.json({ data: hints }))
  expect((await (await opened(log)).anchors(3)).rules).toBe(7)
  const older = await opened(log, { origin: 'a.example/log', ...seenAs(log, log.note()) })
  expect([(await older.head()).size, await older.anchors(3)]).toEqual([3, hints])
  expect(await faultOf(() => opened(log, { origin: 'a.example/log/3' }))).toMatchObject({ kind: 'log-key' })
  log.changed.set('/log/logs', () => log.json(logs.slice(0, 1)))
  expect(await faultOf(() => opened(log, seenAs(log, log.note())))).toMatchObject({ kind: 'log-key', found: null })
})

describe('a note', () => {
  const changedNote = async (change: (note: string) => string) => {
    const log = testLog()
    log.grow(700)
    log.changed.set('/log/checkpoint', ({ bytes }) => ({
      status: 200,
      bytes: toUtf8(change(fromUtf8(bytes) ?? '')),
    }))
    return faultOf(async () => (await opened(log)).head())
  }

  test('is named when it is wrong', async () => {
    expect(await changedNote((note) => note.replace('\n700\n', '\n699\n'))).toMatchObject({ kind: 'note-signature' })
    expect(await changedNote((note) => note.replace('a.example/log\n', 'b.example/log\n'))).toMatchObject({
      kind: 'note-signature',
    })
    expect(await changedNote((note) => note.slice(0, -9))).toMatchObject({ kind: 'note-form' })
    expect(await changedNote(() => '')).toMatchObject({ kind: 'note-form' })
    const log = testLog()
    log.grow(3)
    const signed = (text: string) => changedNote(() => log.note(text))
    expect(await signed(`${log.textOf(3)}more\n`)).toMatchObject({ kind: 'note-form' })
    expect(await signed(log.textOf(3).replace('a.example', 'b.example'))).toMatchObject({ kind: 'note-form' })
    expect(await signed(log.textOf(3).replace('\n3\n', '\n03\n'))).toMatchObject({ kind: 'note-form' })
  })

  test('that is smaller is asked for again for a minute, then stale', async () => {
    const log = testLog()
    log.grow(700)
    const waits: number[] = []
    const older = log.note(log.textOf(600))
    const wait = (ms: number) => {
      waits.push(ms)
      if (waits.length === 3) log.changed.clear()
      return Promise.resolve()
    }
    const source = await openBookSource({ get: log.get, sha256, verifyEd25519, wait })
    await source.head()
    const goBack = () => log.changed.set('/log/checkpoint', () => ({ status: 200, bytes: toUtf8(older) }))
    goBack()
    expect((await source.head()).size).toBe(700)
    expect(waits).toEqual([2_000, 2_000, 2_000])
    goBack()
    expect(await faultOf(() => source.head())).toMatchObject({ kind: 'note-stale', expected: 700, found: 600 })
    expect(waits.reduce((sum, ms) => sum + ms, -6_000)).toBe(60_000)
  })

  test.each([
    ['later', 700, 1_200],
    ['of the same size', 700, 700],
    ['earlier', 1_200, 700],
  ])('of a log that was written anew is forked, %s', async (_, before, after) => {
    const log = testLog()
    log.grow(before)
    const source = await opened(log)
    const seen = await source.head()
    const other = testLog()
    other.grow(after)
    other.rewrite(5, 'something else')
    log.changed.set('/log/checkpoint', () => ({ status: 200, bytes: toUtf8(other.note()) }))
    if (after >= before) log.rewrite(5, 'something else')
    if (after > before) log.grow(after)
    expect(await faultOf(() => source.head())).toMatchObject({ kind: 'note-forked' })
    expect(await faultOf(async () => (await opened(log, seenAs(log, seen.note))).head())).toMatchObject({
      kind: 'note-forked',
    })
  })
})

test('every bit of every tile and bundle on the way is looked at', async () => {
  const log = testLog()
  log.grow(1_300)
  await allLines(log, 0)
  await (await opened(log)).leafHashAt(await (await opened(log)).head(), 300)
  const paths = [...new Set(log.asked)].filter((path) => path.includes('/tile/'))
  expect(paths).toContain('/log/tile/0/001')
  let changes = 0
  for (const path of paths) {
    const { bytes } = await log.get(path)
    for (let step = 0; step < 12; step++) {
      const bit = Math.floor((step * 8 * bytes.length) / 12)
      log.changed.set(path, flipped(bit))
      const fault = await faultOf(async () => {
        await allLines(log, 0)
        const source = await opened(log)
        await source.leafHashAt(await source.head(), 300)
      })
      const isBundle = path.includes('entries')
      expect([path, bit, fault?.kind]).toEqual([
        path,
        bit,
        isBundle ? expect.stringMatching(/^(entry-hash|bundle-form)$/) : 'tile-hash',
      ])
      changes++
    }
    for (const cut of [0, 1, 32, bytes.length - 1]) {
      log.changed.set(path, (answer) => ({ ...answer, bytes: answer.bytes.subarray(0, cut) }))
      const fault = await faultOf(async () => {
        await allLines(log, 0)
        const source = await opened(log)
        await source.leafHashAt(await source.head(), 300)
      })
      expect(fault?.kind).toBe(path.includes('entries') ? 'bundle-form' : 'tile-hash')
      changes++
    }
    log.changed.delete(path)
  }
  expect(changes).toBeGreaterThan(100)
})

test('an entry that was changed, swapped, dropped or doubled in its bundle is named by its index', async () => {
  const log = testLog()
  log.grow(600)
  const path = '/log/tile/entries/001'
  const change = (edit: (lines: Uint8Array[]) => Uint8Array[]) => {
    log.changed.set(path, () => ({
      status: 200,
      bytes: encodeBundle(edit(expectedLines(256, 512).map(toUtf8))),
    }))
    return faultOf(() => allLines(log, 0))
  }
  expect(await change((lines) => lines)).toBeNull()
  expect(await change((lines) => lines.with(7, toUtf8('x')))).toMatchObject({ kind: 'entry-hash', index: 263 })
  expect(await change((lines) => lines.with(7, lines[8]!).with(8, lines[7]!))).toMatchObject({ index: 263 })
  expect(await change((lines) => lines.toSpliced(7, 1))).toMatchObject({ kind: 'bundle-form', found: 255 })
  expect(await change((lines) => lines.toSpliced(7, 0, lines[7]!))).toMatchObject({ kind: 'bundle-form' })
})

describe('a receipt', () => {
  const set = (log: ReturnType<typeof testLog>, data: unknown) =>
    log.changed.set('/api/v1/rounds/r1/receipt', () => log.json({ data }))
  const honest = {
    round: { index: 3, entry: 'e3' },
    result: { index: 300, entry: 'e300' },
    closed: null,
    announce: null,
  }

  test('shows what stands in the log', async () => {
    const log = testLog()
    log.grow(700)
    const source = await opened(log)
    set(log, { ...honest, note: log.note() })
    expect(await source.receipt('r1')).toMatchObject({ ...honest, head: { size: 700 } })
    expect(await source.receipt('r2')).toBeNull()
    // An older receipt of a cache is proven in the newest head.
    const older = log.note()
    log.grow(900)
    await source.head()
    set(log, { ...honest, note: older })
    expect(await source.receipt('r1')).toMatchObject({ ...honest, head: { size: 900 } })
  })

  test.each([
    ['receipt-entry', { round: { index: 3, entry: 'e4' } }],
    ['receipt-entry', { round: { index: 700, entry: 'e700' } }],
    ['receipt-form', { round: { index: -1, entry: 'e3' } }],
    ['receipt-form', { round: { index: 3 } }],
    ['receipt-form', { closed: undefined }],
    ['receipt-form', { note: 3 }],
    ['note-form', { note: 'x' }],
  ])('%s: %j', async (kind, change) => {
    const log = testLog()
    log.grow(700)
    set(log, { ...honest, note: log.note(), ...change })
    expect(await faultOf(async () => (await opened(log)).receipt('r1'))).toMatchObject({ kind })
  })

  test('has its lines exactly as they were sent', async () => {
    const log = testLog()
    log.grow(3)
    const pages = [Array.from({ length: 1_000 }, (_, at) => `{"i":${at}}`), ['{ "i" : 1000}', ' ']]
    for (const [at, page] of pages.entries())
      log.changed.set(`/api/v1/rounds/r1/receipt/bets?page=${at + 1}`, () => log.json({ data: page, meta: {} }))
    const source = await opened(log)
    const read = async (round: string, count: number) => {
      const lines: string[] = []
      for await (const page of source.settledLines(round, count)) lines.push(...page)
      return lines
    }
    expect(await read('r1', 1_002)).toEqual(pages.flat())
    expect(await read('r1', 0)).toEqual([])
    expect(await faultOf(() => read('r1', 1_003))).toMatchObject({ kind: 'receipt-missing', found: 1_002 })
    log.changed.set('/api/v1/rounds/r1/receipt/bets?page=2', () => log.json({ data: [1] }))
    expect(await faultOf(() => read('r1', 1_002))).toMatchObject({ kind: 'receipt-form' })
  })
})

test('a host that answers otherwise is no fault of the log', async () => {
  const log = testLog()
  log.grow(600)
  const source = await opened(log)
  const head = await source.head()
  log.changed.set('/log/tile/entries/001', () => ({ status: 503, bytes: new Uint8Array() }))
  await expect(source.entries(head, 256, 300).next()).rejects.toThrow(new BookHostError('/log/tile/entries/001', 503))
  log.changed.set('/log/tile/entries/001', () => ({ status: 404, bytes: new Uint8Array() }))
  expect(await faultOf(() => source.entries(head, 256, 300).next())).toMatchObject({ kind: 'bundle-form', index: 256 })
  await expect(source.anchors(3)).rejects.toThrow(BookHostError)
  log.changed.set('/api/v1/book/anchors?before=3', () =>
    log.json({ data: { rules: 0, seeds: [{ day: 1, index: 2 }] } }),
  )
  expect(await source.anchors(3)).toEqual({ rules: 0, seeds: [{ day: 1, index: 2 }] })
})

test('texts and bytes in UTF-8', () => {
  for (const text of ['', 'abc', 'é—\ufffd', 'Đã niêm phong #12']) {
    expect([toBase64(toUtf8(text)), fromUtf8(toUtf8(text))]).toEqual([Buffer.from(text).toString('base64'), text])
    expect(toBase64(utf8After(Uint8Array.of(7, 200), text))).toBe(
      Buffer.concat([Buffer.of(7, 200), Buffer.from(text)]).toString('base64'),
    )
  }
  for (const wrong of [[0x80], [0xc3], [0xe2, 0x80], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf0, 0x9f, 0x98, 0x80]])
    expect(fromUtf8(Uint8Array.from(wrong))).toBeNull()
})
