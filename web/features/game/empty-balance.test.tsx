import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { refillEndpoints } from '#contract/refill.ts'
import { refusals } from '#contract/refusals.ts'
import { fakeServer, Refused } from '#web/testing/fake-server.ts'
import { draw } from '#web/testing/render.tsx'
import { toast } from '#web/ui/toast.tsx'
import { betFormId } from './bet-form-id.ts'
import { EmptyBalance } from './empty-balance.tsx'
import { refillTexts } from './refill-texts.ts'

/** Long enough for what must not happen. */
const settled = () => act(() => new Promise<void>((resolve) => void setTimeout(resolve, 30)))
const take = () => screen.queryByRole('button', { name: refillTexts.take })

/** A tab of the screen: the card leaves it once the new balance is read. */
function Tab({ hasForm = false }: { readonly hasForm?: boolean }) {
  const [isEmpty, setIsEmpty] = useState(true)
  return (
    <main>
      <h1 tabIndex={-1}>heading</h1>
      {isEmpty && <EmptyBalance balanceMinor={350n} />}
      {hasForm && <div id={betFormId} tabIndex={-1} />}
      <button type="button" onClick={() => setIsEmpty(false)}>
        read
      </button>
    </main>
  )
}

test('says how much is left and by how much it may be filled up; a press fills up, once', async () => {
  const server = fakeServer()
  server.on(refillEndpoints.readRefill, () => ({ amountMinor: 99_650n, reason: null }))
  const pressedTwice = Promise.withResolvers<void>()
  const presses = server.on(refillEndpoints.refill, async () => {
    await pressedTwice.promise
    return { amountMinor: 99_650n, balanceMinor: 100_000n }
  })
  const { user } = await draw(<Tab hasForm />)
  expect(screen.getByRole('heading', { name: refillTexts.title('3.50') })).toBeTruthy()
  await screen.findByText(refillTexts.offer('996.50'))
  const button = await screen.findByRole('button', { name: refillTexts.take })
  await user.click(button)
  await user.click(button)
  pressedTwice.resolve()
  await screen.findByText(refillTexts.taken('996.50'))
  fireEvent.click(screen.getByText('read'))
  expect(document.activeElement?.id).toBe(betFormId)
  expect(presses()).toHaveLength(1)
  expect(presses()[0]?.idempotencyKey).toMatch(/^[0-9a-f-]{32,36}$/)
})

test.each([
  { end: 'has come, though its answer is lost', left: 0n, told: [] },
  { end: 'has not come', left: 99_650n, told: [refusals.DATABASE_AWAY.message] },
])('a refill that $end after the card has left: toasts $told', async ({ left, told }) => {
  const server = fakeServer()
  let amountMinor = 99_650n
  server.on(refillEndpoints.readRefill, () => ({ amountMinor, reason: null }))
  const answer = Promise.withResolvers<never>()
  server.on(refillEndpoints.refill, () => answer.promise)
  const shown = vi.spyOn(toast, 'error').mockReturnValue()
  const { user } = await draw(<Tab />)
  await user.click(await screen.findByRole('button', { name: refillTexts.take }))
  amountMinor = left
  // As the event of the new balance does.
  await user.click(screen.getByText('read'))
  await act(async () => answer.reject(new Refused('DATABASE_AWAY')))
  await settled()
  expect(shown.mock.calls.flat()).toEqual(told)
  shown.mockRestore()
})

test('where it is refused, the reason stands in place of the button', async () => {
  const { message } = refusals.TIMED_OUT
  fakeServer().on(refillEndpoints.readRefill, () => ({ amountMinor: 0n, reason: message }))
  await draw(<EmptyBalance balanceMinor={0n} />)
  await screen.findByText(message)
  expect(take()).toBeNull()
})

test('refused at the press, it says why and takes the button away', async () => {
  const server = fakeServer()
  let reason: string | null = null
  server.on(refillEndpoints.readRefill, () => ({ amountMinor: reason === null ? 100_000n : 0n, reason }))
  server.on(refillEndpoints.refill, () => {
    reason = refusals.REFILL_NOT_YET.message
    throw new Refused('REFILL_NOT_YET')
  })
  const { user } = await draw(<Tab />)
  await user.click(await screen.findByRole('button', { name: refillTexts.take }))
  await waitFor(() => expect(take()).toBeNull())
  // A keyboard goes on from the heading in the tab “Lịch sử”, which has no form of the bet.
  expect(document.activeElement?.tagName).toBe('H1')
  expect(screen.getAllByText(refusals.REFILL_NOT_YET.message)).toHaveLength(1)
})

test('takes no focus and counts nothing down', async () => {
  fakeServer().on(refillEndpoints.readRefill, () => ({ amountMinor: 0n, reason: refusals.REFILL_NOT_YET.message }))
  const { container } = await draw(<EmptyBalance balanceMinor={0n} />)
  await screen.findByText(refusals.REFILL_NOT_YET.message)
  expect(document.activeElement).toBe(document.body)
  expect(container.textContent).not.toMatch(/\d+:\d\d|giờ|phút|giây/)
})
