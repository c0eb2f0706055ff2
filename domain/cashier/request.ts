import { isBlank } from '../blank.ts'
import { type Decision, refuse } from '../decision.ts'
import { BALANCE_MAX_MINOR, type Minor, points } from '../money.ts'

export const REQUEST_KINDS = ['deposit', 'withdrawal'] as const
export type RequestKind = (typeof REQUEST_KINDS)[number]

export const REQUEST_STATUSES = ['pending', 'approved', 'rejected'] as const
export type RequestStatus = (typeof REQUEST_STATUSES)[number]

/** Limits of one request in whole points (rules §3.1). */
export const REQUEST_MIN_POINTS = 1
export const REQUEST_MAX_POINTS = 1_000_000_000

/** Limits of one account (rules §3.6). */
export const PENDING_MAX = 20
export const FILINGS_PER_HOUR = 60

export const MEMO_MAX = 200
export const REASON_MAX = 200

export const CANCELLED_BY_OWNER = 'Bạn đã huỷ yêu cầu'
export const DELETED_BY_STAFF = 'Yêu cầu đã bị quản trị viên xoá'

export const FILING_REFUSALS = [
  'STAFF_CANNOT_PLAY',
  'AMOUNT_REQUIRED',
  'AMOUNT_LIMIT',
  'NO_BANK',
  'BANK_NOT_FOUND',
  'INSUFFICIENT_FUNDS',
  'TOO_MANY_REQUESTS_PENDING',
  'TOO_MANY_FILINGS',
] as const
export type FilingRefusal = (typeof FILING_REFUSALS)[number]

export type FilingsSoFar = Readonly<typeof NOTHING_ELSE>

export const NOTHING_ELSE = {
  stakedAndReservedMinor: 0n,
  pendingDepositsMinor: 0n,
  pendingCount: 0,
  filedLastHour: 0,
}

/**
 * Decides whether a request may be filed (spec §5.3, rules §3.6). Pending deposits count against the balance
 * limit (rules §3.1).
 */
export function decideFiling(wish: {
  readonly kind: RequestKind
  readonly amountMinor: Minor
  readonly walletMinor: Minor
  readonly soFar: FilingsSoFar
  readonly isStaff: boolean
  readonly bank: 'linked' | 'none' | 'unknown'
}): FilingRefusal | null {
  if (wish.isStaff) return 'STAFF_CANNOT_PLAY'
  if (wish.amountMinor <= 0n) return 'AMOUNT_REQUIRED'
  if (wish.amountMinor < points(REQUEST_MIN_POINTS) || wish.amountMinor > points(REQUEST_MAX_POINTS))
    return 'AMOUNT_LIMIT'
  if (wish.bank === 'none') return 'NO_BANK'
  if (wish.bank === 'unknown') return 'BANK_NOT_FOUND'
  if (wish.kind === 'withdrawal' && wish.walletMinor < wish.amountMinor) return 'INSUFFICIENT_FUNDS'
  if (wish.kind === 'deposit' && wish.amountMinor > roomForDeposit(wish.walletMinor, wish.soFar)) return 'AMOUNT_LIMIT'
  if (wish.soFar.pendingCount >= PENDING_MAX) return 'TOO_MANY_REQUESTS_PENDING'
  if (wish.soFar.filedLastHour >= FILINGS_PER_HOUR) return 'TOO_MANY_FILINGS'
  return null
}

function roomForDeposit(walletMinor: Minor, soFar: FilingsSoFar): Minor {
  return BALANCE_MAX_MINOR - walletMinor - soFar.stakedAndReservedMinor - soFar.pendingDepositsMinor
}

export const DECISION_REFUSALS = ['ALREADY_DECIDED', 'REASON_REQUIRED', 'NOT_YOURSELF', 'STALE'] as const
type DecisionRefusal = (typeof DECISION_REFUSALS)[number]

/** Decides the effect of a staff decision on a request (rules §3.6). `from`: the status that the admin saw, if sent. */
export function decideRequest(asked: {
  readonly status: RequestStatus
  readonly verdict: 'approved' | 'rejected'
  readonly reason: string
  readonly from: RequestStatus | null
  readonly isOwnRequest: boolean
}): Decision<{ move: 'approve' | 'reject' | 'edit-reason' }, DecisionRefusal> {
  const { status, verdict, from } = asked
  if (asked.isOwnRequest) return refuse('NOT_YOURSELF')
  const needsReason = verdict === 'rejected' && isBlank(asked.reason)
  if (status === 'pending') {
    if (from !== null && from !== 'pending') return refuse('STALE')
    if (needsReason) return refuse('REASON_REQUIRED')
    return { ok: true, move: verdict === 'approved' ? 'approve' : 'reject' }
  }
  const isEdit = status === 'rejected' && verdict === 'rejected' && (from === null || from === 'rejected')
  if (!isEdit) return refuse('ALREADY_DECIDED')
  return needsReason ? refuse('REASON_REQUIRED') : { ok: true, move: 'edit-reason' }
}

export interface Holdings {
  readonly walletMinor: Minor
  readonly reservedMinor: Minor
}

export function holdingsAfter(
  { walletMinor, reservedMinor }: Holdings,
  { kind, amountMinor }: { readonly kind: RequestKind; readonly amountMinor: Minor },
  verdict: 'approved' | 'rejected',
): Holdings {
  if (kind === 'withdrawal')
    return {
      walletMinor: verdict === 'approved' ? walletMinor : walletMinor + amountMinor,
      reservedMinor: reservedMinor - amountMinor,
    }
  return { walletMinor: verdict === 'approved' ? walletMinor + amountMinor : walletMinor, reservedMinor }
}
