import { randomBytes } from 'node:crypto'
import { rmSync, statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '#server/platform/database/db.ts'
import { listBackups } from '#server/installation/backup-file.ts'
import { brokenInvariants } from '#testing/play/books.ts'
import { withEmbedded } from '../../bench/embedded.ts'
import { until } from '#testing/time/until.ts'
import { type BarLine, exactly, withinS } from '../report.ts'
import { auditBooks, type MoneyWorld, withMoneyWorld } from './money-world.ts'
import { inFolder } from '#testing/machines/folder.ts'
import { makeOwnServer, type OwnServer, runProgram } from '#testing/machines/process.ts'
import { type Acknowledged, startFastWriters, type Written } from './writers.ts'

/** BACKUP_EVERY, and the pause of a writer between two acts, of which the short form needs fewer accounts. */
const FORMS = { full: { everyMinutes: 15, pauseMs: 1_000 }, short: { everyMinutes: 1, pauseMs: 300 } } as const
const WRITERS = 20
/** An account has 40 acts, whose pauses are twice the shortest on average. */
const ACTS_OF_ACCOUNT = 40
/** The next backup is lost after this part of it was written: the newest whole one is hardly ever older. */
const WRITTEN_PART = 0.75
/** The writers write for this long before the first backup. */
const BEFORE_MS = 5_000
const BACK_S = 120
const SIGNED_WITHIN_MS = 15_000
const LOOK_EVERY_MS = 5

/**
 * An embedded installation that backs itself up loses its machine, at the worst moment: while the next backup is written.
 * It comes back on another one, from the newest file of BACKUP_DIR alone.
 */
export function lostMachine(isShort: boolean): Promise<BarLine[]> {
  const { everyMinutes, pauseMs } = FORMS[isShort ? 'short' : 'full']
  const everyMs = everyMinutes * 60_000
  const accounts = WRITERS * (2 + Math.ceil(everyMs / (ACTS_OF_ACCOUNT * 2 * pauseMs)))
  return withMoneyWorld('embedded', 'lost-machine', accounts, (world) =>
    inFolder((folder) => losing(world, folder, everyMinutes, pauseMs)),
  )
}

async function losing(
  { server, writers: world, dataDir }: MoneyWorld,
  folder: string,
  everyMinutes: number,
  pauseMs: number,
): Promise<BarLine[]> {
  const everyMs = everyMinutes * 60_000
  const backups = join(folder, 'backups')
  const env = {
    BACKUP_EVERY: String(everyMinutes),
    BACKUP_DIR: backups,
    // The key is kept elsewhere, as operations.md says: the machine's own copy is lost with it.
    BACKUP_KEY: randomBytes(32).toString('base64'),
  }
  const start = async (more: Record<string, string> = env) => {
    await server.start(more)
  }
  await start({})
  const writers = startFastWriters(server.url, world, WRITERS, { pauseMs })
  await sleep(BEFORE_MS)
  await server.stop()
  await start()
  const first = await until('the first backup is there', 60_000, async () => (await listBackups(backups))[0])
  // A server that has started since the newest backup was made must begin the next backup as early as the others.
  await sleep(everyMs / 3)
  await server.stop()
  await start()
  const killedAtMs = await killDuringNextBackup(server, backups, first.path, everyMs)
  const acknowledged = writers.acknowledged()
  rmSync(dataDir, { recursive: true })
  const stopping = writers.stop()
  const [newest] = await listBackups(backups)
  if (newest?.path !== first.path) throw new Error('The next backup was whole already: nothing was lost in its time.')

  const elsewhere = join(folder, 'data')
  const operate = (name: string, more: object, ...args: string[]) =>
    runProgram(`server/commands/${name}.ts`, { args, env: { DATA_DIR: elsewhere, ...more } })
  const { code, said } = await operate('restore', env, '--from', newest.path)
  const takenAtMs = Date.parse(/ as it was at (\S+):/.exec(said)?.[1] ?? '')
  if (code !== 0 || Number.isNaN(takenAtMs)) throw new Error(`The backup was not restored: ${said}`)
  const restored = await makeOwnServer(elsewhere, {})
  try {
    await restored.start()
    const backMs = Date.now() - killedAtMs
    // Longer than it takes to sign a note of the book.
    await sleep(SIGNED_WITHIN_MS)
    const before = await bookAt(restored)
    const { said: restarted } = await operate('log-restart', {}, '--why', 'RESTORED')
    const after = await until(`the book is signed: ${restarted}`, SIGNED_WITHIN_MS, async () => {
      const book = await bookAt(restored)
      return book.isSealing ? book : undefined
    })
    const findings = await auditBooks(elsewhere, {})
    await restored.kill()
    const written = await stopping
    const seen = await withEmbedded(elsewhere, async (db) => ({
      ...(await compareLost(db, written)),
      broken: await brokenInvariants(db),
    }))
    for (const finding of [...findings, ...seen.broken]) process.stderr.write(`  ${finding}\n`)
    const oldestMs = seen.gone.length === 0 ? 0 : killedAtMs - Math.min(...seen.gone.map(({ atMs }) => atMs))
    const what = `embedded, BACKUP_EVERY=${everyMinutes}, kill -9 and DATA_DIR lost while the next backup was written`
    process.stderr.write(
      `  ${basename(first.path)} holds ${new Date(takenAtMs).toISOString()}, killed at ${new Date(killedAtMs).toISOString()}\n`,
    )
    return [
      withinS(
        `${what}, ${acknowledged} acknowledged writes: ${seen.gone.length} are gone, the oldest acknowledged before the kill`,
        oldestMs,
        everyMinutes * 60,
      ),
      {
        what: 'acknowledged writes that are gone, and that are not',
        seen: `${seen.gone.length}, ${acknowledged - seen.gone.length}`,
        bar: '≥ 1, ≥ 1',
        isMet: seen.gone.length > 0 && seen.gone.length < acknowledged,
      },
      exactly(
        'acknowledged before the moment that the backup holds, and gone',
        seen.gone.filter(({ atMs }) => atMs < takenAtMs).length,
        0,
      ),
      exactly('restored, and never acknowledged', seen.unknown, 0),
      exactly('findings in the books and the audit log', findings.length + seen.broken.length, 0),
      {
        what: 'the open book before log:restart, and after',
        seen: `${before.why ?? 'signed'}, ${after.origin.endsWith('/2') ? 'signed in its next log' : 'signed in the same log'}`,
        bar: 'AHEAD, signed in its next log',
        isMet: before.why === 'AHEAD' && after.origin.endsWith('/2'),
      },
      withinS('restored, proved and ready again', backMs, BACK_S),
    ]
  } finally {
    await restored.kill()
  }
}

/** Returns the moment of the kill, Unix ms. */
async function killDuringNextBackup(
  server: OwnServer,
  backups: string,
  whole: string,
  everyMs: number,
): Promise<number> {
  const enough = statSync(whole).size * WRITTEN_PART
  const isMostlyWritten = async () => {
    const part = (await readdir(backups)).find((name) => name.endsWith('.part'))
    if (part === undefined) return false
    const size = statSync(join(backups, part), { throwIfNoEntry: false })?.size ?? 0
    return size >= enough
  }
  await until('the next backup is being written', 2 * everyMs, isMostlyWritten, LOOK_EVERY_MS)
  const killedAtMs = Date.now()
  await server.kill()
  return killedAtMs
}

interface Book {
  readonly origin: string
  readonly isSealing: boolean
  readonly why: string | null
}

async function bookAt({ url }: OwnServer): Promise<Book> {
  const answer = await fetch(`${url}/api/v1/book/status`)
  return ((await answer.json()) as { data: Book }).data
}

/** The acknowledged writes that the restored database lacks, and the number of its writes never acknowledged. */
async function compareLost(
  db: Database,
  { playerIds, acts }: Written,
): Promise<{ readonly gone: readonly Acknowledged[]; readonly unknown: number }> {
  const { rows: requests } = await db.query<{ id: string; status: string }>(
    `select id, status from cash_requests where owner_id = any($1)`,
    [playerIds],
  )
  const { rows: bets } = await db.query<{ id: string }>(`select id from bets where user_id = any($1)`, [playerIds])
  const stored = new Set([
    ...bets.map(({ id }) => `placed ${id}`),
    ...requests.map(({ id }) => `filed ${id}`),
    ...requests.flatMap(({ id, status }) =>
      status === 'rejected' ? [`cancelled ${id}`] : status === 'approved' ? [`approved ${id}`] : [],
    ),
  ])
  const told = new Set(acts.map(({ kind, id }) => `${kind} ${id}`))
  return {
    gone: acts.filter(({ kind, id }) => !stored.has(`${kind} ${id}`)),
    unknown: [...stored].filter((one) => !told.has(one)).length,
  }
}
