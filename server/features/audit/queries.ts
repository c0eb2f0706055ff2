import { auditList, type AuditRow } from '#contract/back-office.ts'
import type { Subject } from '#domain/identity/permissions.ts'
import type { Queryable } from '#server/platform/database/db.ts'
import { type AskedPage, equals, type FilterOf, inTime, tableSql } from '#server/platform/http/lists.ts'
import { idByNameSql } from '#server/platform/database/name-search.ts'
import { msSql } from '#server/platform/database/rows.ts'
import { collectParams } from '#server/platform/database/sql.ts'

type AuditFilter = FilterOf<typeof auditList>

const HIDDEN = { staffDirection: 'hidden' }

const ALL_ACTS = tableSql(auditList, {
  table: 'audit_log a',
  id: 'a.seq',
  sorts: { createdAt: 'a.seq' },
  filters: {
    actor: (actor, add) => (actor === 'system' ? `a.actor = 'system'` : `a.actor = ${idByNameSql(actor, add)}::text`),
    act: equals('a.act'),
    // A username finds the acts on that user. Any text finds the acts whose target it equals, such as `bet:…`.
    target: (target, add) => {
      const key = add(target.toLowerCase())
      return `a.target in (${add(target)}, ${key}, (select 'user:' || id from users where username_key = ${key}))`
    },
    ...inTime('a.at'),
    beforeSeq: (seq, add) => `a.seq < ${add(BigInt(seq))}`,
  },
})

/** The count ignores `beforeSeq`, so that the total is the same on every page. */
export const ACTS: typeof ALL_ACTS = {
  ...ALL_ACTS,
  counted: (params, filter) => ALL_ACTS.counted(params, { ...filter, beforeSeq: undefined }),
}

/** SQL that casts a text to uuid; null if it is no uuid. Only comparisons of uuids can use a primary key's index. */
const uuidIn = (text: string): string =>
  `case when ${text} ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then (${text})::uuid end`

const targetId = (kind: string): string => uuidIn(`substring(a.target from '^${kind}:(.*)$')`)

const fieldsOf = (side: string): string => `case when jsonb_typeof(${side}) = 'object' then ${side} else '{}' end`

/** SQL for the users whose ids are values in `before` or `after`, so that the page can show their names. */
const NAMES = `(select coalesce(json_agg(json_build_object('id', n.id, 'username', n.username) order by n.username), '[]')
  from users n where n.id in (
    select ${uuidIn('f.value')} from jsonb_each_text(${fieldsOf('a.before')}) f
    union select ${uuidIn('f.value')} from jsonb_each_text(${fieldsOf('a.after')}) f))`

/**
 * Lists one page of acts, and one act more if another page follows. Until a round has ended, the result that an admin
 * announced for it is hidden from all other admins (rules §1.2). The IP address that an admin searched for is hidden
 * from readers without the capability `users` (rules §4.5).
 */
export async function listActs(
  db: Queryable,
  { userId: readerId, capabilities }: Pick<Subject, 'userId' | 'capabilities'>,
  asked: AskedPage<AuditFilter>,
): Promise<AuditRow[]> {
  const params = collectParams()
  const { rows } = await db.query<AuditRow & { isSecret: boolean }>(
    `select a.seq::float8 as seq, ${msSql('a.at')} as "atMs", encode(a.hash, 'hex') as hash,
            coalesce(u.username, a.actor) as actor, a.act, a.target, t.username as "targetName",
            case when o.id is not null then json_build_object('id', o.id, 'username', o.username) end as "targetOwner",
            case when r.id is not null then json_build_object('type', r.type, 'roundNumber', r.index + 1) end as "targetRound",
            a.before, a.after, ${NAMES} as names, a.reason,
            a.act = 'round.set-result' and a.actor <> ${params.add(readerId)} and r.status is distinct from 'ended' as "isSecret"
       from audit_log a
       left join users u on u.id = ${uuidIn('a.actor')}
       left join users t on t.id = ${targetId('user')}
       left join rounds r on r.id = ${targetId('round')}
       left join users o on o.id = coalesce(
         (select c.owner_id from cash_requests c where c.id = ${targetId('request')}),
         (select b.user_id from bets b where b.id = ${targetId('bet')}),
         (select c.player_id from conversations c where c.id = coalesce(
            (select g.into_id from merged_conversations g where g.id = ${targetId('conversation')}), ${targetId('conversation')})),
         (select d.owner_id from disputes d where d.id = ${targetId('dispute')}))
      ${ACTS.page(params, asked)}`,
    params.values,
  )
  const seesAddresses = capabilities.includes('users')
  return rows.map(({ isSecret, ...row }) => {
    if (row.act === 'user.search' && !seesAddresses) return { ...row, after: null }
    return isSecret ? { ...row, after: HIDDEN } : row
  })
}
