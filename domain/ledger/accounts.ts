export const USER_ACCOUNT_KINDS = ['wallet', 'staked', 'reserved'] as const
export type UserAccountKind = (typeof USER_ACCOUNT_KINDS)[number]

/** The accounts of the system (rules §3.3). Their balances may be negative. */
export const SYSTEM_ACCOUNT_KINDS = ['house', 'cashier', 'grants'] as const

export type AccountRef =
  | { readonly kind: UserAccountKind; readonly ownerId: string }
  | { readonly kind: (typeof SYSTEM_ACCOUNT_KINDS)[number]; readonly ownerId: null }

export const wallet = (ownerId: string): AccountRef => ({ kind: 'wallet', ownerId })
export const staked = (ownerId: string): AccountRef => ({ kind: 'staked', ownerId })
export const reserved = (ownerId: string): AccountRef => ({ kind: 'reserved', ownerId })
export const house: AccountRef = { kind: 'house', ownerId: null }
export const cashier: AccountRef = { kind: 'cashier', ownerId: null }
export const grants: AccountRef = { kind: 'grants', ownerId: null }
