import { screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { draw } from '#web/testing/render.tsx'
import { Button } from './button.tsx'
import { Countdown } from './ticking-text.tsx'

test('a countdown that reaches 0 calls the newest callback, once', async () => {
  const finish = vi.fn<(press: number) => void>()
  function Example() {
    const [presses, setPresses] = useState(0)
    const [endsAtMs, setEndsAtMs] = useState(() => Date.now() + 600_000)
    return (
      <>
        <Button onClick={() => setPresses(presses + 1)}>Bấm</Button>
        <Button onClick={() => setEndsAtMs(Date.now() + 1)}>Hết giờ</Button>
        <Countdown label="Thời gian còn lại" endsAtMs={endsAtMs} onFinish={() => finish(presses)} />
      </>
    )
  }
  const { user } = await draw(<Example />)
  expect(screen.getByRole('timer', { name: 'Thời gian còn lại' }).textContent).toMatch(/^(10:00|09:5\d)$/)
  await user.click(screen.getByRole('button', { name: 'Bấm' }))
  expect(finish).not.toHaveBeenCalled()
  await user.click(screen.getByRole('button', { name: 'Hết giờ' }))
  await waitFor(() => expect(finish).toHaveBeenCalledExactlyOnceWith(1))
  expect(screen.getByRole('timer').textContent).toBe('00:00')
  await user.click(screen.getByRole('button', { name: 'Bấm' }))
  expect(finish).toHaveBeenCalledOnce()
})
