// Gate: processes are killed in the middle of their work.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, openAsBlob, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { decodeBundle } from '#domain/book/bundle.ts'
import { fromAscii, toBase64 } from '#domain/book/bytes.ts'
import { encodeFields } from '#domain/book/entry.ts'
import { leafHash, rootOf } from '#domain/book/merkle.ts'
import { parseEntry } from '#domain/book/parse-entry.ts'
import type { Database } from '#server/platform/database/db.ts'
import { openEmbedded } from '#server/platform/database/embedded.ts'
import type { SealOrder, SealReport } from '#testing/killed/seal-child.ts'
import { openTestDatabase, testEngines } from '#testing/database/test-database.ts'
import { sha256 } from './key.ts'
import { readHead } from './open-book.ts'
import { readTipFile } from './tip-file.ts'

/** How many processes are killed on each engine: few here, 50 and more with KILLS. */
const KILLS = Number(process.env['KILLS'] ?? 0)
const NATIVE_KILLS = KILLS || (inject('isFull') ? 10 : 5)
const EMBEDDED_KILLS = KILLS || (inject('isFull') ? 4 : 2)
const CHILD = fileURLToPath(new URL('../../../testing/killed/seal-child.ts', import.meta.url))
const COMPILE_CACHE = fileURLToPath(new URL('../../../.build/compile-cache', import.meta.url))

let dir: string
const children = new Set<ChildProcess>()
const notes = new Set<string>()
const queuedActs = new Set<number>()
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'killed-sealers-'))
  notes.clear()
  queuedActs.clear()
})
afterEach(() => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(dir, { recursive: true, force: true })
})

async function start(dataDir: string, url: string | null): Promise<ChildProcess> {
  const child = fork(CHILD, [dataDir, ...(url === null ? [] : [url])], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, NODE_COMPILE_CACHE: COMPILE_CACHE },
  })
  children.add(child)
  child.on('exit', () => children.delete(child))
  await once(child, 'message')
  return child
}

/** What the process did; null when it died during the order. */
function order(child: ChildProcess, wish: SealOrder): Promise<Extract<SealReport, { is: 'done' }> | null> {
  return new Promise((resolve, reject) => {
    const onReport = (report: SealReport) => {
      if (report.is === 'shown') notes.add(report.note)
      else if (report.is === 'queued') queuedActs.add(report.act)
      else {
        child.off('message', onReport).off('exit', onExit)
        resolve(report)
      }
    }
    const onExit = (code: number | null) => {
      child.off('message', onReport)
      if (code === null) resolve(null)
      else reject(new Error(`a sealer ended with ${code}`))
    }
    child.on('message', onReport).once('exit', onExit)
    child.send(wish)
  })
}

/** Places and moments spread over all steps of a start and of two turns. */
const MOMENTS = ['before', 'during', 'after', 'shown'] as const
const placeOf = (kill: number) => {
  const moment = MOMENTS[kill % MOMENTS.length] ?? 'before'
  const round = Math.floor(kill / MOMENTS.length)
  return { moment, nth: moment === 'shown' ? 1 + (round % 3) : 1 + ((round * 3 + kill) % 26) }
}

/** Verifies the whole log against every note that anybody could have seen, and answers the acts in its order. */
async function actsOfLog(db: Database): Promise<number[]> {
  const { rows: logs } = await db.query<{ generation: number; origin: string; vkey: string; note: string }>(
    'select generation, origin, vkey, note from book_logs join book_tips using (generation)',
  )
  const [log] = logs
  if (log === undefined || logs.length > 1) throw new Error(`${logs.length} logs`)
  const { rows } = await db.query<{ first_index: bigint; entries: Uint8Array }>(
    'select first_index, entries from book_entries order by first_index',
  )
  const entries = rows.flatMap((row) => decodeBundle(row.entries) ?? [])
  const leaves = entries.map((entry) => leafHash(sha256, entry))
  expect((await db.query('select 1 from book_queue')).rowCount).toBe(0)
  const bySize = new Map<number, string>()
  for (const note of [...notes, log.note]) {
    const head = readHead(note, log)
    if (head === null) throw new Error(`a note that is not signed: ${note}`)
    expect(toBase64(rootOf(sha256, leaves.slice(0, head.size)))).toBe(toBase64(head.root))
    expect(bySize.get(head.size) ?? note).toBe(note)
    bySize.set(head.size, note)
  }
  expect(Math.max(...bySize.keys())).toBe(entries.length)
  return entries.flatMap((bytes) => {
    const parsed = parseEntry(fromAscii(bytes) ?? '')
    if (parsed.is !== 'entry') throw new Error(`not an entry: ${fromAscii(bytes) ?? ''}`)
    return parsed.entry.k === 'act' ? [parsed.entry.amount ?? -1] : []
  })
}

describe.runIf(testEngines.includes('native'))(
  'two sealers, of which one is killed again and again (PostgreSQL only)',
  () => {
    test(
      'no entry is lost, doubled or out of the order of commits; no two notes differ',
      { timeout: 600_000 },
      async () => {
        const db = await openTestDatabase('native')
        try {
          const times = new Map<number, { begun: number; acknowledged: number }>()
          let last = 0
          const write = async (count: number) => {
            for (let nth = 0; nth < count; nth++) {
              const act = ++last
              const fields = { act: 'ledger.clear', actor: null, round: null, bet: null, amount: act, c: null } as const
              const begun = performance.now()
              await db.tx(async (tx) => {
                await tx.query(`insert into book_queue (kind, fields) values ('act', $1)`, [
                  encodeFields('act', fields),
                ])
                // Commits in another order than they were written.
                if (act % 3 === 0) await sleep(10)
              })
              times.set(act, { begun, acknowledged: performance.now() })
            }
          }
          const dirs = [join(dir, 'a'), join(dir, 'b')] as const
          let dying = await start(dirs[0], db.url)
          const living = await start(dirs[1], db.url)
          let killed = 0
          for (let kill = 0; kill < NATIVE_KILLS; kill++) {
            const spare = start(dirs[0], db.url)
            const dieAt = placeOf(kill)
            const [outcome] = await Promise.all([
              order(dying, { acts: [], forMs: 150, dieAt }),
              order(living, { acts: [], forMs: kill % 2 === 0 ? 0 : 150, dieAt: null }),
              ...Array.from({ length: 3 }, () => write(4)),
            ])
            if (outcome === null) killed++
            else {
              expect(outcome.stopWhy).toBeNull()
              dying.kill('SIGKILL')
            }
            const tip = readTipFile(dirs[0])
            if (tip !== null) notes.add(tip)
            dying = await spare
          }
          const done = await order(living, { acts: [], forMs: 100, dieAt: null })
          expect(done?.stopWhy).toBeNull()
          expect(killed).toBeGreaterThan(NATIVE_KILLS * 0.6)

          const acts = await actsOfLog(db)
          expect(acts.toSorted((a, b) => a - b)).toEqual([...times.keys()].toSorted((a, b) => a - b))
          let newestBegun = Number.NEGATIVE_INFINITY
          for (const act of acts) {
            const { begun, acknowledged } = times.get(act)!
            // Nothing that stands before it may have begun after it was committed.
            expect(newestBegun).toBeLessThan(acknowledged)
            newestBegun = Math.max(newestBegun, begun)
          }
        } finally {
          for (const child of children) child.kill('SIGKILL')
          await db.close()
        }
      },
    )
  },
)

describe('a sealer that is killed again and again on embedded', () => {
  test(
    'no entry is lost, doubled or out of the order of commits; no two notes differ',
    { timeout: 600_000 },
    async () => {
      const loadDump = await openAsBlob(inject('embeddedDumpPath'))
      await (await openEmbedded({ dataDir: dir, loadDump })).close()
      let last = 0
      let killed = 0
      // Few kills are at two of the four moments, which the run draws.
      const from = EMBEDDED_KILLS === 2 ? 2 * (inject('seed') % 2) : 0
      for (let kill = 0; kill < EMBEDDED_KILLS; kill++) {
        const child = await start(dir, null)
        const acts = Array.from({ length: 9 }, () => ++last)
        const outcome = await order(child, {
          acts,
          forMs: 100,
          dieAt: placeOf(KILLS > 0 ? kill : (from + kill) * 5 + 2),
        })
        if (outcome === null) killed++
        else child.kill('SIGKILL')
        if (outcome !== null) await once(child, 'exit')
        const tip = readTipFile(dir)
        if (tip !== null) notes.add(tip)
      }
      expect(killed).toBeGreaterThan(EMBEDDED_KILLS * 0.6)
      const child = await start(dir, null)
      const done = await order(child, { acts: [++last], forMs: 100, dieAt: null })
      expect(done?.stopWhy).toBeNull()
      child.disconnect()
      await once(child, 'exit')

      const db = await openEmbedded({ dataDir: dir })
      try {
        const acts = await actsOfLog(db)
        // One connection writes them: the order of their numbers is that of their commits.
        expect(acts).toEqual([...new Set(acts)].toSorted((a, b) => a - b))
        expect([...queuedActs].filter((act) => !acts.includes(act))).toEqual([])
        expect(queuedActs.size).toBeGreaterThan(0)
      } finally {
        await db.close()
      }
    },
  )
})
