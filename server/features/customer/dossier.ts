import type { RequestDossier } from '#contract/request-review.ts'
import type { TransferReason } from '#domain/ledger/transfers.ts'
import type { Subject } from '#domain/identity/permissions.ts'
import { listRequests, readRequest } from '#server/features/cashier/index.ts'
import { readStaffUser } from '#server/features/identity/index.ts'
import { readLimitsView } from '#server/features/limits/index.ts'
import { positionAt } from '#server/features/wallet/index.ts'
import type { Database, Queryable } from '#server/platform/database/db.ts'
import { type RefusedBy, isRefused, refuse } from '#server/platform/http/errors.ts'
import { lookAt } from './look.ts'
import { countNotes, listNotes } from './notes.ts'
import { readSharers } from './queries.ts'

const REQUESTS_SHOWN = 5
const NOTES_SHOWN = 3
const NOTES_COUNTED = 100

/** Reads the facts that help to decide a cash request (rules §3.11), and records a look at the request's owner. */
export async function readDossier(
  db: Database,
  subject: Subject,
  requestId: string,
): Promise<RequestDossier | RefusedBy<'readRequestDossier'>> {
  const request = await readRequest(db, requestId)
  if (request === null) return refuse('NOT_FOUND')
  const { owner, bank } = request
  const refused = await lookAt(db, subject, owner.id)
  if (isRefused(refused)) return refused
  const isSelf = owner.id === subject.userId
  const [user, reservedMinor, limits, requests, bets, shared, notes, noteCount] = await Promise.all([
    readStaffUser(db, owner.id, subject),
    readReserved(db, owner.id),
    readLimitsView(db, owner.id),
    listRequests(db, {
      filter: { userId: owner.id, isForStaff: true },
      sort: { column: 'createdAt', isDescending: true },
      // `listRequests` returns one row more than `limit`: enough rows remain if the request itself is left out below.
      page: { page: 1, limit: REQUESTS_SHOWN, offset: 0 },
    }),
    readBetNet(db, owner.id),
    readSharers(db, owner.id, bank.accountNumber),
    isSelf ? [] : listNotes(db, owner.id, { page: 1, limit: NOTES_SHOWN, offset: 0 }),
    isSelf ? 0 : countNotes(db, owner.id, NOTES_COUNTED),
  ])
  if (user === null) return refuse('NOT_FOUND')
  const { timeoutUntilMs, serverTimeMs } = limits
  return {
    request,
    user,
    reservedMinor,
    timeoutUntilMs: timeoutUntilMs !== null && timeoutUntilMs > serverTimeMs ? timeoutUntilMs : null,
    recent: requests.filter(({ id }) => id !== requestId).slice(0, REQUESTS_SHOWN),
    ...bets,
    ...shared,
    notes: notes.slice(0, NOTES_SHOWN),
    noteCount,
  }
}

async function readReserved(db: Queryable, userId: string): Promise<bigint> {
  const { rows } = await db.query<{ balance: bigint }>(
    `select balance from ledger_accounts where owner_id = $1 and kind = 'reserved'`,
    [userId],
  )
  return rows[0]?.balance ?? 0n
}

/** Reasons of the wallet's transfers that no bet caused: exactly the reasons in the index `ledger_transfers_rare`. */
const BESIDE_BETS: readonly TransferReason[] = [
  'WELCOME',
  'REFILL',
  'DEPOSIT',
  'WITHDRAWAL_HOLD',
  'WITHDRAWAL_RELEASED',
  'ADJUSTMENT',
]

/**
 * Returns the player's profit from bets since staff last approved one of the player's requests; from all bets if staff
 * approved none. To avoid reading each bet, the profit is computed from the ledger: the gain of wallet and stakes since
 * the approval, minus the wallet's transfers that no bet caused. A player has at most one open bet, so the stakes at
 * the approval are the stake of the last bet accepted until then, if that bet was still open.
 */
async function readBetNet(db: Queryable, userId: string) {
  const { rows: last } = await db.query<{ at: Date }>(
    `select decided_at as at from cash_requests where owner_id = $1 and decided_by <> owner_id and status = 'approved'
      order by decided_at desc, id desc limit 1`,
    [userId],
  )
  const since = last[0]?.at ?? null
  const position = since === null ? 1 : await positionAt(db, userId, since.getTime() + 1)
  const { rows } = await db.query<{ net: bigint }>(
    `select w.balance + s.balance
            - coalesce((select t.wallet_balance_after from ledger_transfers t
                         where t.wallet_account = w.id and t.wallet_seq = $2 - 1), 0)
            - coalesce((select sum(t.wallet_delta)::bigint from ledger_transfers t
                         where t.wallet_account = w.id and t.reason in (${BESIDE_BETS.map((one) => `'${one}'`).join(', ')})
                           and t.wallet_seq >= $2), 0)
            - coalesce((select case when b.settled_at is null or b.settled_at > $3 then b.stake end from bets b
                         where b.user_id = $1 and b.accepted_at <= $3 order by b.accepted_at desc, b.id desc limit 1), 0)
            as net
       from ledger_accounts w join ledger_accounts s on s.owner_id = w.owner_id and s.kind = 'staked'
      where w.owner_id = $1 and w.kind = 'wallet'`,
    [userId, BigInt(position), since],
  )
  return { betNetMinor: rows[0]?.net ?? 0n, betNetSinceMs: since?.getTime() ?? null }
}
