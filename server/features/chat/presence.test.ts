import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '#server/platform/database/db.ts'
import { createLog } from '#server/platform/process/log.ts'
import type { ClientSocket, SocketWatcher } from '#server/platform/sockets/socket-hub.ts'
import { createPlayers } from '#testing/play/rounds.ts'
import { testEngines } from '#testing/database/test-database.ts'
import { useDatabase } from '#testing/database/use-database.ts'
import { startPresence } from './presence.ts'

/** A server process as presence uses it: sockets that connect and disconnect, and the events it emits. */
function startProcess(db: Database, nowMs: () => number, inOrder: string[]) {
  let watcher: SocketWatcher = {}
  const told: Array<readonly [name: string, userId: string]> = []
  const presence = startPresence(
    {
      db,
      log: createLog('silent'),
      hub: {
        watch: (one) => void (watcher = one),
        onEvent: () => {},
        emitTo(_rooms, name, payload) {
          const { userId } = payload as { userId: string }
          told.push([name, userId])
          inOrder.push(`${name} ${userId}`)
        },
      },
    },
    { nowMs, flushEveryMs: 20 },
  )
  const socketOf = (userId: string) =>
    ({ id: userId, subject: { userId, role: 'player' }, tell: () => {} }) as unknown as ClientSocket
  return {
    open: (userId: string) => watcher.opened?.(socketOf(userId)),
    close: (userId: string) => watcher.closed?.(socketOf(userId)),
    toldOf: (userId: string) => told.filter(([, id]) => id === userId).map(([name]) => name),
    stop: () => presence.stop(),
  }
}

describe.each(testEngines)('presence on the %s engine', (engine) => {
  const db = useDatabase(engine)
  let now = 0
  let ids: string[] = []
  /** Events of all processes, in the order in which they were emitted. */
  const inOrder: string[] = []
  const processes: Array<ReturnType<typeof startProcess>> = []
  const start = (on: Database = db) => {
    const one = startProcess(on, () => now, inOrder)
    processes.push(one)
    return one
  }
  /**
   * Waits until everything due at this moment has been written and emitted: two more users come online one after the
   * other, and the events of the second come last.
   */
  const settle = async (process: ReturnType<typeof startProcess>) => {
    for (const id of ids.splice(-2)) {
      process.open(id)
      await expect.poll(() => process.toldOf(id)).toEqual(['user_online'])
    }
  }
  const told = async (process: ReturnType<typeof startProcess>, id: string, names: readonly string[]) => {
    await expect.poll(() => process.toldOf(id), { timeout: 5_000 }).toEqual(names)
  }
  const rowsOf = async (id: string) =>
    (await db.query('select 1 from presence_users where user_id = $1', [id])).rowCount
  const runOut = (seconds: number) =>
    db.query(`update presence_processes set lease_until = lease_until - $1::int * interval '1 s'`, [seconds])

  beforeEach(async () => {
    now = 1_000_000
    inOrder.length = 0
    ids = (await createPlayers(db, 12, { welcomePoints: 0 })).map(({ id }) => id)
  })
  afterEach(async () => {
    for (const one of processes.splice(0)) await one.stop()
  })

  test('a user who returns within 10 s was never offline; one who does not is reported offline once', async () => {
    const here = start()
    const [id = ''] = ids
    here.open(id)
    await told(here, id, ['user_online'])
    here.close(id)
    now += 9_999
    await settle(here)
    here.open(id)
    now += 20_000
    await settle(here)
    expect(here.toldOf(id)).toEqual(['user_online'])
    here.close(id)
    now += 9_999
    await settle(here)
    expect(here.toldOf(id)).toEqual(['user_online'])
    now += 1
    await told(here, id, ['user_online', 'user_offline'])
    const { rowCount } = await db.query('select 1 from presence_last_seen where user_id = $1', [id])
    expect(rowCount).toBe(1)
  })

  test('after one of two tabs closes, or one of two processes, the user is still online', async () => {
    const [here, there] = [start(), start()]
    const [id = '', other = ''] = ids
    here.open(id)
    here.open(id)
    await told(here, id, ['user_online'])
    there.open(id)
    there.open(other)
    await told(there, other, ['user_online'])
    expect(there.toldOf(id)).toEqual([])
    here.close(id)
    here.close(id)
    now += 10_000
    await settle(here)
    expect([here.toldOf(id), there.toldOf(id)]).toEqual([['user_online'], []])
    there.close(id)
    now += 10_000
    await told(there, id, ['user_offline'])
  })

  test('a dead process: the living ones report its users offline once, except users connected to them', async () => {
    const [dead, one, two] = [start(), start(), start()]
    const [ghost = '', mover = ''] = ids
    dead.open(ghost)
    dead.open(mover)
    await told(dead, mover, ['user_online'])
    await dead.stop()
    one.open(mover)
    await settle(one)
    // No process counts as dead while the lease of 15 s runs; the others check every 4 s.
    now += 4_000
    await settle(two)
    expect([one.toldOf(ghost), two.toldOf(ghost)]).toEqual([[], []])
    await db.query(
      `update presence_processes set lease_until = clock_timestamp() - interval '1 ms'
        where process_id in (select process_id from presence_users where user_id = $1)`,
      [ghost],
    )
    now += 4_000
    await expect.poll(() => [...one.toldOf(ghost), ...two.toldOf(ghost)], { timeout: 5_000 }).toEqual(['user_offline'])
    await settle(one)
    expect([...one.toldOf(mover), ...two.toldOf(mover)]).toEqual([])
    const { rows } = await db.query<{ user_id: string }>('select user_id from presence_users where user_id = $1', [
      ghost,
    ])
    expect(rows).toEqual([])
  })

  test('a process that was suspended for longer than its lease writes all its users again', async () => {
    const [sleeper] = [start(), start()]
    const [id = ''] = ids
    sleeper.open(id)
    await told(sleeper, id, ['user_online'])
    await runOut(16)
    now += 4_000
    // Either the other process or the suspended one may check first.
    await settle(sleeper)
    const { rowCount } = await db.query(
      `select 1 from presence_users join presence_processes using (process_id)
        where user_id = $1 and lease_until > clock_timestamp()`,
      [id],
    )
    expect(rowCount).toBe(1)
    expect(inOrder.findLast((line) => line.endsWith(id))).toBe(`user_online ${id}`)
  })

  test('a process that was cut off from the database for longer than its lease reports nobody offline', async () => {
    const here = start()
    const [id = ''] = ids
    here.open(id)
    await told(here, id, ['user_online'])
    await settle(here)
    await runOut(16)
    now += 4_000
    await settle(here)
    expect(here.toldOf(id)).not.toContain('user_offline')
    const { rowCount } = await db.query('select 1 from presence_last_seen')
    expect([rowCount, await rowsOf(id)]).toEqual([0, 1])
  })

  test('a departure that could not be written is written later, and who is back meanwhile is online', async () => {
    let refused = 0
    let during: (() => void) | null = null
    const here = start({
      ...db,
      async tx(work, options) {
        if (refused > 0) {
          refused--
          throw new Error('The connection was lost')
        }
        const result = await db.tx(work, options)
        during?.()
        return result
      },
    })
    const [id = ''] = ids
    here.open(id)
    await told(here, id, ['user_online'])
    here.close(id)
    refused = 1
    now += 10_000
    await told(here, id, ['user_online', 'user_offline'])
    expect([refused, await rowsOf(id)]).toEqual([0, 0])

    here.open(id)
    await told(here, id, ['user_online', 'user_offline', 'user_online'])
    here.close(id)
    during = () => {
      during = null
      here.open(id)
    }
    now += 10_000
    await told(here, id, ['user_online', 'user_offline', 'user_online', 'user_offline', 'user_online'])
    expect(await rowsOf(id)).toBe(1)
  })

  describe.runIf(engine === 'native')('who moves to another process (PostgreSQL only)', () => {
    const waiting = async () =>
      (await db.query(`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`))
        .rowCount
    /** Does this while the rows that a statement names are locked. */
    async function whileLocked(sql: string, params: readonly string[], work: () => Promise<void>): Promise<void> {
      const locked = Promise.withResolvers<void>()
      const done = Promise.withResolvers<void>()
      const holding = db.tx(async (tx) => {
        await tx.query(`${sql} for update`, params)
        locked.resolve()
        await done.promise
      })
      await Promise.race([locked.promise, holding])
      await work().finally(done.resolve)
      await holding
    }
    const startBoth = async (id: string) => {
      const [old, next] = [start(), start()]
      old.open(id)
      await told(old, id, ['user_online'])
      await settle(next)
      return [old, next] as const
    }

    test('is online when the arrival begins before the departure is committed', async () => {
      const [id = ''] = ids
      const [old, next] = await startBoth(id)
      await db.query('insert into presence_last_seen (user_id, seen_at) values ($1, clock_timestamp())', [id])
      await whileLocked('select from presence_last_seen where user_id = $1', [id], async () => {
        old.close(id)
        now += 10_000
        await expect.poll(waiting).toBe(1)
        next.open(id)
        await expect.poll(async () => (await waiting()) === 2 || (await rowsOf(id)) === 2).toBe(true)
      })
      await told(old, id, ['user_online', 'user_offline'])
      await told(next, id, ['user_online'])
      expect(inOrder.findLast((line) => line.endsWith(id))).toBe(`user_online ${id}`)
    })

    test('was never offline when the departure begins before the arrival is committed', async () => {
      const [id = ''] = ids
      const [old, next] = await startBoth(id)
      // The arrival refers to the row of its process.
      const ofNext = `select from presence_processes p
         where not exists (select from presence_users u where u.process_id = p.process_id and u.user_id = $1)`
      await whileLocked(ofNext, [id], async () => {
        next.open(id)
        await expect.poll(waiting).toBe(1)
        old.close(id)
        now += 10_000
        await expect.poll(async () => (await waiting()) === 2 || old.toldOf(id).length === 2).toBe(true)
      })
      await settle(old)
      await settle(next)
      expect([old.toldOf(id), next.toldOf(id), await rowsOf(id)]).toEqual([['user_online'], [], 1])
    })
  })
})
