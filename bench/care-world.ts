import { CAPABILITIES } from '#domain/identity/permissions.ts'
import type { Database } from '#server/platform/database/db.ts'
import { addMessages, conversationIdSql, filling, withoutIndexes } from './large-world.ts'
import { makeWorld, userIdSql } from './world.ts'

/** One conversation in 20 is not done, and one in 200 is snoozed. */
const [OPEN_OF, SNOOZED_OF] = [20, 200]
const QUEUED = 200
const CASES_A_CONVERSATION = 4
const CASE_DAYS = 366
const NOTES_OF = 10

/**
 * Fills a migrated, empty native database with a year of customer care: a conversation of every player with an admin,
 * fifty messages and four cases in each, tags, notes with mentions, a queue. The last users are the admins.
 */
export async function makeCareWorld(db: Database, players: number, admins: number): Promise<void> {
  const users = players + admins
  await makeWorld(db, users)
  await db.query(
    `update users set role = 'admin', capabilities = $2, money_since = 'epoch' where id > ${userIdSql('$1::bigint')}`,
    [players, CAPABILITIES],
  )
  await addMessages(db, { users, admins, messages: players * 50, endsMs: Date.now() })
  await filling(db, async (tx) => {
    await tx.query(
      `update conversations set state = case when n % ${OPEN_OF} <> 0 then 'done' when n % ${SNOOZED_OF} = 0 then 'snoozed' else 'open' end,
              snoozed_until = case when n % ${SNOOZED_OF} = 0 then now() + n * interval '1 minute' end,
              holder_id = case when n % ($1::bigint / ${QUEUED}) = 3 then null else holder_id end
         from (select id, row_number() over (order by id) as n from conversations) c where c.id = conversations.id
          and not exists (select from conversations_waiting w where w.conversation_id = c.id)`,
      [players],
    )
    await tx.query(
      `insert into conversations_waiting (conversation_id, since)
       select id, last_activity from conversations where holder_id is null`,
    )
  })
  await addCases(db, players, admins)
  await filling(db, async (tx) => {
    await tx.query(
      `with noted as (
         insert into conversation_notes (id, conversation_id, author_id, content, mentions, created_at)
         select gen_random_uuid(), c.id, c.holder_id, 'Khách hỏi lại về lệnh rút, nhờ xem giúp',
                array[${userIdSql(`${players} + 1 + n % ${admins}`)}], now() - n * interval '1 minute'
           from (select *, row_number() over (order by id) as n from conversations where holder_id is not null) c
          where n % ${NOTES_OF} = 0 returning id, mentions, created_at)
       insert into conversation_mentions (user_id, note_id)
       select mentions[1], id from noted order by created_at desc limit ${admins * 20}`,
    )
    await tx.query(
      `insert into canned_replies (id, owner_id, name, content, is_shared)
       select gen_random_uuid(), ${userIdSql(`${players} + n`)}, 'mau' || r, 'Chào {tên}, mình đang xem giúp bạn.', r <= 2
         from generate_series(1, ${admins}) n, generate_series(1, 20) r`,
    )
  })
  await db.query('vacuum analyze')
}

async function addCases(db: Database, players: number, admins: number): Promise<void> {
  const minutes = (mean: string) => `(-ln(1 - random()) * ${mean}) * interval '1 minute'`
  await withoutIndexes(db, 'care_cases', () =>
    filling(db, (tx) =>
      tx.query(
        `insert into care_cases (id, conversation_id, player_id, topic, opened_at, first_reply_at, first_reply_by, done_at,
             done_by, is_reopened, satisfaction, rated_at)
         select gen_random_uuid(), ${conversationIdSql('n')}, ${userIdSql('n')},
                (array['bet', 'deposit', 'withdrawal', 'account', 'other', null])[1 + floor(random() * 6)::int], opened,
                opened + reply, ${userIdSql(`${players} + 1 + (n + k) % ${admins}`)}, opened + reply + done,
                ${userIdSql(`${players} + 1 + n % ${admins}`)}, random() < 0.1,
                case when random() < 0.1 then 'bad' when random() < 0.4 then 'good' end, opened + reply + done
           from generate_series(1, ${players}) n, generate_series(0, ${CASES_A_CONVERSATION - 1}) k,
                lateral (select now() - (k + random() + 0 * n) * ${CASE_DAYS / CASES_A_CONVERSATION} * interval '1 day' as opened,
                                ${minutes('8')} as reply, ${minutes('240')} as done) t`,
      ),
    ),
  )
}
