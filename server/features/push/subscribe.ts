import { createECDH } from 'node:crypto'
import type { Subject } from '#domain/identity/permissions.ts'
import { acting } from '#server/platform/http/acting.ts'
import type { Database, Tx } from '#server/platform/database/db.ts'
import { type RefusedBy, refuse } from '#server/platform/http/errors.ts'
import { retrying } from '#server/platform/process/retrying.ts'
import { type EndpointRule, parseEndpoint } from './endpoint-rule.ts'
import type { PushTarget } from './send-push.ts'

/** A user's pushes go to at most this many browsers: to those that subscribed last. */
const BROWSERS_PER_USER = 10

export async function subscribe(
  db: Database,
  rule: EndpointRule,
  subject: Subject,
  target: PushTarget,
): Promise<RefusedBy<'subscribe'> | null> {
  if (!isUsable(target, rule)) return refuse('PUSH_ENDPOINT_INVALID')
  return acting(db, subject, 'player', async (tx) => {
    await claimEndpoint(tx, target.endpoint, subject.sessionId)
    await tx.query(
      `insert into push_subscriptions (session_id, user_id, endpoint, p256dh, auth_secret) values ($1, $2, $3, $4, $5)
       on conflict (session_id) do update set endpoint = excluded.endpoint, p256dh = excluded.p256dh,
         auth_secret = excluded.auth_secret, created_at = clock_timestamp()`,
      [subject.sessionId, subject.userId, target.endpoint, target.p256dh, target.authSecret],
    )
    await tx.query(
      `delete from push_subscriptions where session_id in (select session_id from push_subscriptions
         where user_id = $1 order by created_at desc, session_id offset ${BROWSERS_PER_USER})`,
      [subject.userId],
    )
    return null
  })
}

/**
 * Stores the new subscription of a browser that has itself replaced its old subscription (W3C Push API,
 * `pushsubscriptionchange`). Changes nothing unless the old endpoint and secret are those of a stored subscription.
 */
export async function renewSubscription(
  db: Database,
  rule: EndpointRule,
  old: Pick<PushTarget, 'endpoint' | 'authSecret'>,
  target: PushTarget,
): Promise<RefusedBy<'renewSubscription'> | null> {
  if (!isUsable(target, rule)) return refuse('PUSH_ENDPOINT_INVALID')
  return retrying(db, async (tx) => {
    const { rows } = await tx.query<{ session_id: string }>(
      `select session_id from push_subscriptions where endpoint = $1 and auth_secret = $2`,
      [old.endpoint, old.authSecret],
    )
    const sessionId = rows[0]?.session_id
    if (sessionId === undefined) return null
    await claimEndpoint(tx, target.endpoint, sessionId)
    await tx.query(
      `update push_subscriptions set endpoint = $3, p256dh = $4, auth_secret = $5
        where session_id = $1 and endpoint = $2`,
      [sessionId, old.endpoint, target.endpoint, target.p256dh, target.authSecret],
    )
    return null
  })
}

/** Deletes other sessions' subscriptions with this endpoint: it belongs to one browser, which has this session now. */
async function claimEndpoint(tx: Tx, endpoint: string, sessionId: string): Promise<void> {
  // Transactions that claim one endpoint take turns. Without this, the second could miss the first's uncommitted row.
  await tx.query(`select pg_advisory_xact_lock(hashtextextended($1, 0))`, [endpoint])
  await tx.query(`delete from push_subscriptions where endpoint = $1 and session_id <> $2`, [endpoint, sessionId])
}

/** Returns true if a message can be encrypted for this browser (RFC 8291 §3.1) and its endpoint may be called. */
function isUsable({ endpoint, p256dh, authSecret }: PushTarget, rule: EndpointRule): boolean {
  if (parseEndpoint(endpoint, rule) === null) return false
  if (!/^[\w-]{22}$/.test(authSecret) || !/^[\w-]{87}$/.test(p256dh)) return false
  try {
    const ecdh = createECDH('prime256v1')
    ecdh.generateKeys()
    ecdh.computeSecret(p256dh, 'base64url')
    return true
  } catch {
    // The bytes are no point of the curve.
    return false
  }
}
