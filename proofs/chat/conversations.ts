import type { Database } from '#server/platform/database/db.ts'
import { newId } from '#server/platform/process/ids.ts'
import type { TestPlayer } from '#testing/play/rounds.ts'
import type { ChatPage } from './page.ts'

/** Inserts a conversation of each player with one of the admins. */
export async function makeConversations(
  db: Database,
  players: readonly TestPlayer[],
  admins: readonly TestPlayer[],
): Promise<string[]> {
  const ids = players.map(() => newId())
  const holders = players.map((_, index) => (admins[index % admins.length] as TestPlayer).id)
  await db.query(
    `with made as (insert into conversations (id, player_id, holder_id)
       select * from unnest($1::uuid[], $2::uuid[], $3::uuid[]) returning id, player_id, holder_id)
     insert into conversation_members (conversation_id, user_id)
       select id, player_id from made union all select id, holder_id from made`,
    [ids, players.map(({ id }) => id), holders],
  )
  return ids
}

export const threadOf = ({ session }: ChatPage, conversationId: string) =>
  session.snapshot().chat.threads[conversationId]
