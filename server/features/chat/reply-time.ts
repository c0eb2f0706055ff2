import type { CaseTopic } from '#domain/chat/desk.ts'
import { type CareHours, isOpenAt } from '#domain/chat/hours.ts'
import { usualWaitMs } from '#domain/chat/reply-time.ts'
import type { Database } from '#server/platform/database/db.ts'
import { readHours } from './hours.ts'

/** Computed waits are cached for this time, because they change slowly. */
const KEPT_MS = 10 * 60_000
/** Limits of what is measured: the latest conversations, the latest messages of each, and the latest cases. */
const CONVERSATIONS_MAX = 300
const MESSAGES_MAX = 100
const CASES_MAX = 3_000

/**
 * Reads how many ms players waited for a reply in the last 7 days. A wait lasts from the first of a player's messages
 * in a row to staff's next message, or until now if there is none. Waits that began outside office hours are left out.
 */
async function readWaits(db: Database, week: CareHours['week']): Promise<number[]> {
  const { rows } = await db.query<{ sent_at: Date; waited_ms: number }>(
    `select sent_at, (extract(epoch from coalesce(answered_at, clock_timestamp()) - sent_at) * 1000)::float8 as waited_ms
       from (
         select m.sent_at, m.is_players, lag(m.is_players) over per as was_players,
                min(m.sent_at) filter (where not m.is_players)
                  over (per rows between 1 following and unbounded following) as answered_at
           from (select id, player_id from conversations where last_activity > clock_timestamp() - interval '7 days'
                  order by last_activity desc limit $1) c
          cross join lateral (
            select n.conversation_id, n.seq, n.sent_at, n.sender_id = c.player_id as is_players
              from messages n where n.conversation_id = c.id and n.sent_at > clock_timestamp() - interval '7 days'
             order by n.seq desc limit $2) m
         window per as (partition by m.conversation_id order by m.seq)
       ) waits
      where is_players and was_players is not true`,
    [CONVERSATIONS_MAX, MESSAGES_MAX],
  )
  return rows.filter(({ sent_at: at }) => isOpenAt(week, at.getTime())).map(({ waited_ms: waitedMs }) => waitedMs)
}

/**
 * Computes the usual wait for each topic from the cases that began in office hours of the last 7 days. A case's wait
 * ends with the first reply. If nobody replied, the wait ends with the case, or is counted until now for an open case.
 */
async function readByTopic(db: Database, week: CareHours['week']): Promise<UsualWaits['byTopic']> {
  const { rows } = await db.query<{ topic: CaseTopic; opened_at: Date; waited_ms: number }>(
    `select topic, opened_at,
            (extract(epoch from coalesce(first_reply_at, done_at, clock_timestamp()) - opened_at) * 1000)::float8 as waited_ms
       from (select * from care_cases where opened_at > clock_timestamp() - interval '7 days'
              order by opened_at desc limit $1) c
      where topic is not null`,
    [CASES_MAX],
  )
  const waits = new Map<CaseTopic, number[]>()
  for (const { topic, opened_at: at, waited_ms: waitedMs } of rows)
    if (isOpenAt(week, at.getTime())) waits.set(topic, (waits.get(topic) ?? []).concat(waitedMs))
  return [...waits].flatMap(([topic, waitsMs]) => {
    const usualMs = usualWaitMs(waitsMs)
    return usualMs === null ? [] : [{ topic, usualMs }]
  })
}

export interface UsualWaits {
  readonly usualMs: number | null
  readonly byTopic: Array<{ readonly topic: CaseTopic; readonly usualMs: number }>
}

export function createReplyTime(db: Database): () => Promise<UsualWaits> {
  let kept: { readonly untilMs: number; readonly answer: Promise<UsualWaits> } | undefined
  return () => {
    if (kept === undefined || performance.now() >= kept.untilMs) {
      const answer = readHours(db).then(async ({ week }) => {
        const [waitsMs, byTopic] = await Promise.all([readWaits(db, week), readByTopic(db, week)])
        return { usualMs: usualWaitMs(waitsMs), byTopic }
      })
      kept = { untilMs: performance.now() + KEPT_MS, answer }
      answer.catch(() => {
        kept = undefined
      })
    }
    return kept.answer
  }
}
