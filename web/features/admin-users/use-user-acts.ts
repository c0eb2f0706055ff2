import { useState } from 'react'
import type { Capability, Role } from '#domain/identity/permissions.ts'
import { createIntentKeys } from '#web/platform/intent-keys.ts'
import { refusalOf } from '#web/platform/http.ts'
import { useAdminRefresh, useShownAct } from '#web/lists/use-admin-refresh.ts'
import { deleteUser, grantCapabilities, readUser, setRole, type StaffUser, updateUser, type UserChange } from './api.ts'
import { differences } from './user-draft.ts'

const lists = ['users', 'audit', 'requests', 'proposals'] as const

/** Returns the acts on users. */
export function useUserActs() {
  const [withKey] = useState(createIntentKeys)
  const refresh = useAdminRefresh(...lists)
  const shown = useShownAct<StaffUser>(...lists)
  return {
    /** `isProposed`: the change of the balance waits for a second person (rules §3.10). */
    update: async ({ id, version }: StaffUser, change: Omit<UserChange, 'version'>) => {
      const body = { ...change, version }
      const answer = withKey({ id, ...body }, (key) => updateUser(id, body, key))
      await shown(answer.then(({ proposalId: _, ...user }) => user))
      return { isProposed: (await answer).proposalId !== undefined }
    },
    changeRole: ({ id, version }: StaffUser, role: Role) => shown(setRole(id, role, version)),
    grant: ({ id, version }: StaffUser, capabilities: readonly Capability[]) =>
      shown(grantCapabilities(id, [...capabilities], version)),
    remove: ({ id }: StaffUser) => deleteUser(id).finally(refresh),
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
    run: async (act: () => Promise<unknown>) => {
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
