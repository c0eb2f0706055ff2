import { useState } from 'react'
import type { Capability, Role } from '#domain/identity/permissions.ts'
import { createIntentKeys } from '#web/platform/intent-keys.ts'
import { refusalOf } from '#web/platform/http.ts'
import { useAdminRefresh, useShowRow } from '#web/lists/use-admin-refresh.ts'
import { deleteUser, grantCapabilities, readUser, setRole, type StaffUser, updateUser, type UserChange } from './api.ts'
import { differences } from './user-draft.ts'

/** Acts on users. The row in the server's answer is shown at once; every other query is refetched. */
export function useUserActs() {
  const [withKey] = useState(createIntentKeys)
  const refresh = useAdminRefresh('users', 'audit', 'requests', 'proposals')
  const showRow = useShowRow<StaffUser>('users')
  const show = (changed: StaffUser) => {
    showRow(changed)
    refresh()
  }
  return {
    /** Returns whether a change of the balance now waits for a second person. */
    update: async ({ id, version }: StaffUser, change: Omit<UserChange, 'version'>) => {
      const body = { ...change, version }
      const { proposalId, ...user } = await withKey({ id, ...body }, (key) => updateUser(id, body, key))
      show(user)
      return { isProposed: proposalId !== undefined }
    },
    changeRole: async ({ id, version }: StaffUser, role: Role) => show(await setRole(id, role, version)),
    grant: async ({ id, version }: StaffUser, capabilities: readonly Capability[]) =>
      show(await grantCapabilities(id, [...capabilities], version)),
    remove: async ({ id }: StaffUser) => {
      await deleteUser(id)
      refresh()
    },
    refresh,
  }
}

export const isStale = (error: unknown): boolean =>
  refusalOf<'updateUser' | 'setRole' | 'grantCapabilities'>(error)?.code === 'STALE'

/** A user who may change while a dialog about them is open (rules §3). */
export function useFreshCopy(user: StaffUser) {
  const [copy, setCopy] = useState(user)
  const [changes, setChanges] = useState<readonly string[] | null>(null)
  const { refresh } = useUserActs()
  const reread = async () => {
    const newer = await readUser(user.id).catch(() => null)
    if (newer === null) return
    setChanges(differences(user, newer))
    setCopy(newer)
    refresh()
  }
  return {
    /** The user as last read: the version on which an act is based. */
    copy,
    /** The changes since the dialog opened; null while there are none. */
    changes,
    /** Reads the user again when the act was refused as stale; returns true in that case. */
    onFailure: (error: unknown) => {
      if (!isStale(error)) return false
      setChanges([])
      void reread()
      return true
    },
  }
}
