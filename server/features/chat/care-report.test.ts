import fc from 'fast-check'
import { describe, expect, inject, test } from 'vitest'
import type { CaseTopic } from '#domain/chat/desk.ts'
import { type Day, dayAfter, dayOf } from '#domain/day.ts'
import { newId } from '#server/platform/process/ids.ts'
import { bareToken } from '#testing/app/chat-client.ts'
import { useApp } from '#testing/app/use-app.ts'
import { testEngines } from '#testing/database/test-database.ts'
import { createPlayers, type TestPlayer } from '#testing/play/rounds.ts'
import { packDays } from './care-days.ts'
import { createCareReport } from './care-report.ts'
import { insertMessage } from './store-message.ts'

const HOUR_MS = 3_600_000
/** What players write, and the topic that it names. */
const TEXTS: ReadonlyArray<readonly [string, CaseTopic | null]> = [
  ['Alo', null],
  ['Mình chưa rút được', 'withdrawal'],
  ['nạp rồi', 'deposit'],
]

const step = fc.record({
  at: fc.nat({ max: 2 }),
  what: fc.constantFrom<Said['what'][]>(
    'player',
    'player',
    'player',
    'staff',
    'staff',
    'done',
    'done',
    'open',
    'rate',
    'topic',
    'report',
    'report',
  ),
  choice: fc.nat({ max: 2 }),
  // No sum of these is 24 hours, where a few ms would decide.
  laterMs: fc.constantFrom(0, 0, 1, 3, 11, 29).map((times) => times * 97 * 60_000),
})

type Case = {
  openedMs: number
  topic: CaseTopic | null
  reply?: { readonly ms: number; readonly by: string }
  done?: { readonly ms: number; readonly by: string } | undefined
  isReopened: boolean
  isRated: boolean
  satisfaction: 'good' | 'bad' | null
}
type Said = {
  readonly what: 'player' | 'staff' | 'done' | 'open' | 'rate' | 'topic' | 'report'
  readonly choice: number
  readonly ms: number
  readonly by: string
}

/** The cases of one conversation, from what happened there alone. */
function casesOf(history: readonly Said[]): readonly Case[] {
  const cases: Case[] = []
  let isDone = false
  for (const { what, choice, ms, by } of history) {
    const last = cases.at(-1)
    if (what === 'player') {
      isDone = false
      const named = TEXTS[choice]?.[1] ?? null
      if (last !== undefined && last.done === undefined) last.topic ??= named
      else {
        if (last?.done !== undefined && ms - last.done.ms < 24 * HOUR_MS) last.isReopened = true
        cases.push({ openedMs: ms, topic: named, isReopened: false, isRated: false, satisfaction: null })
      }
    } else if (what === 'done') {
      isDone = true
      if (last !== undefined) last.done ??= { ms, by }
    } else if (what === 'open') {
      if (isDone && last !== undefined) last.done = undefined
      isDone = false
    } else if (last === undefined) continue
    else if (what === 'staff' && last.done === undefined) last.reply ??= { ms, by }
    else if (what === 'topic') last.topic = choice === 0 ? null : 'other'
    else if (what === 'rate' && last.reply && last.done && !last.isRated) {
      last.isRated = true
      last.satisfaction = ([null, 'good', 'bad'] as const)[choice] ?? null
    }
  }
  return cases
}

const durationOf = (all: readonly number[]) => {
  const sorted = all.toSorted((a, b) => a - b)
  const rank = (share: number) => sorted[Math.ceil(share * sorted.length) - 1] ?? null
  return { count: sorted.length, medianMs: rank(0.5), p90Ms: rank(0.9) }
}
const repliesOf = (cases: readonly Case[]) =>
  durationOf(cases.flatMap(({ openedMs, reply }) => (reply === undefined ? [] : [reply.ms - openedMs])))
const endsOf = (cases: readonly Case[]) => ({
  resolution: durationOf(cases.flatMap(({ openedMs, done }) => (done === undefined ? [] : [done.ms - openedMs]))),
  reopened: cases.filter(({ isReopened }) => isReopened).length,
  rated: cases.filter(({ satisfaction }) => satisfaction !== null).length,
  good: cases.filter(({ satisfaction }) => satisfaction === 'good').length,
})
const countsOf = (cases: readonly Case[]) => ({ cases: cases.length, firstReply: repliesOf(cases), ...endsOf(cases) })

/** The report of these cases, recounted; admins by name. */
function recount(cases: readonly Case[], from: Day, to: Day, admins: readonly TestPlayer[]) {
  const days: Day[] = []
  for (let day = from; day <= to; day = dayAfter(day)) days.push(day)
  const topics = [...Map.groupBy(cases, ({ topic }) => topic)].map(([topic, of]) => ({ topic, ...countsOf(of) }))
  return {
    total: countsOf(cases),
    days: days.map((day) => ({ day, ...countsOf(cases.filter(({ openedMs }) => dayOf(openedMs) === day)) })),
    topics: byName(topics),
    admins: admins
      .toSorted((a, b) => (a.username < b.username ? -1 : 1))
      .map(({ id, username }) => ({
        admin: { id, username },
        firstReply: repliesOf(cases.filter(({ reply }) => reply?.by === id)),
        ...endsOf(cases.filter(({ done }) => done?.by === id)),
      }))
      .filter(({ firstReply, resolution }) => firstReply.count + resolution.count > 0),
  }
}
const byName = <Of extends { readonly topic: string | null }>(all: readonly Of[]): Of[] =>
  all.toSorted((a, b) => (String(a.topic) < String(b.topic) ? -1 : 1))

/** With durations in whole minutes: an act and the row that tells its time are some µs apart. */
const inMinutes = (report: unknown): unknown =>
  JSON.parse(
    JSON.stringify(report, (key, value: unknown) =>
      key.endsWith('Ms') && typeof value === 'number' ? Math.round(value / 60_000) : value,
    ),
  )

describe.each(testEngines)('the report of customer care on %s', (engine) => {
  const { db, app } = useApp(engine)

  test('is what a recount of messages and acts gives', async () => {
    const story = fc.array(step, { minLength: 20, maxLength: 60, size: 'max' })
    await fc.assert(
      fc.asyncProperty(story, async (steps) => {
        await db.query(`delete from care_cases`)
        // Of a process that has read packed days, and of one that reads them first.
        const readers = [createCareReport(db), createCareReport(db)]
        const [players, admins] = [
          await createPlayers(db, 3),
          await createPlayers(db, 2, { role: 'admin', prefix: 'a', welcomePoints: 0 }),
        ]
        const talks = players.map((player, at) => ({
          id: newId(),
          seq: 0,
          player,
          holder: admins[at % 2] as TestPlayer,
          history: [] as Said[],
        }))
        for (const { id, player, holder } of talks)
          await db.query(`insert into conversations (id, player_id, holder_id) values ($1, $2, $3)`, [
            id,
            player.id,
            holder.id,
          ])
        const ask = (
          talk: (typeof talks)[number],
          who: TestPlayer,
          method: 'PUT' | 'POST',
          path: string,
          body: object,
        ) => app.call(method, `/api/v1/chat/conversations/${talk.id}${path}`, { token: bareToken(who), body })
        for (const { at, what, choice, laterMs } of steps) {
          const talk = talks[at] as (typeof talks)[number]
          const { id, player, holder } = talk
          let table = 'conversations where id = $1'
          if (what === 'report') {
            if (choice > 0) await packDays(db)
            await readers[0]?.(dayAfter(dayOf(Date.now()), -100), dayOf(Date.now()))
            continue
          }
          if (what === 'player' || what === 'staff') {
            talk.seq += 1
            table = `messages where conversation_id = $1 and seq = ${talk.seq}`
            await db.tx(async (tx) => {
              await tx.query(`select 1 from conversations where id = $1 for update`, [id])
              await insertMessage(tx, {
                ...{ conversationId: id, seq: talk.seq, messageId: newId(), clientMessageId: newId(), kind: 'text' },
                ...{ senderId: what === 'player' ? player.id : holder.id, isFirst: false },
                content: TEXTS[choice]?.[0] ?? '',
              })
            })
          } else if (what === 'done' || what === 'open')
            await ask(talk, holder, 'PUT', '/state', { state: what.toUpperCase(), until: null, seenSeq: talk.seq })
          else if (what === 'topic') await ask(talk, holder, 'PUT', '/topic', { topic: choice === 0 ? null : 'OTHER' })
          else
            await ask(talk, player, 'POST', '/satisfaction', {
              satisfaction: [null, 'GOOD', 'BAD'][choice] ?? null,
              text: '',
            })
          const { rows } = await db.query<{ at: Date }>(
            `select ${table.startsWith('messages') ? 'sent_at' : 'updated_at'} as at from ${table}`,
            [id],
          )
          talk.history.push({ what, choice, by: holder.id, ms: rows[0]?.at.getTime() ?? 0 })
          // Time goes by: what happened until now is further back.
          await db.query(
            `update care_cases set opened_at = opened_at - d, first_reply_at = first_reply_at - d, done_at = done_at - d,
               rated_at = rated_at - d from (select $1 * interval '1 ms' as d) later`,
            [laterMs],
          )
          for (const one of talks) one.history = one.history.map((said) => ({ ...said, ms: said.ms - laterMs }))
        }
        const today = dayOf(Date.now())
        const from = dayAfter(today, -100)
        const recounted = inMinutes(
          recount(
            talks.flatMap(({ history }) => casesOf(history)),
            from,
            today,
            admins,
          ),
        )
        for (const readCareReport of [...readers, ...readers]) {
          const report = await readCareReport(from, dayAfter(today))
          expect(inMinutes({ ...report, topics: byName(report.topics) })).toEqual(recounted)
          await packDays(db)
        }
      }),
      { numRuns: inject('isFull') ? 40 : 4 },
    )
  })

  test('misses no change that is made while days are packed and read', async () => {
    const [[player], [admin]] = [await createPlayers(db, 1), await createPlayers(db, 1, { role: 'admin' })]
    const conversationId = newId()
    await db.query(`delete from care_cases`)
    await db.query(`insert into conversations (id, player_id, holder_id) values ($1, $2, $3)`, [
      ...[conversationId, player.id, admin.id],
    ])
    const [from, to] = ['2026-03-01', '2026-03-04']
    const read = createCareReport(db)
    let isOver = false
    const packing = Array.from({ length: 3 }, async () => {
      while (!isOver) await Promise.all([packDays(db), read(from, to)])
    })
    await Promise.all(
      Array.from({ length: 4 }, async (_, at) => {
        for (let n = 1; n <= 40; n++) {
          const opened = new Date(Date.parse('2026-03-01T03:00:00Z') + at * 86_400_000 + n * 1_000)
          await db.query(
            `insert into care_cases (id, conversation_id, player_id, opened_at, done_at) values ($1, $2, $3, $4, $4)`,
            [...[newId(), conversationId, player.id], opened],
          )
          await db.query(
            `update care_cases set done_at = opened_at + $2 * interval '1 s', done_by = $3 where opened_at = $1`,
            [...[opened, n, admin.id]],
          )
        }
      }),
    )
    isOver = true
    await Promise.all(packing)
    await packDays(db)
    // A day's end is where a stop ends it.
    await db.query(`update care_cases set topic = 'bet' where opened_at < '2026-03-03T00:00:00Z'`)
    await packDays(db, AbortSignal.abort())
    expect((await db.query(`select distinct day from care_days_changed`)).rowCount).toBe(2)
    const of40 = { cases: 40, resolution: { count: 40, medianMs: 20_000, p90Ms: 36_000 } }
    for (const readNow of [read, createCareReport(db)]) {
      expect(await readNow(from, to)).toMatchObject({
        total: { cases: 160, resolution: { count: 160, medianMs: 20_000, p90Ms: 36_000 } },
        days: [of40, of40, of40, of40],
        admins: [{ resolution: { count: 160 } }],
      })
      await packDays(db)
    }
    expect((await db.query(`select 1 from care_days_changed`)).rowCount).toBe(0)
  })

  test('has days of Vietnam, both included, and no range that is turned or too long', async () => {
    const [admin] = await createPlayers(db, 1, { role: 'admin' })
    const read = (from: string, to: string) =>
      app.call('GET', `/api/v1/chat/care-report?from=${from}&to=${to}`, { token: bareToken(admin) })
    const [player] = await createPlayers(db, 1)
    const id = newId()
    await db.query(`delete from care_cases`)
    await db.query(`insert into conversations (id, player_id, holder_id) values ($1, $2, $3)`, [
      id,
      player.id,
      admin.id,
    ])
    for (const at of [
      '2026-01-31T16:59:59.999Z',
      '2026-01-31T17:00:00Z',
      '2026-02-01T16:59:59Z',
      '2026-02-01T17:00:00Z',
    ])
      await db.query(
        `insert into care_cases (id, conversation_id, player_id, opened_at, done_at) values ($1, $2, $3, $4, $4)`,
        [newId(), id, player.id, at],
      )
    expect((await read('2026-02-01', '2026-02-01')).body.data).toMatchObject({
      total: { cases: 2, resolution: { count: 2, median: 0 } },
      days: [{ day: '2026-02-01', cases: 2 }],
      topics: [{ topic: null, cases: 2 }],
      admins: [],
    })
    expect((await read('2026-01-31', '2026-02-02')).body.data).toMatchObject({
      days: [{ cases: 1 }, { cases: 2 }, { cases: 1 }],
    })
    expect((await read('2026-02-02', '2026-02-01')).status).toBe(400)
    expect((await read('2025-02-01', '2026-02-01')).status).toBe(200)
    expect((await read('2025-01-31', '2026-02-01')).status).toBe(400)
  })
})
