import type { Minor } from '../money.ts'
import { type AccountRef, cashier, grants, house, reserved, staked, wallet } from './accounts.ts'

export const TRANSFER_REASONS = [
  'WELCOME',
  'REFILL',
  'BET_STAKE',
  'BET_RETURN',
  'BET_PROFIT',
  'BET_LOSS',
  'DEPOSIT',
  'WITHDRAWAL_HOLD',
  'WITHDRAWAL_PAID',
  'WITHDRAWAL_RELEASED',
  'ADJUSTMENT',
] as const
export type TransferReason = (typeof TRANSFER_REASONS)[number]

/** A positive amount from one account to another. The id follows from the cause, so no cause can be booked twice. */
export interface Transfer {
  readonly id: string
  readonly from: AccountRef
  readonly to: AccountRef
  readonly amountMinor: Minor
  readonly reason: TransferReason
  readonly actor: string
  readonly ref: string
  readonly note: string | null
}

const transfer = (
  id: string,
  from: AccountRef,
  to: AccountRef,
  amountMinor: Minor,
  reason: TransferReason,
  actor: string,
  ref: string,
  note: string | null = null,
): Transfer => ({ id, from, to, amountMinor, reason, actor, ref, note })

export const welcomeTransfer = (userId: string, amountMinor: Minor): Transfer =>
  transfer(`user:${userId}:welcome`, grants, wallet(userId), amountMinor, 'WELCOME', 'system', `user:${userId}`)

/** `day`: the day in Vietnam, such as `2026-11-22`. A second refill of a day would have the same id (rules §3.7). */
export const refillTransfer = (userId: string, day: string, amountMinor: Minor): Transfer =>
  transfer(refillId(userId, day), grants, wallet(userId), amountMinor, 'REFILL', userId, `user:${userId}`)

export const refillId = (userId: string, day: string): string => `user:${userId}:refill:${day}`

export const stakeTransfer = (betId: string, userId: string, stakeMinor: Minor): Transfer =>
  transfer(`bet:${betId}:stake`, wallet(userId), staked(userId), stakeMinor, 'BET_STAKE', userId, `bet:${betId}`)

/**
 * Returns the transfers that close a bet. Each ending of a bet has a transfer with the id `bet:{id}:close:1`, so only
 * one ending can be booked (rules §2.8).
 * @param profitMinor the player's profit: positive if won, negative if lost, 0 if voided
 */
export function closeBetTransfers(betId: string, userId: string, stakeMinor: Minor, profitMinor: Minor): Transfer[] {
  const [first, second, ref] = [`bet:${betId}:close:1`, `bet:${betId}:close:2`, `bet:${betId}`]
  const back = (amountMinor: Minor) =>
    transfer(first, staked(userId), wallet(userId), amountMinor, 'BET_RETURN', 'system', ref)
  if (profitMinor === 0n) return [back(stakeMinor)]
  if (profitMinor > 0n) {
    return [back(stakeMinor), transfer(second, house, wallet(userId), profitMinor, 'BET_PROFIT', 'system', ref)]
  }
  return [
    back(stakeMinor + profitMinor),
    transfer(second, staked(userId), house, -profitMinor, 'BET_LOSS', 'system', ref),
  ]
}

export const adjustmentTransfer = (
  change: string,
  userId: string,
  deltaMinor: Minor,
  actor: string,
  note: string,
): Transfer =>
  deltaMinor > 0n
    ? transfer(`adjust:${change}`, grants, wallet(userId), deltaMinor, 'ADJUSTMENT', actor, `user:${userId}`, note)
    : transfer(`adjust:${change}`, wallet(userId), grants, -deltaMinor, 'ADJUSTMENT', actor, `user:${userId}`, note)

export const holdTransfer = (requestId: string, userId: string, amountMinor: Minor): Transfer =>
  transfer(
    `request:${requestId}:hold`,
    wallet(userId),
    reserved(userId),
    amountMinor,
    'WITHDRAWAL_HOLD',
    userId,
    `request:${requestId}`,
  )

/** All endings of a request share one id, so only one can be booked (rules §3.6). A rejected deposit moves nothing. */
const closing =
  (reason: TransferReason, between: (userId: string) => readonly [from: AccountRef, to: AccountRef]) =>
  (requestId: string, userId: string, amountMinor: Minor, actor: string, note: string | null = null): Transfer => {
    const [from, to] = between(userId)
    return transfer(`request:${requestId}:close`, from, to, amountMinor, reason, actor, `request:${requestId}`, note)
  }

export const depositTransfer = closing('DEPOSIT', (userId) => [cashier, wallet(userId)])
export const captureTransfer = closing('WITHDRAWAL_PAID', (userId) => [reserved(userId), cashier])
export const releaseTransfer = closing('WITHDRAWAL_RELEASED', (userId) => [reserved(userId), wallet(userId)])
