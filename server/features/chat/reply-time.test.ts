import { describe, expect, test } from 'vitest'
import { weekdayOf } from '#domain/chat/hours.ts'
import { newId } from '#server/platform/process/ids.ts'
import { createPlayers } from '#testing/play/rounds.ts'
import { usePeople } from '#testing/play/use-people.ts'
import { testEngines } from '#testing/database/test-database.ts'
import { useDatabase } from '#testing/database/use-database.ts'
import { createReplyTime } from './reply-time.ts'

describe.each(testEngines)('the usual wait for customer care on %s', (engine) => {
  const db = useDatabase(engine)
  const [admin] = usePeople(db, 1, { role: 'admin', welcomePoints: 0 })

  /** Each message is who wrote it, and how many minutes ago. */
  async function converse(...said: ReadonlyArray<readonly ['player' | 'care', number]>): Promise<void> {
    const [player] = await createPlayers(db, 1)
    const id = newId()
    const last = Math.min(...said.map(([, agoMin]) => agoMin))
    await db.query(
      `insert into conversations (id, player_id, holder_id, last_seq, last_activity)
       values ($1, $2, $3, $4, clock_timestamp() - make_interval(mins => $5))`,
      [id, player.id, admin.id, said.length, last],
    )
    for (const [at, [who, agoMin]] of said.entries())
      await db.query(
        `insert into messages (conversation_id, seq, id, sender_id, client_id, kind, content, search_key, sent_at)
         values ($1, $2, $3, $4, $5, 'text', 'x', 'x', clock_timestamp() - make_interval(mins => $6))`,
        [id, at + 1, newId(), who === 'player' ? player.id : admin.id, newId(), agoMin],
      )
  }

  test('is said once enough players waited, counted from the first of their messages in a row', async () => {
    for (let n = 0; n < 9; n++) await converse(['player', 60], ['player', 58], ['care', 50], ['care', 49])
    expect((await createReplyTime(db)()).usualMs).toBeNull()
    await converse(['care', 70], ['player', 60], ['care', 55])
    expect((await createReplyTime(db)()).usualMs).toBeCloseTo(10 * 60_000, -4)
  })

  test('leaves out who began to wait outside office hours', async () => {
    for (let n = 0; n < 10; n++) await converse(['player', 60], ['care', 50])
    for (let n = 0; n < 12; n++) await converse(['player', 60 + 2 * 24 * 60], ['care', 2 * 24 * 60])
    expect((await createReplyTime(db)()).usualMs).toBeCloseTo(60 * 60_000, -4)
    const [at] = (await db.query<{ at: Date }>(`select clock_timestamp() - interval '2 days 1 hour' as at`)).rows
    await db.query(`update care_hours set week = jsonb_set(week, array[$1::text], 'null')`, [
      weekdayOf(at?.at.getTime() ?? 0),
    ])
    expect((await createReplyTime(db)()).usualMs).toBeCloseTo(10 * 60_000, -4)
  })

  test('counts who was never answered until now, and nothing older than 7 days', async () => {
    for (let n = 0; n < 10; n++) await converse(['player', 30])
    for (let n = 0; n < 9; n++) await converse(['player', 8 * 24 * 60], ['care', 8 * 24 * 60 - 1])
    expect((await createReplyTime(db)()).usualMs).toBeCloseTo(30 * 60_000, -4)
  })

  test('is said of a topic once enough of its cases waited, in office hours', async () => {
    const cases = async (topic: string, count: number, minutes: number) => {
      for (let n = 0; n < count; n++) {
        await converse(['player', 200])
        await db.query(
          `insert into care_cases (id, conversation_id, player_id, opened_at, topic, first_reply_at, first_reply_by)
           select id, id, player_id, clock_timestamp() - interval '200 min', $1, clock_timestamp() - make_interval(mins => 200 - $2), $3
             from conversations where id not in (select conversation_id from care_cases)`,
          [topic, minutes, admin.id],
        )
      }
    }
    await cases('withdrawal', 10, 20)
    await cases('deposit', 9, 5)
    const { byTopic } = await createReplyTime(db)()
    expect(byTopic).toEqual([{ topic: 'withdrawal', usualMs: 20 * 60_000 }])
  })
})
