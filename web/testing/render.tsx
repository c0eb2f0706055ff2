import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { act, render, type RenderResult, waitFor } from '@testing-library/react'
import userEvent, { type UserEvent } from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { ToastHost } from '#web/ui/toast.tsx'

export type Drawn = RenderResult & {
  /** Presses and types as a person does. */
  readonly user: UserEvent
  /** Refetches the queries of these keys, as a hint of the server would. */
  readonly askAgain: (queryKey: readonly unknown[]) => Promise<void>
  /** The current address: path and search. */
  readonly address: () => string
  /** Goes to another address, as a link does. */
  readonly goTo: (address: string) => Promise<void>
}

/**
 * A user who presses what is in the way of no other layer: a dialog that opens while the menu before it closes takes no
 * presses for a moment.
 */
function patientUser(): UserEvent {
  const user = userEvent.setup()
  const patiently = (press: () => Promise<void>) =>
    press().catch(async (error: unknown) => {
      if (!String(error).includes('pointer-events: none')) throw error
      await waitFor(press)
    })
  return {
    ...user,
    click: (element) => patiently(() => user.click(element)),
    type: (...typed) => patiently(() => user.type(...typed)),
  }
}

/**
 * Renders a part of a screen with the context of every screen: a router in memory, a query cache of its own, the
 * toasts.
 * @param path the guarded route of a whole screen, which reads its parameters
 */
export async function draw(element: ReactNode, at = '/', path = '$'): Promise<Drawn> {
  const root = createRootRoute()
  const guarded = createRoute({ getParentRoute: () => root, id: 'guarded' })
  const anywhere = createRoute({
    getParentRoute: () => guarded,
    path,
    component: () => (
      <>
        {element}
        <ToastHost />
      </>
    ),
  })
  const router = createRouter({
    routeTree: root.addChildren([guarded.addChildren([anywhere])]),
    history: createMemoryHistory({ initialEntries: [at] }),
  })
  await router.load()
  const answers = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const drawn = render(
    <QueryClientProvider client={answers}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  )
  return {
    ...drawn,
    user: patientUser(),
    askAgain: (queryKey) => act(() => answers.invalidateQueries({ queryKey })),
    address: () => router.history.location.href,
    goTo: (address) => act(() => router.navigate({ href: address })),
  }
}
