import { capabilityWords } from '#contract/capability-words.ts'
import { CAPABILITIES, inOrder } from '#domain/identity/permissions.ts'
import { adminUserTexts as texts } from './admin-user-texts.ts'
import type { StaffUser } from './api.ts'

/** Returns the capabilities of an admin in words; null for a player. */
export function capabilitiesText({ role, capabilities = [] }: Pick<StaffUser, 'role' | 'capabilities'>): string | null {
  if (role !== 'admin') return null
  if (capabilities.length === 0) return texts.readOnly
  if (capabilities.length === CAPABILITIES.length) return texts.everyCapability
  return inOrder(capabilities)
    .map((one) => capabilityWords[one])
    .join(' · ')
}
