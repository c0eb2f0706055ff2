import { isBlank } from '../blank.ts'
import { type Decision, refuse } from '../decision.ts'
import type { Minor } from '../money.ts'

export const PROPOSAL_KINDS = ['deposit', 'withdrawal', 'adjustment', 'correction'] as const
export type ProposalKind = (typeof PROPOSAL_KINDS)[number]

/** `withdrawn` by the proposer, `refused` by another admin, `overtaken` by the request's or dispute's end. */
export const PROPOSAL_STATUSES = ['open', 'confirmed', 'withdrawn', 'refused', 'overtaken', 'expired'] as const
export type ProposalStatus = (typeof PROPOSAL_STATUSES)[number]

/** How long a proposal waits for the second person (rules §3.10). */
export const PROPOSAL_LIFETIME_MS = 86_400_000
export const END_REASON_MAX = 200

export type SecondPersonSum = 'player' | 'admin'

/**
 * Returns whose sum of moved points, the player's or the admin's, reaches the threshold with this act, so that a second
 * person is needed; null if neither sum does (rules §3.10). Amounts count without their sign.
 * @param fromMinor the threshold; null when four eyes are off
 * @param movedMinor the sum that staff executed for the player in the last 24 hours
 * @param byAdminMinor the sum that this admin executed for anybody in the last 24 hours
 */
export function whySecondPerson({
  fromMinor,
  movedMinor,
  byAdminMinor,
  amountMinor,
}: {
  readonly fromMinor: Minor | null
  readonly movedMinor: Minor
  readonly byAdminMinor: Minor
  readonly amountMinor: Minor
}): SecondPersonSum | null {
  if (fromMinor === null) return null
  const leftMinor = fromMinor - sizeOf(amountMinor)
  return movedMinor >= leftMinor ? 'player' : byAdminMinor >= leftMinor ? 'admin' : null
}

export interface Candidate {
  readonly id: string
  readonly username: string
  readonly moneySinceMs: number
  /**
   * When this candidate last gave the proposer `money` or a way into the proposer's account, such as a new password. An
   * owner's act counts as this candidate's, too, if this candidate made them an owner, or gave a way into their account
   * (rules §3.10). Null if there was no such act in the 24 hours before the proposal.
   */
  readonly gaveAtMs: number | null
}

export interface SecondPerson extends Candidate {
  readonly fromMs: number
}

const APART_MS = 86_400_000

/**
 * Returns who may confirm a proposal: admins who had `money` for 24 hours when the proposal was made, and in that time
 * gave the proposer neither `money` nor a way into their account. If there is none, returns all who had `money` when
 * the proposal was made; each may confirm from `fromMs` on (rules §3.10).
 */
export function secondPeople(proposedAtMs: number, candidates: readonly Candidate[]): SecondPerson[] {
  const people = candidates.map((one) => ({
    ...one,
    fromMs: Math.max(one.moneySinceMs, one.gaveAtMs ?? one.moneySinceMs) + APART_MS,
  }))
  const apart = people.filter(({ fromMs }) => fromMs <= proposedAtMs)
  return apart.length > 0 ? apart : people.filter(({ moneySinceMs }) => moneySinceMs < proposedAtMs)
}

export const sizeOf = (amountMinor: Minor): Minor => (amountMinor < 0n ? -amountMinor : amountMinor)

/** Returns the status now: an open proposal whose time is over counts as `expired` even if `open` is stored. */
export const statusAt = (
  proposal: { readonly status: ProposalStatus; readonly expiresAtMs: number },
  nowMs: number,
): ProposalStatus => (proposal.status === 'open' && nowMs >= proposal.expiresAtMs ? 'expired' : proposal.status)

interface Asked {
  readonly status: ProposalStatus
  readonly expiresAtMs: number
  readonly nowMs: number
  readonly proposedBy: string
  readonly endedBy: string | null
  readonly ownerId: string
  readonly actorId: string
}

export const CONFIRM_REFUSALS = [
  'PROPOSAL_ENDED',
  'SECOND_PERSON_REQUIRED',
  'CONFIRMER_TOO_NEW',
  'PROPOSER_GONE',
  'NOT_YOURSELF',
] as const
type ConfirmRefusal = (typeof CONFIRM_REFUSALS)[number]
type EndRefusal = 'PROPOSAL_ENDED' | 'NOT_YOURSELF' | 'REASON_REQUIRED'

/**
 * Decides whether this admin may confirm a proposal (rules §3.10). `repeated`: this admin has confirmed it already.
 * @param asked.isSecondPerson whether the admin is one of `secondPeople` now
 * @param asked.proposerMay whether the proposer may still move points, and staff have not set the proposer's password
 *   since the proposal
 */
export function decideConfirm(
  asked: Asked & { readonly isSecondPerson: boolean; readonly proposerMay: boolean },
): Decision<{ is: 'confirm' | 'repeated' }, ConfirmRefusal> {
  if (asked.actorId === asked.proposedBy) return refuse('SECOND_PERSON_REQUIRED')
  if (asked.actorId === asked.ownerId) return refuse('NOT_YOURSELF')
  if (asked.status === 'confirmed' && asked.endedBy === asked.actorId) return { ok: true, is: 'repeated' }
  if (statusAt(asked, asked.nowMs) !== 'open') return refuse('PROPOSAL_ENDED')
  if (!asked.isSecondPerson) return refuse('CONFIRMER_TOO_NEW')
  return asked.proposerMay ? { ok: true, is: 'confirm' } : refuse('PROPOSER_GONE')
}

export function decideEnd(
  asked: Asked & { readonly reason: string },
): Decision<{ is: 'withdraw' | 'refuse' | 'repeated' }, EndRefusal> {
  const isProposer = asked.actorId === asked.proposedBy
  const wished = isProposer ? 'withdrawn' : 'refused'
  if (asked.actorId === asked.ownerId) return refuse('NOT_YOURSELF')
  if (asked.status === wished && asked.endedBy === asked.actorId) return { ok: true, is: 'repeated' }
  if (statusAt(asked, asked.nowMs) !== 'open') return refuse('PROPOSAL_ENDED')
  if (isProposer) return { ok: true, is: 'withdraw' }
  return isBlank(asked.reason) ? refuse('REASON_REQUIRED') : { ok: true, is: 'refuse' }
}

export function noteOfBoth(reason: string | null, proposer: string, confirmer: string): string {
  const both = `${proposer} đề nghị, ${confirmer} xác nhận`
  return reason === null ? both : `${reason} (${both})`
}
