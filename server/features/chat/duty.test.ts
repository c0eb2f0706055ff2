import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { CARE_DESK } from '#domain/chat/conversation.ts'
import { AWAY_AFTER_MS } from '#domain/chat/queue.ts'
import { openAuditLog } from '#server/features/audit/index.ts'
import type { Database } from '#server/platform/database/db.ts'
import { newId } from '#server/platform/process/ids.ts'
import { createLog } from '#server/platform/process/log.ts'
import type { ClientSocket, SocketHub, SocketWatcher } from '#server/platform/sockets/socket-hub.ts'
import { testKey } from '#testing/app/app.ts'
import { testEngines } from '#testing/database/test-database.ts'
import { useDatabase } from '#testing/database/use-database.ts'
import { createPlayers } from '#testing/play/rounds.ts'
import type { QueueDeps } from './ports.ts'
import { startQueue } from './queue.ts'

/** A process with one socket, which hears what `emitTo` of any of `all` says, and what `emitHere` of its own does. */
function startProcess(db: Database, all: Array<{ readonly hear: (name: string) => void }>) {
  const heard: string[] = []
  let watcher: SocketWatcher = {}
  let reads = 0
  let said = 0
  const hear = (name: string) => {
    heard.push(name)
    watcher.told?.({} as ClientSocket, name, { userId: CARE_DESK.id, lastSeen: null })
  }
  all.push({ hear })
  const counted: Pick<Database, 'query' | 'tx'> = {
    query: (...params) => (reads++, db.query(...params)),
    tx: (...params) => (reads++, db.tx(...params)),
  }
  const hub: Pick<SocketHub, 'emitTo' | 'emitHere'> = {
    emitTo: (_rooms, name) => {
      said += 1
      all.forEach((one) => one.hear(name))
    },
    emitHere: (_rooms, name) => hear(name),
  }
  const deps: QueueDeps = {
    db: { ...db, ...counted },
    hub: { ...hub, onEvent: () => {}, watch: (one) => void (watcher = one) },
    log: createLog('silent'),
  }
  return { heard, reads: () => reads, said: () => said, ...startQueue(deps, 20) }
}

describe.each(testEngines)('whether CSKH is online, as two processes show it on %s', (engine) => {
  const db = useDatabase(engine)
  const all: Array<{ readonly hear: (name: string) => void }> = []
  let processes: Array<ReturnType<typeof startProcess>> = []
  let id = ''
  beforeEach(async () => {
    processes = [startProcess(db, all), startProcess(db, all)]
    ;[{ id }] = await createPlayers(db, 1, { role: 'admin' })
    await db.query(`insert into care_duty (user_id, is_on_duty, capacity) values ($1, true, 1)`, [id])
  })
  afterEach(async () => {
    for (const one of processes) await one.stop()
    all.length = 0
  })
  const shown = async (name: string) => {
    await expect
      .poll(() => processes.map(({ heard }) => heard.at(-1)), { message: name, timeout: 5_000 })
      .toEqual([name, name])
  }

  test.each([
    ['away', `update care_duty set active_at = active_at - interval '${AWAY_AFTER_MS} ms' where user_id = $1`],
    ['frozen', `update users set is_frozen = true where id = $1`],
    ['without care', `update users set capabilities = '{money}' where id = $1`],
    ['no admin any more', `update users set role = 'player', capabilities = '{}' where id = $1`],
    ['deleted', `update users set deleted_at = clock_timestamp() where id = $1`],
  ])('ends when the last admin on duty is %s, of which nobody tells, and is said once', async (_, sql) => {
    processes[0]?.emitDuty()
    // What it emits later would be counted below.
    await expect.poll(() => processes[0]?.said()).toBe(1)
    await shown('user_online')
    await db.query(sql, [id])
    await shown('user_offline')
    const before = processes.map(({ heard, reads }) => ({ said: heard.length, reads: reads() }))
    await expect.poll(() => processes.every(({ reads }, n) => reads() > (before[n]?.reads ?? 0) + 2)).toBe(true)
    expect(processes.map(({ heard }) => heard.length)).toEqual(before.map(({ said }) => said))
  })

  test('is right again after a process said last what it had read before the others', async () => {
    await shown('user_online')
    for (const { hear } of all) hear('user_offline')
    await shown('user_online')
  })

  test('nobody waits in the queue because no event says that a conversation can be assigned again', async () => {
    await openAuditLog(db, testKey)
    const [{ id: playerId }] = await createPlayers(db, 1)
    const conversationId = newId()
    await db.query(
      `insert into conversations (id, player_id, state, snoozed_until)
         values ($1, $2, 'snoozed', clock_timestamp() + interval '1 hour')`,
      [conversationId, playerId],
    )
    await db.query('insert into conversations_waiting values ($1, clock_timestamp())', [conversationId])
    const holder = async () => {
      const { rows } = await db.query<{ holder_id: string | null }>(
        'select holder_id from conversations where id = $1',
        [conversationId],
      )
      return rows[0]?.holder_id
    }
    processes[0]?.assign()
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(await holder()).toBeNull()
    await db.query('update conversations set snoozed_until = clock_timestamp() where id = $1', [conversationId])
    await expect.poll(holder, { timeout: 5_000 }).toBe(id)
  })

  test('is compared no more once the queue has stopped', async () => {
    await shown('user_online')
    for (const one of processes) await one.stop()
    const before = processes.map(({ reads }) => reads())
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(processes.map(({ reads }) => reads())).toEqual(before)
  })
})
