import { screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { draw } from '#web/testing/render.tsx'
import { Button } from './button.tsx'
import { Countdown } from './ticking-text.tsx'

test('a countdown stops at 0', async () => {
  function Example() {
    const [endsAtMs, setEndsAtMs] = useState(() => Date.now() + 600_000)
    return (
      <>
        <Button onClick={() => setEndsAtMs(Date.now() - 1)}>Hết giờ</Button>
        <Countdown label="Thời gian còn lại" endsAtMs={endsAtMs} />
      </>
    )
  }
  const { user } = await draw(<Example />)
  expect(screen.getByRole('timer', { name: 'Thời gian còn lại' }).textContent).toMatch(/^(10:00|09:5\d)$/)
  await user.click(screen.getByRole('button', { name: 'Hết giờ' }))
  expect(screen.getByRole('timer').textContent).toBe('00:00')
})
