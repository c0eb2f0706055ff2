import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database, Tx } from '#server/platform/database/db.ts'
import { newId } from '#server/platform/process/ids.ts'
import { openNative } from '#server/platform/database/native.ts'
import { readNowMs } from '#server/platform/database/now.ts'
import { subjectOfPlayer } from '#testing/play/books.ts'
import { testEngines } from '#testing/database/test-database.ts'
import { useDatabase } from '#testing/database/use-database.ts'
import { usePeople } from '#testing/play/use-people.ts'
import { countUnread, listNotices, readCompleteToMs } from './queries.ts'
import { readNotices } from './read-notices.ts'

/** Rows whose transactions commit in another order than that of their times. */
describe.runIf(testEngines.includes('native'))('notices that are committed late (PostgreSQL only)', () => {
  const db = useDatabase('native')
  /** A second process. */
  let other: Database
  const [player] = usePeople(db, 1)
  beforeAll(() => {
    other = openNative({ url: db.url ?? '', applicationName: 'test-other' })
  })
  afterAll(() => other.close())

  /** What a device gets: as the route reads it. */
  const look = async (on: Database) => {
    const completeToMs = await readCompleteToMs(on)
    const notices = await listNotices(on, player.id, { kind: null, after: null, limit: 1_000 })
    return { completeToMs, notices, unread: await countUnread(on, player.id) }
  }
  const read = (on: Database, upToMs: number) =>
    readNotices({ db: on, hints: { noticesChanged: () => {} } }, subjectOfPlayer(player), upToMs)
  /** A notice as every command writes one: lock, read the clock, write. It is committed `lateMs` after that. */
  const write = (on: Database, lateMs: number | (() => Promise<void>)): Promise<string> =>
    on.tx(async (tx: Tx) => {
      // Another row each time, so that the writers do not wait for each other.
      await tx.query(`select pg_current_xact_id()`)
      const id = newId()
      const nowMs = await readNowMs(tx)
      await tx.query(`insert into notices (id, user_id, kind, ref, created_at) values ($1, $2, 'limit', $3, $4)`, [
        id,
        player.id,
        `stake:${id}`,
        new Date(nowMs),
      ])
      await (typeof lateMs === 'number' ? sleep(lateMs) : lateMs())
      return `limit:${id}`
    })

  test('one that was written earlier and committed after the list was read stays unread', async () => {
    let commit = () => {}
    let isWritten = () => {}
    const written = new Promise<void>((resolve) => (isWritten = resolve))
    const late = write(
      other,
      () =>
        new Promise<void>((resolve) => {
          commit = resolve
          isWritten()
        }),
    )
    await written
    await sleep(5)
    const early = await write(db, 0)
    const seen = await look(db)
    expect(seen.notices.map(({ id }) => id)).toEqual([early])
    // Everything on the screen is marked as read: but the mark may not pass what is still to come.
    expect(seen.completeToMs).toBeLessThan(seen.notices[0]?.atMs ?? 0)
    await read(db, seen.completeToMs)
    commit()
    const lateId = await late
    const after = await look(db)
    expect(after.notices.map(({ id, isRead }) => [id, isRead])).toEqual([
      [early, false],
      [lateId, false],
    ])
    await sleep(2)
    const complete = await look(db)
    expect(complete.completeToMs).toBeGreaterThanOrEqual(complete.notices[0]?.atMs ?? Number.POSITIVE_INFINITY)
    expect(await read(db, complete.completeToMs)).toBe(0)
  })

  test('a long transaction that only reads holds no mark back', async () => {
    const started = Date.now()
    await other.tx(
      async (tx) => {
        await tx.query('select count(*) from users')
        await sleep(50)
        expect(await readCompleteToMs(db)).toBeGreaterThan(started + 20)
      },
      { isolation: 'repeatable read', readOnly: true },
    )
  })

  test('of 400 that are written from two processes while two devices read, each was unread once', async () => {
    const seenUnread = new Set<string>()
    const firstSeenRead: string[] = []
    let isOver = false
    const device = async (on: Database) => {
      let lastMarkMs = 0
      do {
        const { completeToMs, notices } = await look(on)
        for (const { id, isRead } of notices) if (!isRead) seenUnread.add(id)
        await sleep(Math.random() * 5)
        await read(on, completeToMs)
        // The mark never moves back, whoever moves it.
        const { rows } = await on.query<{ at: Date }>('select read_through as at from notice_marks')
        const markMs = rows[0]?.at.getTime() ?? 0
        expect(markMs).toBeGreaterThanOrEqual(lastMarkMs)
        lastMarkMs = markMs
      } while (!isOver)
    }
    const devices = [device(db), device(other)]
    const ids: string[] = []
    const writers = [db, other, db, other].map(async (on) => {
      for (let nth = 0; nth < 100; nth++) ids.push(await write(on, Math.random() < 0.3 ? Math.random() * 20 : 0))
    })
    await Promise.all(writers)
    isOver = true
    await Promise.all(devices)
    const { notices } = await look(db)
    for (const { id, isRead } of notices) if (isRead && !seenUnread.has(id)) firstSeenRead.push(id)
    expect(notices.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
    expect(firstSeenRead).toEqual([])
    await read(db, await readCompleteToMs(db))
    expect(await countUnread(db, player.id)).toBe(0)
  })
})
