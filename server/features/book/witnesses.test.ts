import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { parseVkey, verifyNote } from '#domain/book/note.ts'
import { createLog } from '#server/platform/process/log.ts'
import { openAuditLog } from '#server/features/audit/index.ts'
import { buildTestApp, testBookKey, testKey, openTestBook } from '#testing/app/app.ts'
import { testEngines } from '#testing/database/test-database.ts'
import { useDatabase } from '#testing/database/use-database.ts'
import { startWitness, type Witness } from '#server/commands/witness-service.ts'
import { bookKeyOf, sha256, verifyEd25519 } from './key.ts'
import { type OpenBook } from './open-book.ts'
import { restartLog } from './restart.ts'
import { askWitnesses, type BookWitness } from './witnesses.ts'

type Answer = { readonly status: number; readonly body: string } | null
const NOW = 1_700_000_000
const keyOf = (vkey: string) => parseVkey(sha256, vkey)!

describe.each(testEngines)('witnesses of the open book on %s', (engine) => {
  const db = useDatabase(engine)
  let dir: string
  let book: OpenBook
  const ends: (() => Promise<unknown>)[] = []
  beforeEach(async () => {
    dir = mkdtempSync(join(tmpdir(), 'witnesses-'))
    book = await openAnother()
    await seal(1)
  })
  afterEach(async () => {
    for (const end of ends.splice(0).toReversed()) await end()
    rmSync(dir, { recursive: true })
  })

  const openAnother = () => openTestBook(db, { origin: 'kim.example', beatEveryMs: 0 })
  /** Seals so many batches, each of a beat and 300 entries. */
  async function seal(batches: number) {
    for (let batch = 0; batch < batches; batch++) {
      await db.query(
        `insert into book_queue (kind, fields)
         select 'feed', ',"source":"x","state":"open","why":"OK"}' from generate_series(1, 300)`,
      )
      await book.turn()
    }
    return book.head()?.size ?? 0
  }
  async function witnessOf(
    byte: number,
    stateDir = join(dir, `w${byte}`),
  ): Promise<BookWitness & { service: Witness }> {
    const service = await startWitness({
      port: 0,
      host: '127.0.0.1',
      name: `w.example/${byte}`,
      key: bookKeyOf(Buffer.alloc(32, byte)),
      stateDir,
      logs: [{ key: keyOf(testBookKey.signerOf('kim.example').vkey), url: null }],
      nowSeconds: () => NOW,
      say: () => undefined,
    })
    ends.push(() => service.close())
    return { key: keyOf(service.vkey), url: service.url, service }
  }
  /** A witness that answers what it is told. */
  async function falseWitness(answer: (body: string) => Answer | Promise<Answer>): Promise<BookWitness> {
    const server: Server = createServer((request, response) => {
      let body = ''
      request.on('data', (part: Buffer) => (body += part.toString()))
      request.on('end', async () => {
        const said = await answer(body)
        if (said !== null) response.writeHead(said.status).end(said.body)
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    ends.push(() => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    })
    return {
      key: keyOf('w.example/1+0e0aac72+BP0XJDhaoMdbZPt4zWAvodmR/ev3axPFjtcC6sg16fYY'),
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    }
  }
  const ask = (...witnesses: readonly BookWitness[]) => {
    const stop = askWitnesses({ db, book, witnesses, log: createLog('silent'), askEveryMs: 20, timeoutMs: 1_000 })
    ends.push(stop)
    return stop
  }
  /** Names of the witnesses that signed the stored note, and its size. */
  async function witnessed(...witnesses: readonly BookWitness[]) {
    const { rows } = await db.query<{ note: string | null }>('select witnessed_note as note from book_tips')
    const note = rows[0]?.note ?? ''
    const verified = verifyNote(
      note,
      witnesses.map(({ key }) => key),
      verifyEd25519,
    )
    return {
      size: Number(note.split('\n')[1]),
      by: typeof verified === 'string' ? [] : verified.verified.map(({ key }) => key.name).toSorted(),
      isOurs: typeof verifyNote(note, [keyOf(testBookKey.signerOf('kim.example').vkey)], verifyEd25519) === 'object',
    }
  }
  const eventually = async (size: number, by: readonly BookWitness[], all = by) =>
    vi.waitFor(
      async () =>
        expect(await witnessed(...all)).toEqual({ size, by: by.map(({ key }) => key.name).toSorted(), isOurs: true }),
      10_000,
    )

  test('sign each later note, which is served; one that is away delays no other', async () => {
    const [first, second] = [await witnessOf(1), await witnessOf(2)]
    const silent = await falseWitness(() => null)
    const away = { key: first.key, url: 'http://127.0.0.1:1' }
    ask(away, silent, first, second)
    await eventually(await seal(1), [first, second])
    await seal(3)
    await first.service.close()
    const app = await buildTestApp(db, { book })
    ends.push(() => app.close())
    // The silent one keeps a turn for a second; whatever others sign meanwhile is stored at once.
    await eventually(await seal(1), [second], [first, second])
    const served = await app.http.inject({ url: '/log/checkpoint-witnessed' })
    expect([served.statusCode, served.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8'])
    expect(served.body).toMatch(/\n— w\.example\/2 \S+\n$/)
    expect(book.stopWhy()).toBeNull()
  })

  test('keep nobody waiting for the end of the process', async () => {
    let asked = 0
    const silent = await falseWitness(() => {
      asked++
      return null
    })
    const stop = askWitnesses({
      ...{ db, book, witnesses: [silent], log: createLog('silent') },
      ...{ askEveryMs: 20, timeoutMs: 600_000 },
    })
    await vi.waitFor(() => expect(asked).toBe(1), 10_000)
    await stop()
  })

  test('are asked again with the size that they answered, after a restart of either side', async () => {
    const stateDir = join(dir, 'kept')
    const before = await witnessOf(1, stateDir)
    const stop = ask(before)
    await eventually(await seal(2), [before])
    await stop()
    await before.service.close()
    await seal(2)
    // Nothing is remembered here: the first request is answered 409.
    const after = await witnessOf(1, stateDir)
    ask(after)
    await eventually(await seal(1), [after])
    expect(book.stopWhy()).toBeNull()
  })

  test('that are ahead of the database end the signing', async () => {
    const asked: string[] = []
    const ahead = await falseWitness((body) => {
      asked.push(body.split('\n', 1)[0] ?? '')
      return { status: 409, body: '1000000\n' }
    })
    ask(ahead)
    await vi.waitFor(() => expect(book.stopWhy()).toBe('WITNESS'), 10_000)
    expect(asked).toEqual(['old 0'])
    const size = book.head()?.size
    await seal(1)
    expect(book.head()?.size).toBe(size)
    expect((await openAnother()).stopWhy()).toBe('WITNESS')
  })

  test('that signed another log of this name end the signing', async () => {
    const other = await falseWitness((body) =>
      body.startsWith('old 0\n') ? { status: 409, body: '5\n' } : { status: 422, body: '' },
    )
    ask(other)
    await vi.waitFor(() => expect(book.stopWhy()).toBe('WITNESS'), 10_000)
  })

  test.each<[string, ...Exclude<Answer, null>[]]>([
    ['it is ahead of it', { status: 409, body: '1000000\n' }],
    ['it signed another one', { status: 409, body: '1\n' }, { status: 422, body: '' }],
  ])('that answer too late of a log that has ended that %s do not stop the next one', async (_, ...answers) => {
    await openAuditLog(db, testKey)
    const last = answers.at(-1)
    const [isAsked, mayAnswer, isAskedAgain] = Array.from({ length: 3 }, () => Promise.withResolvers<void>())
    const late = await falseWitness(async () => {
      const answer = answers.shift() ?? null
      if (answer === null) isAskedAgain?.resolve()
      if (answer === last) isAsked?.resolve()
      if (answer === last) await mayAnswer?.promise
      return answer
    })
    const deps = { db, book, witnesses: [late], log: createLog('silent') }
    ends.push(askWitnesses({ ...deps, askEveryMs: 20, timeoutMs: 600_000 }))
    await isAsked?.promise
    await restartLog({ db, key: testBookKey, dataDir: null, reopenRounds: async () => undefined }, 'RESTORED')
    await book.turn()
    mayAnswer?.resolve()
    await isAskedAgain?.promise
    expect(book.stopWhy()).toBeNull()
  })

  test.each([
    ['403', 403, ''],
    ['404', 404, ''],
    ['500', 500, 'oops'],
    ['no size', 409, 'many\n'],
    ['another spelling of a size', 409, '007\n'],
    ['nothing', 200, ''],
    ['a signature that is none', 200, '— w.example/1 DgqscgAAAAA=\n'],
    ['too much', 200, 'x'.repeat(20_000)],
  ])('that answer %s change nothing', async (_, status, body) => {
    let asked = 0
    const wrong = await falseWitness(() => {
      asked++
      return { status, body }
    })
    ask(wrong)
    await vi.waitFor(() => expect(asked).toBeGreaterThan(2), 10_000)
    expect(book.stopWhy()).toBeNull()
    expect((await db.query('select 1 from book_tips where witnessed_note is not null')).rowCount).toBe(0)
    await seal(1)
  })
})
