import { usualWaitMs } from '#domain/chat/reply-time.ts'
import type { Database } from '#server/platform/database/db.ts'

/** The usual wait changes slowly, and every visitor of customer care reads it. */
const KEPT_MS = 10 * 60_000
/** Of the conversations with news in the last 7 days this many are measured, each with its last messages. */
const CONVERSATIONS_MAX = 300
const MESSAGES_MAX = 100

/**
 * How long players waited for a reply in the last 7 days, in ms: from the first of a player's messages in a row to the
 * next one of the other side, and until now where none came.
 */
async function readWaits(db: Database): Promise<number[]> {
  const { rows } = await db.query<{ waited_ms: number }>(
    `select (extract(epoch from coalesce(answered_at, clock_timestamp()) - sent_at) * 1000)::float8 as waited_ms
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
  return rows.map(({ waited_ms: waitedMs }) => waitedMs)
}

/** Reads the usual wait, at most once per ten minutes of this process. */
export function createReplyTime(db: Database): () => Promise<number | null> {
  let kept: { readonly untilMs: number; readonly answer: Promise<number | null> } | undefined
  return () => {
    if (kept === undefined || performance.now() >= kept.untilMs) {
      const answer = readWaits(db).then(usualWaitMs)
      kept = { untilMs: performance.now() + KEPT_MS, answer }
      // A failure is not kept.
      answer.catch(() => {
        kept = undefined
      })
    }
    return kept.answer
  }
}
