import { chatEndpoints } from '#contract/chat.ts'
import { gameEndpoints } from '#contract/game.ts'
import { PAGE_LIMIT_MAX } from '#contract/limits.ts'
import type { Database, Row } from '#server/platform/database/db.ts'
import { callEndpoint } from '#web/platform/api.ts'
import type { SignedInClient } from './client.ts'
import type { Stored } from './verdict.ts'

/** A signed-in client, and its conversation with customer care if it has one. */
export interface CheckedClient extends SignedInClient {
  readonly conversationId: string | null
}

interface StoredRow extends Row {
  what: 'bet' | 'message'
  id: string
  player_id: string
  client_id: string | null
}

/** Returns every bet and message of these players since their run began, from the database. */
export async function storedInDatabase(db: Database, clients: readonly SignedInClient[]): Promise<Stored[]> {
  const { rows } = await db.query<StoredRow>(
    `with players as (
       select * from unnest($1::uuid[], $2::timestamptz[]) as p (id, since)
     )
     select 'bet' as what, b.id, b.user_id as player_id, null as client_id
       from players p join bets b on b.user_id = p.id and b.accepted_at >= p.since
     union all
     select 'message', m.id, m.sender_id, m.client_id
       from players p
       join conversations c on c.player_id = p.id
       join messages m on m.conversation_id = c.id and m.sender_id = p.id and m.sent_at >= p.since`,
    [clients.map(({ playerId }) => playerId), clients.map(({ sinceMs }) => new Date(sinceMs))],
  )
  return rows.map((row) => ({ what: row.what, id: row.id, playerId: row.player_id, clientId: row.client_id }))
}

/** Returns the same rows as each player sees them: in the own history and in the conversation with customer care. */
export async function storedByApi(clients: readonly CheckedClient[]): Promise<Stored[]> {
  const stored: Stored[] = []
  for (const { playerId, token, sinceMs, conversationId } of clients) {
    for (let page = 1, hasMore = true; hasMore; page++) {
      const { rows, meta } = await callEndpoint(gameEndpoints.listOwnBets, {
        query: { page, limit: PAGE_LIMIT_MAX, from: sinceMs },
        token,
      })
      for (const { id, owner } of rows) stored.push({ what: 'bet', id, playerId: owner.id, clientId: null })
      hasMore = meta.hasMore
    }
    for (let page = 1, hasMore = conversationId !== null; hasMore; page++) {
      const { rows, meta } = await callEndpoint(chatEndpoints.listMessages, {
        params: { id: conversationId ?? '' },
        query: { page, limit: PAGE_LIMIT_MAX },
        token,
      })
      for (const { id, sender, clientMessageId, sentAtMs } of rows)
        if (sender.id === playerId && sentAtMs >= sinceMs)
          stored.push({ what: 'message', id, playerId, clientId: clientMessageId })
      hasMore = meta.hasMore
    }
  }
  return stored
}
