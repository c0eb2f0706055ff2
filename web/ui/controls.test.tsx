// Alone: the region of toasts is not loaded yet when the first one is sent.
import { screen, waitFor, within } from '@testing-library/react'
import { useState } from 'react'
import { describe, expect, test, vi } from 'vitest'
import { draw } from '#web/testing/render.tsx'
import { Button } from './button.tsx'
import { Menu, type MenuGroup } from './menu.tsx'
import { Pager } from './pager.tsx'
import { SegmentedControl } from './segmented-control.tsx'
import { Tabs } from './tabs.tsx'
import { PasswordInput } from './text-input.tsx'
import { toast } from './toast.tsx'

describe('a menu', () => {
  const open = async (groups: readonly MenuGroup[]) => {
    const { user } = await draw(<Menu trigger={<Button>Khác</Button>} groups={groups} />)
    const trigger = screen.getByRole('button', { name: 'Khác' })
    await user.click(trigger)
    await screen.findByRole('menu')
    return { user, trigger }
  }
  const item = (id: string, fields = {}) => ({ id, label: id, onSelect: vi.fn<() => void>(), ...fields })

  test('arrow keys reach its items, Enter chooses, and the focus returns before the item’s act runs', async () => {
    const focused: (Element | null)[] = []
    const second = item('Hai', { onSelect: () => focused.push(document.activeElement) })
    const { user, trigger } = await open([{ id: 'all', items: [item('Một'), second] }])
    await user.keyboard('{ArrowDown}{ArrowDown}')
    expect(document.activeElement?.textContent).toBe('Hai')
    await user.keyboard('{Enter}')
    await waitFor(() => expect(focused).toEqual([trigger]))
    expect(document.activeElement).toBe(trigger)
    expect(screen.queryByRole('menu')).toBeNull()
  })

  test('Escape closes it without running an act', async () => {
    const one = item('Một')
    const { user, trigger } = await open([{ id: 'all', items: [one] }])
    await user.keyboard('{ArrowDown}{Escape}')
    expect(screen.queryByRole('menu')).toBeNull()
    expect(document.activeElement).toBe(trigger)
    expect(one.onSelect).not.toHaveBeenCalled()
  })

  test('a disabled item shows its reason, and is skipped', async () => {
    const off = item('Xoá', { isDisabled: true, hint: 'Đang chạy' })
    const { user } = await open([{ id: 'all', items: [off] }])
    const entry = screen.getByRole('menuitem', { name: 'Xoá Đang chạy' })
    expect(entry.getAttribute('aria-disabled')).toBe('true')
    await user.click(entry)
    expect(off.onSelect).not.toHaveBeenCalled()
  })

  test('a switch keeps the menu open and shows its state; groups without items are not rendered', async () => {
    function Example() {
      const [isOn, setIsOn] = useState(false)
      const items = [{ id: 'x', label: 'Cột', isChecked: isOn, onSelect: () => setIsOn(!isOn) }]
      return (
        <Menu
          trigger={<Button>Khác</Button>}
          groups={[
            { id: 'a', items },
            { id: 'b', items: [] },
          ]}
        />
      )
    }
    const { user } = await draw(<Example />)
    await user.click(screen.getByRole('button', { name: 'Khác' }))
    const box = await screen.findByRole('menuitemcheckbox', { name: 'Cột' })
    expect(box.getAttribute('aria-checked')).toBe('false')
    await user.click(box)
    expect(box.getAttribute('aria-checked')).toBe('true')
    expect(screen.getByRole('menu')).toBeTruthy()
    expect(screen.queryByRole('separator')).toBeNull()
  })
})

test('a segmented control is chosen by press and by arrow key, and skips disabled ones', async () => {
  function Example() {
    const [value, setValue] = useState<'a' | 'b' | 'c'>('a')
    const options = [
      { value: 'a', label: 'Một' },
      { value: 'b', label: 'Hai', isDisabled: true },
      { value: 'c', label: 'Ba' },
    ] as const
    return <SegmentedControl label="Loại" value={value} onChange={setValue} options={options} />
  }
  const { user } = await draw(<Example />)
  const group = screen.getByRole('group', { name: 'Loại' })
  const isChosen = (name: string) => within(group).getByRole<HTMLInputElement>('radio', { name }).checked
  await user.click(within(group).getByRole('radio', { name: 'Ba' }))
  expect([isChosen('Một'), isChosen('Hai'), isChosen('Ba')]).toEqual([false, false, true])
  await user.click(within(group).getByRole('radio', { name: 'Hai' }))
  expect(isChosen('Hai')).toBe(false)
  await user.click(within(group).getByRole('radio', { name: 'Một' }))
  expect(isChosen('Một')).toBe(true)
  await user.keyboard('{ArrowDown}')
  expect([isChosen('Một'), isChosen('Hai'), isChosen('Ba')]).toEqual([false, false, true])
})

test('tabs: one of them is in the tab order, arrows, Home and End move, and the panel follows', async () => {
  function Example() {
    const [value, setValue] = useState<'a' | 'b' | 'c'>('a')
    const tabs = (['a', 'b', 'c'] as const).map((one) => ({ value: one, label: one, content: `nội dung ${one}` }))
    return <Tabs label="Phiên" value={value} onChange={setValue} tabs={tabs} />
  }
  const { user } = await draw(<Example />)
  const chosen = () => screen.getByRole('tab', { selected: true })
  const expectAt = (name: string) => {
    expect(chosen().textContent).toBe(name)
    expect(document.activeElement).toBe(chosen())
    expect(screen.getByRole('tabpanel', { name }).textContent).toBe(`nội dung ${name}`)
  }
  await user.tab()
  expectAt('a')
  await user.keyboard('{ArrowRight}')
  expectAt('b')
  await user.keyboard('{End}')
  expectAt('c')
  await user.keyboard('{ArrowRight}')
  expectAt('a')
  await user.keyboard('{ArrowLeft}')
  expectAt('c')
  await user.keyboard('{Home}')
  expectAt('a')
  // One Tab moves from the row of tabs to the panel.
  await user.tab()
  expect(document.activeElement).toBe(screen.getByRole('tabpanel'))
})

describe('a pager', () => {
  test('goes one page back or forward, and not beyond the ends', async () => {
    const onChange = vi.fn<(page: number) => void>()
    const { user } = await draw(<Pager label="Trang" page={2} pages={2} hasMore={false} onChange={onChange} />)
    expect(screen.getByText('Trang 2/2')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Trang sau' }))
    expect(onChange).not.toHaveBeenCalled()
    await user.click(screen.getByRole('button', { name: 'Trang trước' }))
    expect(onChange).toHaveBeenCalledWith(1)
  })

  test('keeps the focus on the button whose press led to the last page', async () => {
    function Pages() {
      const [page, setPage] = useState(1)
      return <Pager label="Trang" page={page} pages={2} hasMore={page < 2} onChange={setPage} />
    }
    const { user } = await draw(<Pages />)
    const next = screen.getByRole<HTMLButtonElement>('button', { name: 'Trang sau' })
    await user.click(next)
    await user.keyboard('{Enter}')
    expect(screen.getByText('Trang 2/2')).toBeTruthy()
    expect(document.activeElement).toBe(next)
    expect([next.disabled, next.getAttribute('aria-disabled')]).toEqual([false, 'true'])
  })

  test('is not rendered for a single page', async () => {
    await draw(<Pager label="Trang" page={1} pages={1} hasMore={false} onChange={() => undefined} />)
    expect(screen.queryByRole('navigation')).toBeNull()
  })
})

test('a password is shown and hidden again by its button', async () => {
  const { user } = await draw(<PasswordInput label="Mật khẩu" autoComplete="new-password" defaultValue="mat-khau" />)
  const box = screen.getByLabelText<HTMLInputElement>('Mật khẩu')
  expect(box.type).toBe('password')
  await user.click(screen.getByRole('button', { name: 'Hiện mật khẩu' }))
  expect(box.type).toBe('text')
  await user.click(screen.getByRole('button', { name: 'Ẩn mật khẩu' }))
  expect(box.type).toBe('password')
})

test('a toast sent before the region has loaded and one sent after are shown in it, each once', async () => {
  const { user } = await draw(
    <>
      <Button onClick={() => toast.success('Đã lưu')}>Lưu</Button>
      <Button onClick={() => toast.error('Chưa xoá được')}>Xoá</Button>
    </>,
  )
  await user.click(screen.getByRole('button', { name: 'Lưu' }))
  expect(await screen.findByText('Đã lưu')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Xoá' }))
  expect(await screen.findByText('Chưa xoá được')).toBeTruthy()
  const region = screen.getByRole('region', { name: /Thông báo/ })
  expect(
    within(region)
      .getAllByRole('listitem')
      .map((one) => one.textContent?.trim()),
  ).toHaveLength(2)
})
