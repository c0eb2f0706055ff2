import { act, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { useQuery } from '@tanstack/react-query'
import { identityEndpoints } from '#contract/identity.ts'
import { meQuery } from '#web/features/identity/api.ts'
import { sharedKeys } from '#web/platform/query-keys.ts'
import { fakeServer } from '#web/testing/fake-server.ts'
import { draw } from '#web/testing/render.tsx'
import { sampleUser } from '#web/testing/samples.ts'
import { UnreadCount } from './unread-count.tsx'

const held = vi.hoisted(() => vi.fn((_owner: { readonly username: string }) => () => {}))
vi.mock(import('#web/platform/socket.ts'), async (original) => ({ ...(await original()), holdConnection: held }))
vi.mock(import('#web/platform/lazy-part.ts'), async (original) => ({
  ...(await original()),
  afterPause: (_, load) => load,
}))
vi.mock('#web/features/chat/unread-badge.tsx', () => ({ UnreadBadge: () => <p>3</p> }))

const Guarded = () => useQuery(meQuery).data && <UnreadCount />

test('the connection learns the name that staff give the user while the count stands', async () => {
  let username = 'an'
  fakeServer().on(identityEndpoints.me, () => ({ ...sampleUser(1), username, passwordResetAtMs: null }))
  const { askAgain } = await draw(<Guarded />)
  await screen.findByText('3')
  expect(held.mock.lastCall?.[0].username).toBe('an')
  username = 'binh'
  await act(() => askAgain(sharedKeys.me))
  await waitFor(() => expect(held.mock.lastCall?.[0].username).toBe('binh'))
})
