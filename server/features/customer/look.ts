import type { Subject } from '#domain/identity/permissions.ts'
import { lockTip, recordAct } from '#server/features/audit/index.ts'
import type { Database, Queryable } from '#server/platform/database/db.ts'
import { type Refused, refuse } from '#server/platform/http/errors.ts'

const NOTED_FOR = `interval '1 hour'`

/** Records a look at a customer, at most once an hour per admin and customer (rules §4.9). Refuses an unknown id. */
export async function lookAt(db: Database, subject: Subject, userId: string): Promise<Refused<'NOT_FOUND'> | null> {
  const { isThere, isNoted } = await readLook(db, subject.userId, userId)
  if (!isThere) return refuse('NOT_FOUND')
  if (isNoted) return null
  await db.tx(async (tx) => {
    // The page of a customer sends several requests at once. One of them records the look. The others wait for the lock
    // and then find the look recorded.
    await lockTip(tx)
    if ((await readLook(tx, subject.userId, userId)).isNoted) return
    await recordAct(tx, subject.userId, 'user.view', `user:${userId}`)
  })
  return null
}

async function readLook(db: Queryable, actorId: string, userId: string) {
  const { rows } = await db.query<{ is_there: boolean; is_noted: boolean }>(
    `select exists (select 1 from users where id = $1::uuid) as is_there,
            exists (select 1 from audit_log where target = 'user:' || $1::uuid and act = 'user.view' and actor = $2
              and at > clock_timestamp() - ${NOTED_FOR}) as is_noted`,
    [userId, actorId],
    { name: 'customer-look' },
  )
  return { isThere: rows[0]?.is_there === true, isNoted: rows[0]?.is_noted === true }
}
