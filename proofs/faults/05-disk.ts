import { setTimeout as sleep } from 'node:timers/promises'
import { migrate } from '#server/platform/database/migrate.ts'
import { openNative } from '#server/platform/database/native.ts'
import type { BarLine } from '../report.ts'
import { type BadDisk, type DiskMode, makeBadDisk } from './bad-disk.ts'
import { moneyLines, type MoneyWorld, withMoneyWorld, withMoneyWorldAt } from './money-world.ts'
import { makeOwnPostgres, type OwnPostgres } from '#testing/machines/postgres.ts'
import { startFastWriters, type Writers } from './writers.ts'

const WRITERS = 20
const ACCOUNTS = 600
/** How long it may take until money is written again, or the process has ended, once the disk is well. */
const HEALED_MS = 15_000
const GIVEN_UP_MS = 60_000
/** The messages of a process, or a database, that ends because of its disk. */
const OF_A_DISK = /disk|No space left|Input\/output error|ENOSPC|EIO|could not (write|fsync|extend)/i

const ALL: readonly DiskMode[] = [
  ...(['good', 'fsync takes 700 ms longer', 'EIO at fsync', 'EIO at write'] as const),
  ...(['ENOSPC for growing files', 'ENOSPC at every write'] as const),
]
const FEW: readonly DiskMode[] = ['fsync takes 700 ms longer', 'EIO at fsync', 'ENOSPC at every write']

/**
 * The disk under the database is slow, broken or full while writers write; then the power goes, which takes away
 * everything that was not synced. No acknowledged write may be gone with it.
 */
export async function disk(isShort: boolean): Promise<BarLine[]> {
  const modes = isShort ? FEW : ALL
  const faultMs = isShort ? 1_500 : 10_000
  const engines = [() => onEmbedded(modes, faultMs), () => onPostgres(modes, faultMs)]
  if (isShort) return (await Promise.all(engines.map((run) => run()))).flat()
  const lines: BarLine[] = []
  for (const run of engines) lines.push(...(await run()))
  return lines
}

const onEmbedded = (modes: readonly DiskMode[], faultMs: number): Promise<BarLine[]> =>
  withMoneyWorld('embedded', 'disk', ACCOUNTS, (world) =>
    onDisk(world, makeBadDisk(world.dataDir), null, modes, faultMs),
  )

async function onPostgres(modes: readonly DiskMode[], faultMs: number): Promise<BarLine[]> {
  // Small files grow and need checkpoints while a fault lasts.
  const small = ['max_connections=100', 'min_wal_size=32MB', 'max_wal_size=64MB', 'shared_buffers=64MB']
  const database = await makeOwnPostgres(...small, 'checkpoint_timeout=30s')
  const bad = makeBadDisk(database.folder)
  try {
    await database.start(bad.env)
    // In the short form the embedded engine opens in this process meanwhile, which blocks it for seconds.
    const db = openNative({ url: database.url, idleInTxTimeoutMs: 60_000 })
    try {
      await migrate(db)
      return await withMoneyWorldAt(database.url, db, ACCOUNTS, {}, (world) =>
        onDisk(world, bad, database, modes, faultMs),
      )
    } finally {
      await db.close()
    }
  } finally {
    await database.remove()
  }
}

async function onDisk(
  { engine, server, writers: world, judge }: MoneyWorld,
  bad: BadDisk,
  database: OwnPostgres | null,
  modes: readonly DiskMode[],
  faultMs: number,
): Promise<BarLine[]> {
  const start = async () => {
    if (database !== null && !database.isRunning()) await database.start(bad.env)
    await server.start(database === null ? bad.env : {})
  }
  const lines: BarLine[] = []
  try {
    await start()
    const writers = startFastWriters(server.url, world, WRITERS)
    for (const mode of modes) {
      await writing(writers)
      const fault = mode === 'good' ? null : await during(mode)
      if (fault !== null) lines.push(fault)
      if (server.isRunning()) {
        // Once more: this time the power goes while the disk is bad.
        bad.set(mode)
        await sleep(1_500)
      }
      await server.kill()
      await database?.kill()
      bad.cutPower()
      bad.set('good')
      await start()
    }
    await writing(writers)
    const written = await writers.stop()
    const judged = await judge([written])
    lines.push(...moneyLines(`${engine}, ${modes.length} power cuts`, written, judged))

    /** Makes the disk bad for a while, and reports the consequences. */
    async function during(mode: DiskMode): Promise<BarLine> {
      const before = writers.acknowledged()
      bad.set(mode)
      await sleep(faultMs)
      const acknowledged = writers.acknowledged() - before
      bad.set('good')
      let isDatabaseGone = false
      const begunMs = performance.now()
      const healed = writers.acknowledged() + 5
      const isOver = () => !server.isRunning() || writers.acknowledged() >= healed
      while (!isOver() && performance.now() - begunMs < HEALED_MS) {
        // The machine's service manager would kill it now, too. PostgreSQL gives its children 5 s before it ends
        // itself.
        if (database !== null && !database.isRunning()) {
          isDatabaseGone = true
          await database.start(bad.env)
        }
        await sleep(20)
      }
      const tookS = ((performance.now() - begunMs) / 1000).toFixed(1)
      const outcome = server.isRunning()
        ? isOver()
          ? `${isDatabaseGone ? 'PostgreSQL ended and was started again, ' : ''}went on ${tookS} s after it`
          : null
        : clearEnd(server.exitCode(), server.said())
      return {
        what: `${engine}, ${mode} for ${faultMs / 1000} s: ${acknowledged} writes acknowledged, then`,
        seen: outcome ?? 'neither',
        bar: 'a clear end or a recovery',
        isMet: outcome !== null,
      }
    }
  } finally {
    await server.kill()
    bad.remove()
  }
  return lines
}

/** The end of a process that says why; null for any other. */
function clearEnd(exitCode: number | null, said: string): string | null {
  const reason = said.split('\n').findLast((line) => OF_A_DISK.test(line))
  return exitCode === 1 && reason !== undefined ? `ended: ${reason.slice(0, 90)}` : null
}

/** Waits until the writers' calls are acknowledged. */
async function writing(writers: Writers): Promise<void> {
  const enough = writers.acknowledged() + WRITERS
  const endMs = performance.now() + GIVEN_UP_MS
  while (writers.acknowledged() < enough) {
    if (performance.now() > endMs) throw new Error(`Nothing is acknowledged on a good disk.`)
    await sleep(20)
  }
}
