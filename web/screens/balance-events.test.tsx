import { act } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { configQuery } from '#web/features/game/api.ts'
import { meQuery } from '#web/features/identity/api.ts'
import { queryClient } from '#web/platform/query-client.ts'
import { draw } from '#web/testing/render.tsx'
import { useBalanceEvents } from '#web/features/wallet/balance.ts'

const { emit } = vi.hoisted(() => ({ emit: { balanceChanged: (_: { balanceMinor: bigint }) => {} } }))
vi.mock(import('#web/platform/socket.ts'), async (original) => ({
  ...(await original()),
  onServerEvent: ((name: string, listener: typeof emit.balanceChanged) => {
    if (name === 'balance_changed') emit.balanceChanged = listener
    return () => {}
  }) as never,
}))

function Listening() {
  useBalanceEvents()
  return null
}

test('a balance that the socket names is in all that is cached, under the keys by which screens read it', async () => {
  const cached = { balanceMinor: 99_000n } as never
  for (const { queryKey } of [meQuery, configQuery]) queryClient.setQueryData(queryKey, cached)
  await draw(<Listening />)
  act(() => emit.balanceChanged({ balanceMinor: 100_000n }))
  for (const { queryKey } of [meQuery, configQuery])
    expect(queryClient.getQueryData(queryKey)).toEqual({ balanceMinor: 100_000n })
  queryClient.clear()
})
