import { screen, waitFor, within } from '@testing-library/react'
import { useState } from 'react'
import { describe, expect, test, vi } from 'vitest'
import { ApiError } from '#web/platform/http.ts'
import { draw } from '#web/testing/render.tsx'
import { ActDialog, type ActDialogProps } from './act-dialog.tsx'
import { Button } from './button.tsx'

const refusal = new ApiError({ status: 409, code: 'ROUND_ENDED', message: 'Phiên đã kết thúc' })

/** A promise that the test settles. */
function pending() {
  let settle = { resolve: (): void => {}, reject: (_: unknown): void => {} }
  const promise = new Promise<void>((resolve, reject) => (settle = { resolve, reject }))
  return { promise, ...settle }
}

/** Renders a button that opens the dialog, and opens it. */
async function open(fields: Partial<ActDialogProps> & Pick<ActDialogProps, 'run'>) {
  const onClose = vi.fn<() => void>()
  function Example() {
    const [isOpen, setIsOpen] = useState(false)
    const close = () => {
      onClose()
      setIsOpen(false)
    }
    return (
      <>
        <Button onClick={() => setIsOpen(true)}>Mở</Button>
        {isOpen && (
          <ActDialog
            title="Xoá phiên?"
            description="Phiên 12"
            confirmLabel="Xoá phiên"
            failText="Chưa xoá được phiên"
            onClose={close}
            {...fields}
          />
        )}
      </>
    )
  }
  const { user } = await draw(<Example />)
  const opener = screen.getByRole('button', { name: 'Mở' })
  await user.click(opener)
  const dialog = screen.getByRole('alertdialog', { name: 'Xoá phiên?', description: 'Phiên 12' })
  const confirm = within(dialog).getByRole('button', { name: 'Xoá phiên' })
  return { user, opener, dialog, confirm, onClose }
}

test('an act that ends after another dialog took its place leaves that one open, and is said to be done', async () => {
  const act = pending()
  const done = vi.fn<() => void>()
  function Example() {
    const [name, setName] = useState('một')
    return (
      <ActDialog
        key={name}
        title={name}
        description="Yêu cầu"
        aside={<Button onClick={() => setName('hai')}>Sau</Button>}
        confirmLabel="Duyệt"
        failText="Chưa duyệt được"
        run={() => act.promise}
        doneText={`Đã duyệt ${name}`}
        onClose={done}
      />
    )
  }
  const { user } = await draw(<Example />)
  await user.click(screen.getByRole('button', { name: 'Duyệt' }))
  await user.click(screen.getByRole('button', { name: 'Sau' }))
  expect(screen.queryByText(/Đã duyệt/)).toBeNull()
  act.resolve()
  await screen.findByText('Đã duyệt một')
  await screen.findByRole('alertdialog', { name: 'hai' })
  expect(done).not.toHaveBeenCalled()
})

test('runs the act, closes, and returns the focus', async () => {
  const run = vi.fn<() => Promise<void>>(() => Promise.resolve())
  const { user, confirm, opener, onClose } = await open({ run })
  await user.click(confirm)
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  expect(run).toHaveBeenCalledOnce()
  expect(onClose).toHaveBeenCalledOnce()
  expect(document.activeElement).toBe(opener)
})

test('a double click runs the act once, and the dialog cannot be closed meanwhile', async () => {
  const act = pending()
  const run = vi.fn<() => Promise<void>>(() => act.promise)
  const { user, confirm, dialog, onClose } = await open({ run })
  await user.dblClick(confirm)
  await user.click(confirm)
  expect(run).toHaveBeenCalledOnce()
  expect(confirm.getAttribute('aria-disabled')).toBe('true')
  expect(document.activeElement).toBe(confirm)
  expect(within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Quay lại' }).disabled).toBe(true)
  await user.keyboard('{Escape}')
  expect(onClose).not.toHaveBeenCalled()
  act.resolve()
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
})

describe('a refusal', () => {
  test('is shown with the server’s own sentence, and the act can be tried again', async () => {
    let isRefused = true
    const run = vi.fn<() => Promise<void>>(() => (isRefused ? Promise.reject(refusal) : Promise.resolve()))
    const { user, confirm, dialog, onClose } = await open({ run, doneText: 'Đã xoá phiên' })
    await user.click(confirm)
    expect((await within(dialog).findByText('Phiên đã kết thúc')).closest('[role="alert"]')).not.toBeNull()
    expect(onClose).not.toHaveBeenCalled()
    expect(screen.queryByText('Đã xoá phiên')).toBeNull()
    isRefused = false
    await user.click(confirm)
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
    await screen.findByText('Đã xoá phiên')
  })

  test('without a sentence shows the act’s own', async () => {
    const { user, confirm } = await open({ run: () => Promise.reject(new Error('boom')) })
    await user.click(confirm)
    expect(await screen.findByText('Chưa xoá được phiên')).toBeTruthy()
  })

  test('that `onFailure` handles is not shown twice', async () => {
    const onFailure = vi.fn<() => boolean>(() => true)
    const { user, confirm, dialog } = await open({ run: () => Promise.reject(refusal), onFailure })
    await user.click(confirm)
    await waitFor(() => expect(onFailure).toHaveBeenCalledWith(refusal))
    expect(within(dialog).getByRole('alert').textContent).toBe('')
  })
})

test('a blocked or incomplete act does not run', async () => {
  const run = vi.fn<() => Promise<void>>(() => Promise.resolve())
  const { user, confirm } = await open({ run, canRun: () => false })
  await user.click(confirm)
  expect(run).not.toHaveBeenCalled()
  expect(screen.getByRole('alertdialog')).toBeTruthy()
})

test.each(['Escape', 'the cancel button', 'a press outside'])('%s: only an answer closes it', async (way) => {
  const { user, opener, dialog, onClose } = await open({ run: () => Promise.resolve() })
  if (way === 'Escape') await user.keyboard('{Escape}')
  if (way === 'the cancel button') await user.click(within(dialog).getByRole('button', { name: 'Quay lại' }))
  if (way === 'a press outside') await user.pointer({ target: document.documentElement, keys: '[MouseLeft]' })
  expect(onClose).toHaveBeenCalledTimes(way === 'a press outside' ? 0 : 1)
  if (way !== 'a press outside') expect(document.activeElement).toBe(opener)
})
