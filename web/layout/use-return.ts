import { useRouter, useRouterState } from '@tanstack/react-router'
import { readOwner } from '#web/platform/storage.ts'

declare module '@tanstack/history' {
  interface HistoryState {
    /**
     * On a sign-in form: the address (path and search) to which the user was on the way. Kept in the history's entry,
     * so that it survives a reload and is gone when the form is opened anew.
     */
    readonly returnTo?: string | undefined
  }
}

/**
 * Whether this page was reached by the browser's back or forward button: after a sign-out it is the page of the person
 * who left, and the next one to sign in does not go there (rules §4.1).
 */
export const cameByHistory = () =>
  performance.getEntriesByType('navigation').some((entry) => 'type' in entry && entry.type === 'back_forward')

/** `state` is for the link to the other sign-in form. */
export function useReturn() {
  const router = useRouter()
  const returnTo = useRouterState({ select: ({ location }) => location.state.returnTo })
  /** Leaves the form for the address on the way to which it appeared, else for the home screen. */
  const leave = () => {
    const go = (path: string) => router.history.replace(path)
    if (returnTo === undefined) return go('/')
    // Read at once: as soon as the server has named the signed-in user, the device is theirs.
    const owner = readOwner()
    // Loaded on demand: most sign-ins lead to the home screen, which also follows where this fails.
    import('./return-path.ts').then(({ returnPathOf }) => returnPathOf(returnTo, owner)).then(go, () => go('/'))
  }
  return { state: { returnTo }, leave }
}
