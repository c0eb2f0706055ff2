import { bankEndpoints, type BankAccount } from '#contract/banks.ts'
import { type StaffUser, type UpdatedUser, staffUserEndpoints } from '#contract/staff-users.ts'
import type { BankDetails } from '#domain/banks/bank.ts'
import type { Capability, Role } from '#domain/identity/permissions.ts'
import { adminKeys } from '#web/lists/admin-keys.ts'
import { callEndpoint, type CallInput } from '#web/platform/api.ts'
import { pagesOf } from '#web/lists/list-pages.ts'

export type { BankAccount } from '#contract/banks.ts'
export type { StaffUser } from '#contract/staff-users.ts'

/** Bets change the balances all the time, so the list is fetched again this often. */
const refetchMs = 20_000

export const usersPage = pagesOf(staffUserEndpoints.listUsers, adminKeys.users, refetchMs)

/** Returns the current state of one user, even a deleted one; null if the id is unknown. */
export async function readUser(userId: string): Promise<StaffUser | null> {
  const { rows } = await callEndpoint(staffUserEndpoints.listUsers, { query: { userId } })
  return rows[0] ?? null
}

/** A change of a user by staff. An omitted field stays as it is. `version` is the one it is based on (rules §3.8). */
export type UserChange = CallInput<typeof staffUserEndpoints.updateUser>['body']

/** @param idempotencyKey a retry of the same change sends the same key (rules §3.5) */
export const updateUser = (userId: string, change: UserChange, idempotencyKey: string): Promise<UpdatedUser> =>
  callEndpoint(staffUserEndpoints.updateUser, { params: { id: userId }, body: change, idempotencyKey })

export const setRole = (userId: string, role: Role, version: string): Promise<StaffUser> =>
  callEndpoint(staffUserEndpoints.setRole, { params: { id: userId }, body: { role, version } })

export const grantCapabilities = (userId: string, capabilities: Capability[], version: string): Promise<StaffUser> =>
  callEndpoint(staffUserEndpoints.grantCapabilities, { params: { id: userId }, body: { capabilities, version } })

export const deleteUser = (userId: string) => callEndpoint(staffUserEndpoints.deleteUser, { params: { id: userId } })

export const editBank = (bankId: string, details: Partial<BankDetails>): Promise<BankAccount> =>
  callEndpoint(bankEndpoints.editBank, { params: { id: bankId }, body: details })
