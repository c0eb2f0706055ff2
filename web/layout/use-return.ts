import { useRouter, useRouterState } from '@tanstack/react-router'
import { readOwner } from '#web/platform/storage.ts'

declare module '@tanstack/history' {
  interface HistoryState {
    /**
     * The address to which the user was on the way. In the history's entry it survives a reload and is gone when the
     * form is opened anew.
     */
    readonly returnTo?: string | undefined
  }
}

/**
 * After a sign-out such a page is that of the person who left, and the next one to sign in does not go there (rules
 * §4.1).
 */
export const cameByHistory = () =>
  performance.getEntriesByType('navigation').some((entry) => 'type' in entry && entry.type === 'back_forward')

export function useReturn() {
  const router = useRouter()
  const returnTo = useRouterState({ select: ({ location }) => location.state.returnTo })
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
