import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { customerEndpoints, type StaffNote } from '#contract/customer.ts'
import { refusals } from '#contract/refusals.ts'
import { fakeServer, onePage, Refused } from '#web/testing/fake-server.ts'
import { draw } from '#web/testing/render.tsx'
import { uuid } from '#web/testing/samples.ts'
import { toast } from '#web/ui/toast.tsx'
import { adminCustomerTexts as texts } from './admin-customer-texts.ts'
import { Notes } from './notes.tsx'

const note = (number: number, text: string): StaffNote => ({
  id: uuid(number),
  writtenBy: { id: uuid(900), username: 'admin' },
  text,
  createdAtMs: Date.UTC(2026, 0, 1) + number * 1000,
})

async function open(mayWrite = true) {
  const server = fakeServer()
  let stored: StaffNote[] = []
  server.on(customerEndpoints.listCustomerNotes, () => onePage(stored))
  let isRefused = true
  let held: Promise<void> | undefined
  const sent = server.on(customerEndpoints.addCustomerNote, async ({ body: { text } }) => {
    await held
    if (isRefused) throw new Refused('DATABASE_AWAY')
    stored = [note(stored.length + 1, text), ...stored]
    return stored[0]!
  })
  const drawn = await draw(<Notes userId={uuid(1)} isSelf={false} mayWrite={mayWrite} />)
  await screen.findByText(texts.noNotes)
  const accept = () => {
    isRefused = false
  }
  /** Keeps every answer back until the returned function is called. */
  const hold = (accepts = true) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    held = promise
    if (accepts) accept()
    return resolve
  }
  return { ...drawn, sent, accept, hold }
}

const field = () => screen.getByRole('textbox', { name: texts.newNote })

test('a refused note stays in the field, is sent again under its id, and then stands in the list', async () => {
  const { user, sent, accept } = await open()
  const save = () => user.click(screen.getByRole('button', { name: texts.saveNote }))
  await save()
  expect(await screen.findByText(texts.noteRequired)).toBeTruthy()
  expect(sent()).toHaveLength(0)
  await user.type(field(), 'Đã gọi lại')
  await save()
  await screen.findByRole('alert')
  expect(field()).toMatchObject({ value: 'Đã gọi lại' })
  accept()
  await save()
  await waitFor(() => expect(field()).toMatchObject({ value: '' }))
  await user.type(field(), 'Ghi chú khác')
  await save()
  await waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(2))
  const [first, again, other] = sent().map(({ body }) => body.noteId)
  expect(again).toBe(first)
  expect(other).not.toBe(first)
})

test('while a note is on its way, the field takes no text that its answer would clear', async () => {
  const { user, sent, hold } = await open()
  const answer = hold()
  await user.type(field(), 'Đã gọi lại')
  await user.click(screen.getByRole('button', { name: texts.saveNote }))
  await waitFor(() => expect(sent()).toHaveLength(1))
  await user.type(field(), ' và hẹn mai')
  expect(field()).toMatchObject({ value: 'Đã gọi lại' })
  answer()
  await waitFor(() => expect(field()).toMatchObject({ value: '' }))
  await user.type(field(), 'Hẹn mai')
  expect(field()).toMatchObject({ value: 'Hẹn mai' })
})

test('who may only read finds no field', async () => {
  await open(false)
  expect(screen.getByText(texts.notesReadOnly)).toBeTruthy()
  expect(screen.queryByRole('textbox')).toBeNull()
})

test('nobody is asked for notes about themselves', async () => {
  const server = fakeServer()
  const asked = server.on(customerEndpoints.listCustomerNotes, () => onePage([]))
  await draw(<Notes userId={uuid(1)} isSelf mayWrite />)
  expect(screen.getByText(texts.notesOfOneself)).toBeTruthy()
  expect(asked()).toHaveLength(0)
})

test('whoever has left the page before a note was refused reads it', async () => {
  const { user, sent, hold, unmount } = await open()
  const failed = vi.spyOn(toast, 'error').mockReturnValue()
  const answer = hold(false)
  await user.type(field(), 'Đã gọi lại')
  await user.click(screen.getByRole('button', { name: texts.saveNote }))
  await waitFor(() => expect(sent()).toHaveLength(1))
  unmount()
  answer()
  await waitFor(() => expect(failed).toHaveBeenCalledExactlyOnceWith(refusals.DATABASE_AWAY.message))
  failed.mockRestore()
})
