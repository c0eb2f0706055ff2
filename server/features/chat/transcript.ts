import { Readable } from 'node:stream'
import { transcriptLine } from '#domain/chat/transcript.ts'
import { clockTextOf } from '#domain/day.ts'
import type { Queryable, Row } from '#server/platform/database/db.ts'
import { msSql } from '#server/platform/database/rows.ts'
import type { Refused } from '#server/platform/http/errors.ts'
import { contentOf, isRetracted, SENDER_AND_CHANGE } from './message-queries.ts'

/** Number of messages that one query reads. */
const PAGE_MESSAGES = 500

export async function readTranscriptScope(q: Queryable, conversationId: string) {
  const { rows } = await q.query<{ conversationId: string; playerName: string; lastSeq: number; at: Date }>(
    `select c.id as "conversationId", u.username as "playerName", c.last_seq as "lastSeq", clock_timestamp() as at
       from conversations c join users u on u.id = c.player_id where c.id = $1`,
    [conversationId],
  )
  return rows[0] ?? null
}

type TranscriptScope = NonNullable<Awaited<ReturnType<typeof readTranscriptScope>>>

type SaidRow = Parameters<typeof transcriptLine>[0] & { seq: number }

async function* textOf(
  db: Queryable,
  { conversationId, playerName, lastSeq, at }: TranscriptScope,
  judge: () => Promise<Refused | null>,
): AsyncGenerator<string> {
  yield `Kim Phiên – cuộc trò chuyện với ${playerName}, đến ${clockTextOf(at.getTime())} giờ Việt Nam\nTrò chơi mô phỏng bằng điểm ảo, không quy đổi thành tiền.\n\n`
  let afterSeq = 0
  while (afterSeq < lastSeq) {
    // Pages are read one after the other, since each begins where the one before it ended.
    // oxlint-disable-next-line no-await-in-loop -- see above
    const refused = await judge()
    if (refused !== null) throw refused
    // oxlint-disable-next-line no-await-in-loop -- see above
    const { rows } = await db.query<SaidRow & Row>(
      `select m.seq, ${msSql('m.sent_at')} as "sentAtMs", s.username as name, m.sender_id <> c.player_id as "isOfStaff",
              case when ${isRetracted('x')} then 'retracted' else m.kind end as kind, ${contentOf('m', 'x')} as content
         from messages m join conversations c on c.id = m.conversation_id ${SENDER_AND_CHANGE}
        where m.conversation_id = $1 and m.seq > $2 and m.seq <= $3 order by m.seq limit ${PAGE_MESSAGES}`,
      [conversationId, afterSeq, lastSeq],
    )
    yield rows.map((row) => transcriptLine(row)).join('')
    // Only a merge moves messages out of a conversation, so after an empty page the rest is in another conversation.
    const last = rows.at(-1)
    if (last === undefined) throw new Error('A conversation was merged while its transcript was written')
    afterSeq = last.seq
  }
}

/**
 * Returns a conversation as a stream of text. Further messages are read only when the client takes more, and a slow
 * client holds no database connection.
 * @param judge called before each page, since a download may take minutes; a refusal ends the stream with an error
 * @param onEnd called once, when the stream has ended in any way
 */
export function writeTranscript(
  db: Queryable,
  scope: TranscriptScope,
  judge: () => Promise<Refused | null>,
  onEnd: () => void,
): Readable {
  let isOpen = true
  const end = () => {
    if (isOpen) onEnd()
    isOpen = false
  }
  // A complete stream emits `end`, after which the next download may begin; a broken stream emits only `close`.
  return Readable.from(textOf(db, scope, judge), { objectMode: false })
    .once('end', end)
    .once('close', end)
}
