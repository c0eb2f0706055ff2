import type { RequestView } from '#contract/request-review.ts'
import type { Subject } from '#domain/identity/permissions.ts'
import type { Database, Queryable } from '#server/platform/database/db.ts'
import { type RefusedBy, refuse } from '#server/platform/http/errors.ts'
import type { CashierDeps } from './ports.ts'

/** A view that is not renewed ends after this time, because a closed page, or one without network, cannot end it. */
const KEPT_FOR = `interval '2 minutes'`

const LISTED = 500

/** Stores which request a page has open: one per page (rules §3.11). Renewing an unexpired view emits no event. */
export async function viewRequest(
  { db, hints }: CashierDeps,
  subject: Subject,
  viewId: string,
  requestId: string,
): Promise<null | RefusedBy<'viewRequest'>> {
  const { rows } = await db.query<{ seen_before: string | null }>(
    `with before as (select request_id from request_views where id = $1 and until > clock_timestamp())
     insert into request_views as v (id, request_id, admin_id, until)
     select $1, c.id, $3, clock_timestamp() + ${KEPT_FOR} from cash_requests c where c.id = $2
     on conflict (id) do update set request_id = excluded.request_id, until = excluded.until where v.admin_id = excluded.admin_id
     returning (select request_id from before) as seen_before`,
    [viewId, requestId, subject.userId],
  )
  const row = rows[0]
  if (row === undefined) return refuse('NOT_FOUND')
  if (row.seen_before !== requestId) {
    hints.requestViewed(requestId)
    await forgetOld(db)
  }
  return null
}

/** Ends a view. Does nothing if the view is unknown or another admin's. */
export async function leaveRequest({ db, hints }: CashierDeps, subject: Subject, viewId: string): Promise<void> {
  const { rows } = await db.query<{ request_id: string }>(
    `delete from request_views where id = $1 and admin_id = $2 returning request_id`,
    [viewId, subject.userId],
  )
  if (rows[0] !== undefined) hints.requestViewed(rows[0].request_id)
}

/** Deletes expired views. With `skip locked`, processes that delete at the same time do not wait for each other. */
async function forgetOld(db: Database): Promise<void> {
  await db.query(
    `delete from request_views where id in (
       select id from request_views where until <= clock_timestamp() for update skip locked)`,
  )
}

/** Lists the requests that other admins have open: one row for each request and admin. */
export async function listRequestViews(db: Queryable, subject: Subject): Promise<RequestView[]> {
  const { rows } = await db.query<RequestView>(
    `select v.request_id as "requestId", json_build_object('id', u.id, 'username', u.username) as admin
       from request_views v join users u on u.id = v.admin_id
      where v.until > clock_timestamp() and v.admin_id <> $1
      group by v.request_id, u.id order by v.request_id, u.username limit ${LISTED}`,
    [subject.userId],
  )
  return rows
}
