import { type ParsedLocation, useRouter, useRouterState } from '@tanstack/react-router'
import { readOwner } from '#web/platform/storage.ts'

declare module '@tanstack/history' {
  interface HistoryState {
    /** The address that the user wanted before signing in. The history entry keeps this address through a reload. */
    readonly returnTo?: string | undefined
  }
}

const keyOfEntry = () => (globalThis.history.state as ParsedLocation['state'] | null)?.__TSR_key
const isLoadedByHistory = performance
  .getEntriesByType('navigation')
  .some((entry) => 'type' in entry && entry.type === 'back_forward')
/** The router's key of the last history entry that the back or forward button led to. */
let reachedKey = isLoadedByHistory ? keyOfEntry() : undefined
globalThis.addEventListener('popstate', () => {
  reachedKey = keyOfEntry()
})

/**
 * Returns true if the back or forward button led to this location. After a sign-out it may be the previous user's, so
 * the next user to sign in is not led there (rules §4.1).
 */
export const cameByHistory = ({ state }: ParsedLocation): boolean => state.__TSR_key === reachedKey

export function useReturn() {
  const router = useRouter()
  const returnTo = useRouterState({ select: ({ location }) => location.state.returnTo })
  /** If the password must be changed first, that screen gets the address, and leads there by its own `leave`. */
  const leave = (mustChangePassword = false) => {
    const go = (path: string) =>
      mustChangePassword
        ? void router.navigate({ to: '/change-password', replace: true, state: { returnTo: path } })
        : router.history.replace(path)
    if (returnTo === undefined) return go('/')
    // Read the device's previous owner now. Once the server has named the signed-in user, that user is the owner.
    const owner = readOwner()
    // Imported on demand, since most sign-ins lead to the home screen.
    import('./return-path.ts').then(({ returnPathOf }) => returnPathOf(returnTo, owner)).then(go, () => go('/'))
  }
  return { state: { returnTo }, leave }
}
