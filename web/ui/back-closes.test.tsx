import { act, cleanup, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { endStoredSession, startAnew } from '#web/platform/storage.ts'
import { draw } from '#web/testing/render.tsx'
import { Button } from './button.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { Dialog } from './dialog.tsx'
import { Menu } from './menu.tsx'

function Example({ isBusy = false }: { readonly isBusy?: boolean }) {
  const [isOuter, setIsOuter] = useState(false)
  const [isInner, setIsInner] = useState(false)
  return (
    <>
      <Button onClick={() => setIsOuter(true)}>Mở</Button>
      <Menu
        trigger={<Button>Thêm</Button>}
        groups={[{ id: 'acts', items: [{ id: 'open', label: 'Mở từ danh mục', onSelect: () => setIsOuter(true) }] }]}
      />
      <Dialog isOpen={isOuter} onClose={() => setIsOuter(false)} title="Ngoài">
        <Button onClick={() => setIsInner(true)}>Hỏi</Button>
      </Dialog>
      <ConfirmDialog
        isOpen={isInner}
        isBusy={isBusy}
        title="Trong"
        description="Một câu"
        onCancel={() => setIsInner(false)}
      />
    </>
  )
}

const open = () => [...document.querySelectorAll('[role=dialog],[role=alertdialog],[role=menu]')].length
const state = () => history.state as { readonly page?: string; readonly overlays?: number } | null
const press = (name: string) => screen.getByRole('button', { name })
const back = () => act(() => history.back())
const entries = (count: number) => waitFor(() => expect(state()?.overlays ?? 0).toBe(count))

let page = 0
beforeEach(() => {
  page += 1
  history.pushState({ page: `p${page}` }, '')
})
afterEach(async () => {
  cleanup()
  await entries(0)
})
const isStill = () => expect(state()?.page).toBe(`p${page}`)
const backCloses = async () => {
  back()
  await waitFor(() => expect(open()).toBe(0))
  isStill()
}

test('back closes a dialog and stays on the screen', async () => {
  const { user } = await draw(<Example />)
  await user.click(press('Mở'))
  await entries(1)
  await backCloses()
})

test('a dialog that is closed otherwise leaves no entry', async () => {
  const { user } = await draw(<Example />)
  for (const leave of [() => user.keyboard('{Escape}'), () => user.click(press('Đóng'))]) {
    await user.click(press('Mở'))
    await entries(1)
    await leave()
    await entries(0)
    isStill()
  }
})

test('of two dialogs back closes the inner one, then the outer one', async () => {
  const { user } = await draw(<Example />)
  await user.click(press('Mở'))
  await entries(1)
  await user.click(press('Hỏi'))
  await entries(2)
  back()
  await waitFor(() => expect(open()).toBe(1))
  expect(state()?.overlays).toBe(1)
  await backCloses()
})

test('a dialog over which the address changes is closed by back all the same', async () => {
  const { user, goTo, address } = await draw(<Example />)
  await user.click(press('Mở'))
  await entries(1)
  await goTo('/?q=abc')
  await entries(1)
  back()
  await waitFor(() => expect(open()).toBe(0))
  expect(address()).toBe('/?q=abc')
  isStill()
})

test('what can’t be closed now keeps its entry', async () => {
  const { user } = await draw(<Example isBusy />)
  await user.click(press('Mở'))
  await entries(1)
  await user.click(press('Hỏi'))
  await entries(2)
  back()
  await entries(1)
  await entries(2)
  expect(open()).toBe(2)
})

test('a dialog that a menu opens takes over its entry', async () => {
  const { user } = await draw(<Example />)
  await user.click(press('Thêm'))
  await entries(1)
  await user.click(screen.getByRole('menuitem'))
  await screen.findByRole('dialog')
  await entries(1)
  await backCloses()
  await waitFor(() => expect(document.body.style.pointerEvents).not.toBe('none'))
  await user.click(press('Thêm'))
  await entries(1)
  await backCloses()
})

test('forward to a dialog that was closed does nothing', async () => {
  const { user } = await draw(<Example />)
  await user.click(press('Mở'))
  await entries(1)
  back()
  await waitFor(() => expect(open()).toBe(0))
  const go = vi.spyOn(history, 'go')
  act(() => history.forward())
  await waitFor(() => expect(go.mock.calls).toEqual([[-1]]))
  go.mockRestore()
  await entries(0)
  expect(open()).toBe(0)
  isStill()
})

test('a dialog of a page whose session ended takes no step back, which would end the page’s way out', async () => {
  const { user } = await draw(<Example />)
  await user.click(press('Mở'))
  await entries(1)
  const go = vi.spyOn(history, 'go')
  endStoredSession()
  await user.keyboard('{Escape}')
  await waitFor(() => expect(open()).toBe(0))
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(go).not.toHaveBeenCalled()
  go.mockRestore()
  // A new page.
  startAnew()
  history.back()
})
