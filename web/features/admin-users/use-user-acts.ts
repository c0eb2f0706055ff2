import { useState } from 'react'
import type { Capability, Role } from '#domain/identity/permissions.ts'
import { createIntentKeys } from '#web/platform/intent-keys.ts'
import { refusalOf } from '#web/platform/http.ts'
import { useAdminRefresh, useShowRow } from '#web/lists/use-admin-refresh.ts'
import { deleteUser, grantCapabilities, readUser, setRole, type StaffUser, updateUser, type UserChange } from './api.ts'
import { differences } from './user-draft.ts'

/** Returns the acts on users. After an act, the user is shown as the server returned it, and lists are refetched. */
export function useUserActs() {
  const [withKey] = useState(createIntentKeys)
  const refresh = useAdminRefresh('users', 'audit', 'requests', 'proposals')
  const showRow = useShowRow<StaffUser>('users')
  const show = (changed: StaffUser) => {
    showRow(changed)
    refresh()
  }
  return {
    /** `isProposed`: the change of the balance waits for a second person (rules §3.10). */
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

/** Keeps the copy of a user on which an act is based. Renews the copy if an act is refused as stale (rules §3.8). */
export function useFreshCopy(user: StaffUser) {
  const [copy, setCopy] = useState(user)
  const [changes, setChanges] = useState<readonly string[] | null>(null)
  const { refresh } = useUserActs()
  const reread = async () => {
    setChanges(null)
    const newer = await readUser(user.id)
    if (newer === null) throw new Error('The user is missing')
    setChanges(differences(user, newer))
    setCopy(newer)
    refresh()
  }
  return {
    /** The user as last read. An act sends the version of this copy. */
    copy,
    /** One sentence for each change of the account since the dialog opened. Null unless the copy was renewed. */
    changes,
    /** Runs an act. If it is refused as stale, reads the user again. If this read fails, throws its failure instead. */
    run: async (act: () => Promise<void>) => {
      try {
        await act()
      } catch (error) {
        if (isStale(error)) await reread()
        throw error
      }
    },
    /** Returns true if the act was refused as stale. The dialog then shows `changes` and no failure message. */
    onFailure: isStale,
  }
}
