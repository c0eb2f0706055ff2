import type { AuditRow } from '#contract/back-office.ts'
import type { CashRequest } from '#contract/cashier.ts'
import type { Proposal } from '#contract/proposals.ts'
import type { RequestDossier } from '#contract/request-review.ts'
import type { StaffUser } from '#contract/staff-users.ts'
import { serverNowMs } from '#web/platform/server-time.ts'

/** Rows as the server answers them, for component tests. Each id is a UUID, as the contract requires. */

export const uuid = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`

export const sampleUser = (number: number, fields: Partial<StaffUser> = {}): StaffUser => ({
  id: uuid(number),
  username: `khach${String(number).padStart(2, '0')}`,
  avatar: null,
  role: 'player',
  capabilities: [],
  balanceMinor: 100_000n,
  stakedMinor: 0n,
  creditScore: 100,
  vip: null,
  isFrozen: false,
  scriptedOutcome: null,
  banks: [],
  version: '1.1',
  createdAtMs: Date.UTC(2026, 0, 1) + number * 1000,
  ip: '127.0.0.1',
  mustChangePassword: false,
  deletedAtMs: null,
  ...fields,
})

export const sampleBank = (number: number) => ({
  id: uuid(number),
  ownerId: uuid(number),
  bankName: 'Vietcombank',
  accountNumber: '0011223344',
  accountHolder: 'NGUYEN VAN A',
})

/** A pending deposit of 1,000 points by the user with the same number. */
export const sampleRequest = (number: number, fields: Partial<CashRequest> = {}): CashRequest => {
  const { id, username } = sampleUser(number)
  return {
    id: uuid(1000 + number),
    owner: { id, username },
    kind: 'deposit',
    amountMinor: 100_000n,
    memoOrReason: 'nap',
    depositMemo: 'nap',
    rejectionReason: null,
    withdrawalNote: null,
    status: 'pending',
    bank: sampleBank(number),
    decidedBy: null,
    decidedAtMs: null,
    createdAtMs: Date.UTC(2026, 0, 1) + number * 1000,
    ...fields,
  }
}

/** The facts about a request of `sampleUser(number)` that staff look up: nothing unusual. */
export const sampleDossier = (number: number, fields: Partial<RequestDossier> = {}): RequestDossier => ({
  request: sampleRequest(number),
  user: sampleUser(number),
  reservedMinor: 0n,
  timeoutUntilMs: null,
  recent: [],
  betNetMinor: 0n,
  betNetSinceMs: null,
  sharedWith: [],
  sharedCount: 0,
  notes: [],
  noteCount: 0,
  ...fields,
})

/** An open proposal of the admin `an` to give 1,000 points to a user. */
export const sampleProposal = (number: number, fields: Partial<Proposal> = {}): Proposal => {
  const { id, username } = sampleUser(number)
  return {
    id: uuid(800 + number),
    kind: 'adjustment',
    owner: { id, username },
    amountMinor: 100_000n,
    requestId: null,
    disputeId: null,
    reason: 'Bù lỗi phiên',
    summedMinor: 100_000n,
    proposedBy: { id: uuid(901), username: 'an' },
    proposedAtMs: serverNowMs() - 60_000,
    expiresAtMs: serverNowMs() + 86_340_000,
    status: 'open',
    endedBy: null,
    endedAtMs: null,
    endReason: null,
    balanceMinor: 100_000n,
    reservedMinor: 0n,
    hasSecondPerson: true,
    ...fields,
  }
}

export const sampleAct = (seq: number): AuditRow => ({
  seq,
  atMs: Date.UTC(2026, 0, 1) + seq,
  actor: 'quantri',
  act: 'user.update',
  target: `user:${uuid(1)}`,
  targetName: 'khach01',
  targetOwner: null,
  targetRound: null,
  names: [],
  before: { creditScore: 100 },
  after: { creditScore: 90 },
  reason: null,
  hash: 'abcdef0123456789',
})
