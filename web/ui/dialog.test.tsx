import { screen, within } from '@testing-library/react'
import { useState } from 'react'
import { describe, expect, test } from 'vitest'
import { draw } from '#web/testing/render.tsx'
import { Button } from './button.tsx'
import { Dialog, Sheet } from './dialog.tsx'

describe.each([
  ['a dialog', Dialog],
  ['a sheet', Sheet],
])('%s', (_, Kind) => {
  function Example() {
    const [isOpen, setIsOpen] = useState(false)
    return (
      <>
        <Button onClick={() => setIsOpen(true)}>Mở</Button>
        <Kind isOpen={isOpen} onClose={() => setIsOpen(false)} title="Chi tiết" description="Một dòng">
          <Button>Bên trong</Button>
        </Kind>
      </>
    )
  }

  test('has its title as name and its text as description, and gets the focus', async () => {
    const { user } = await draw(<Example />)
    expect(screen.queryByRole('dialog')).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Mở' }))
    const dialog = screen.getByRole('dialog', { name: 'Chi tiết', description: 'Một dòng' })
    expect(dialog.contains(document.activeElement)).toBe(true)
    // The rest of the page is inaccessible while the dialog is open.
    expect(screen.queryByRole('button', { name: 'Mở' })).toBeNull()
  })

  test('Tab cycles inside it', async () => {
    const { user } = await draw(<Example />)
    await user.click(screen.getByRole('button', { name: 'Mở' }))
    const dialog = screen.getByRole('dialog')
    const [close, inner] = within(dialog).getAllByRole('button')
    const seen = new Set<Element | null>()
    for (let press = 0; press < 4; press++) {
      await user.tab()
      seen.add(document.activeElement)
    }
    expect(seen).toEqual(new Set([close, inner]))
  })

  test.each([
    ['Escape', (user: Awaited<ReturnType<typeof draw>>['user']) => user.keyboard('{Escape}')],
    [
      'the close button',
      (user: Awaited<ReturnType<typeof draw>>['user']) => user.click(screen.getByRole('button', { name: 'Đóng' })),
    ],
  ])('%s closes it, and the focus returns to where it was', async (_, leave) => {
    const { user } = await draw(<Example />)
    const opener = screen.getByRole('button', { name: 'Mở' })
    await user.click(opener)
    await leave(user)
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(document.activeElement).toBe(opener)
  })
})
