// Alone: in a context of its own parts that are loaded later come outside of act.
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { useSyncExternalStore } from 'react'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { chatEndpoints } from '#contract/chat.ts'
import { MESSAGE_TEXT_MAX } from '#domain/chat/conversation.ts'
import { formatCount } from '#web/platform/formats.ts'
import { ApiError } from '#web/platform/http.ts'
import { recordServerTime, resetServerTime } from '#web/platform/server-time.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { expectNothingFilled, fillEverything } from '#web/testing/choices.ts'
import { fakeServer } from '#web/testing/fake-server.ts'
import { draw as drawScreen } from '#web/testing/render.tsx'
import { cannedReplies } from './canned-replies.ts'
import { chatTexts } from './chat-texts.ts'
import { fileTexts } from './file-texts.ts'
import { an, type FakePage, openPage, settle, staff } from '#web/testing/fake-chat.ts'
import { MessagePane } from './message-pane.tsx'
import { ChatSessionContext } from './use-chat.ts'

/** The virtual list renders only rows for which there is room, and this DOM measures nothing. */
beforeEach(() => {
  // Staff's replies.
  fakeServer().on(chatEndpoints.listReplies, () => [])
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600)
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(400)
})
const pages: FakePage[] = []
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  for (const page of pages.splice(0)) page.session.end()
})

function Pane({ page: { session }, self }: { readonly page: FakePage; readonly self: typeof an }) {
  const snapshot = useSyncExternalStore(session.subscribe, session.snapshot)
  const { openKey, threads } = snapshot.chat
  const thread = openKey === null ? undefined : threads[openKey]
  return (
    <ChatSessionContext value={session}>
      {thread !== undefined && <MessagePane thread={thread} self={self} snapshot={snapshot} />}
    </ChatSessionContext>
  )
}

/** Draws the open conversation with staff, after `prepare` has set up the server; with `before`, after a reload. */
async function draw(prepare: (page: FakePage) => void = () => {}, self = an, before?: FakePage) {
  const page = await openPage(before && { drafts: before.drafts, device: before.device })
  pages.push(page)
  prepare(page)
  page.session.openThread('c1')
  const { user, askAgain } = await drawScreen(<Pane page={page} self={self} />)
  // Waits for the lazy code of the preview and the dialogs, and for the page of messages.
  await happens(() => vi.dynamicImportSettled())
  return { page, user, askAgain }
}

/** Runs an action and waits for all its effects. */
const happens = (what: () => unknown = () => {}) =>
  act(async () => {
    await what()
    await settle()
  })

const field = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: chatTexts.messageLabel })
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })
const list = () => within(screen.getByRole('region', { name: chatTexts.messageList }))
const stored = ({ server }: FakePage) => server.messages.map(({ content }) => content)
const paste = (file: File, text = '') =>
  fireEvent.paste(field(), { clipboardData: { files: [file], getData: () => text } })
const picture = (type = 'image/png') => new File(['bytes'], 'anh.png', { type })

describe('the field', () => {
  test('Enter sends and empties it, Shift+Enter makes a new line, and a blank text is not sent', async () => {
    const { page, user } = await draw()
    await user.type(field(), 'một{Shift>}{Enter}{/Shift}hai')
    expect([field().value, stored(page)]).toEqual(['một\nhai', []])
    await user.keyboard('{Enter}')
    await waitFor(() => expect(stored(page)).toEqual(['một\nhai']))
    expect(field().value).toBe('')
    await user.type(field(), '   {Enter}')
    await happens()
    expect([stored(page).length, button(chatTexts.send).disabled]).toEqual([1, true])
  })

  test('Enter that ends a word of an input method sends nothing', async () => {
    const { page, user } = await draw()
    await user.type(field(), 'tieng')
    fireEvent.keyDown(field(), { key: 'Enter', isComposing: true })
    fireEvent.keyDown(field(), { key: 'Enter', keyCode: 229 })
    await happens()
    expect([field().value, stored(page)]).toEqual(['tieng', []])
  })

  test('typing is emitted with the first character and ends when the field is emptied', async () => {
    const { page, user } = await draw()
    await user.type(field(), 'ab')
    expect([page.server.sent('typing_start').length, page.server.sent('typing_stop').length]).toEqual([1, 0])
    await user.clear(field())
    expect(page.server.sent('typing_stop')).toHaveLength(1)
  })

  test('without a connection it is disabled with its text, and enabled again with the focus', async () => {
    const { page, user } = await draw()
    await user.type(field(), 'nửa câu')
    await happens(() => page.server.disconnect())
    await waitFor(() => expect(field().disabled).toBe(true))
    expect(field().placeholder).toBe(chatTexts.connecting)
    expect([button(chatTexts.send).disabled, button(chatTexts.attach).disabled]).toEqual([true, true])
    await happens(() => page.server.connect())
    await waitFor(() => expect(document.activeElement).toBe(field()))
    expect([field().disabled, field().value]).toEqual([false, 'nửa câu'])
  })

  test('a draft stays in its conversation while another is open', async () => {
    const { page, user } = await draw()
    await user.type(field(), 'nửa câu')
    await happens(() => page.session.openWith({ ...staff, id: 'other', username: 'other' }))
    await waitFor(() => expect(field().value).toBe(''))
    await happens(() => page.session.openThread('c1'))
    await waitFor(() => expect(field().value).toBe('nửa câu'))
  })

  test('a draft with its picture is there after a reload, and gone once it was sent or taken away', async () => {
    const first = await draw()
    await first.user.type(field(), 'nửa câu')
    paste(picture())
    await screen.findByRole('img', { name: chatTexts.attached })
    cleanup()
    first.page.session.end()
    const again = await draw(() => {}, an, first.page)
    expect(field().value).toBe('nửa câu')
    await screen.findByRole('img', { name: chatTexts.attached })
    await again.user.click(button(chatTexts.send))
    await waitFor(() => expect(stored(again.page)).toEqual(['/api/v1/files/a.png', 'nửa câu']))
    expect(again.page.drafts.size).toBe(0)
  })

  test.each(['\u200B', ' \u2060\u00AD '])('a message of %j alone is not sent', async (text) => {
    const { page } = await draw()
    fireEvent.change(field(), { target: { value: text } })
    fireEvent.keyDown(field(), { key: 'Enter' })
    await happens()
    expect([stored(page), button(chatTexts.send).disabled]).toEqual([[], true])
  })

  test('a text that is dragged is left to the browser, a picture is attached', async () => {
    await draw()
    // `fireEvent` answers false where the page kept the event from the browser.
    expect(fireEvent.dragOver(field(), { dataTransfer: { types: ['text/plain'], files: [] } })).toBe(true)
    expect(fireEvent.drop(field(), { dataTransfer: { types: ['text/plain'], files: [] } })).toBe(true)
    expect(fireEvent.drop(field(), { dataTransfer: { types: ['Files'], files: [picture()] } })).toBe(false)
    await screen.findByRole('img', { name: chatTexts.attached })
  })

  test('a text that is too long shows an error and is not sent', async () => {
    const { page, user } = await draw()
    fireEvent.change(field(), { target: { value: 'x'.repeat(MESSAGE_TEXT_MAX + 1) } })
    expect(screen.getByRole('alert').textContent).toBe(chatTexts.tooLong(formatCount(MESSAGE_TEXT_MAX)))
    await user.type(field(), '{Enter}')
    await happens()
    expect([stored(page), button(chatTexts.send).disabled]).toEqual([[], true])
  })

  test('staff choose a canned reply by its beginning', async () => {
    const [reply] = cannedReplies
    const { user } = await draw(() => {}, { ...an, role: 'admin' })
    await user.type(field(), `/${reply.name.slice(0, 3)}`)
    await screen.findByRole('option', { name: new RegExp(reply.name) })
    await user.keyboard('{Enter}')
    expect(field().value).toBe(reply.text)
  })
})

describe('an image', () => {
  test('that is pasted is previewed, can be removed, and is sent by the button', async () => {
    const { page, user } = await draw()
    paste(picture())
    await screen.findByRole('img', { name: chatTexts.attached })
    await user.click(button(chatTexts.removeImage))
    expect(screen.queryByRole('img', { name: chatTexts.attached })).toBeNull()
    paste(picture())
    await screen.findByRole('img', { name: chatTexts.attached })
    expect(stored(page)).toEqual([])
    await user.click(button(chatTexts.send))
    await waitFor(() => expect(stored(page)).toEqual(['/api/v1/files/a.png']))
    expect(screen.queryByRole('img', { name: chatTexts.attached })).toBeNull()
  })

  test('that comes beside a text is not taken: cells of a spreadsheet are a text', async () => {
    await draw()
    expect(paste(picture(), '1\t2')).toBe(true)
    await happens()
    expect(screen.queryByRole('img', { name: chatTexts.attached })).toBeNull()
    // A copied file comes with its name.
    expect(paste(picture(), 'anh.png')).toBe(false)
    await screen.findByRole('img', { name: chatTexts.attached })
  })

  test('that is chosen is sent with the text; another kind of file is refused with the reason', async () => {
    const { page, user } = await draw()
    const picker = document.querySelector<HTMLInputElement>('input[type=file]')
    if (picker === null) throw new Error('there is no picker')
    fireEvent.change(picker, { target: { files: [picture('text/plain')] } })
    expect(await screen.findByText(fileTexts.imageTypeRefused)).toBeTruthy()
    fireEvent.change(picker, { target: { files: [picture()] } })
    await screen.findByRole('img', { name: chatTexts.attached })
    await user.type(field(), 'xem giúp mình{Enter}')
    await waitFor(() => expect(stored(page)).toEqual(['/api/v1/files/a.png', 'xem giúp mình']))
  })

  test('during its upload is drawn from this device, with the progress', async () => {
    const { page } = await draw(({ server }) => {
      server.api.sendFile = (_file, onProgress) => {
        onProgress(0.25)
        return new Promise(() => {})
      }
    })
    await happens(() => page.session.sendFile('c1', picture()))
    const progress = await screen.findByRole('progressbar', { name: fileTexts.uploading('25') })
    expect(progress.getAttribute('aria-valuenow')).toBe('25')
    expect(screen.getByRole('img', { name: chatTexts.imageFrom(chatTexts.you) }).getAttribute('src')).toMatch(/^blob:/)
  })
})

test('a picture that was refused is still seen, before and after a reload', async () => {
  const { page } = await draw(({ server }) => {
    server.api.sendFile = () => Promise.reject(new ApiError({ status: 422, code: 'IMAGE_BROKEN', message: 'Ảnh hỏng' }))
  })
  await happens(() => page.session.sendFile('c1', picture()))
  const seen = async () => {
    await list().findByRole('button', { name: chatTexts.sendAgain })
    return list()
      .getByRole('img', { name: chatTexts.imageFrom(chatTexts.you) })
      .getAttribute('src')
  }
  expect(await seen()).toMatch(/^blob:/)
  page.session.end()
  cleanup()
  await draw(undefined, an, page)
  expect(await seen()).toMatch(/^blob:/)
})

test('a stored picture is fetched once, also when a reconnect asks for what is on screen again', async () => {
  let fetched = 0
  vi.stubGlobal('fetch', async () => {
    fetched += 1
    return new Response('bytes')
  })
  const { askAgain } = await draw(({ server }) => void server.write('/api/v1/files/a.png'))
  const source = async () =>
    (await list().findByRole('img', { name: chatTexts.imageFrom('staff') })).getAttribute('src')
  const before = await source()
  await happens(() => askAgain(['chat', 'image']))
  expect([await source(), fetched]).toEqual([before, 1])
})

describe('a PDF', () => {
  const pdf = () => new File(['%PDF-1.7 bytes'], 'sao kê.pdf', { type: 'application/pdf' })
  const choose = (file: File) =>
    fireEvent.change(document.querySelector('input[type=file]') ?? document, { target: { files: [file] } })
  const attached = () => screen.findByRole('img', { name: fileTexts.attached })

  test.each([
    ['chosen', () => choose(pdf())],
    ['chosen where the device knows no type', () => choose(new File(['%PDF-1.7 bytes'], 'sao kê.PDF'))],
    ['pasted', () => paste(pdf(), 'sao kê.pdf')],
    ['dropped', () => fireEvent.drop(field(), { dataTransfer: { types: ['Files'], files: [pdf()] } })],
  ])('that is %s shows its name and size, can be taken away, and is sent', async (_, give) => {
    const { page, user } = await draw(({ server }) => {
      server.api.sendFile = async () => ({ url: '/api/v1/files/a.pdf' })
    })
    give()
    await attached()
    expect([screen.getByText('sao kê.pdf'), screen.getByText(fileTexts.size(14))]).toHaveLength(2)
    await user.click(button(fileTexts.remove))
    expect(screen.queryByRole('img', { name: fileTexts.attached })).toBeNull()
    give()
    await attached()
    await user.click(button(chatTexts.send))
    await waitFor(() => expect(page.server.sent('send_message')).toMatchObject([{ kind: 'file' }]))
    expect(await list().findByRole('button', { name: fileTexts.downloadOf('a.pdf') })).toBeTruthy()
    expect([screen.queryByRole('img', { name: fileTexts.attached }), list().getByText('1.2 MB')]).toEqual([
      null,
      expect.anything(),
    ])
  })

  test('that is being sent shows how far it is, and that is refused offers to send it again', async () => {
    const upload = Promise.withResolvers<never>()
    const { page } = await draw(({ server }) => {
      server.api.sendFile = (_file, onProgress) => {
        onProgress(0.25)
        return upload.promise
      }
    })
    await happens(() => page.session.sendFile('c1', pdf()))
    const progress = await list().findByRole('progressbar', { name: fileTexts.uploading('25') })
    expect([progress.getAttribute('aria-valuenow'), list().queryByRole('button', { name: /^Tải xuống/ })]).toEqual([
      '25',
      null,
    ])
    await happens(() => upload.reject(new ApiError({ status: 422, code: 'PDF_BROKEN', message: 'File hỏng' })))
    expect(await list().findByRole('button', { name: chatTexts.sendAgain })).toBeTruthy()
    expect(list().getByText('File hỏng')).toBeTruthy()
  })

  test('of the other side is saved under its name with the token, never opened, and a failure says so', async () => {
    const saved: string[] = []
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      saved.push(this.download)
    })
    const asked: unknown[] = []
    const answers = [new Response('%PDF-1.7 bytes'), new Response('{}', { status: 404 })]
    vi.stubGlobal('fetch', async (path: string) => {
      asked.push(path)
      return answers.shift()
    })
    const { page, user } = await draw()
    await happens(() => page.server.emit('receive_message', page.server.write('/api/v1/files/a.pdf')))
    const download = await list().findByRole('button', { name: fileTexts.downloadOf('a.pdf') })
    await user.click(download)
    await waitFor(() => expect(saved).toEqual(['a.pdf']))
    await user.click(download)
    await within(download.closest('article') ?? document.body).findByText(/./, { selector: '[role=alert] p' })
    expect([asked, saved, screen.queryByRole('dialog')]).toEqual([
      ['/api/v1/files/a.pdf', '/api/v1/files/a.pdf'],
      ['a.pdf'],
      null,
    ])
  })

  test('with the address of another place offers nothing to press', async () => {
    const { page } = await draw()
    await happens(() => page.server.emit('receive_message', page.server.write('https://example.org/a.pdf')))
    await list().findByText('1.2 MB')
    expect(list().queryByRole('button', { name: /^Tải xuống/ })).toBeNull()
  })
})

describe('another conversation', () => {
  const other = { ...staff, id: 'other', username: 'other' }

  test.each([
    ['a picture and a text', () => fillEverything(screen.getByRole('region', { name: 'staff' }))],
    ['a PDF and a text', () => fillEverything(screen.getByRole('region', { name: 'staff' }), 'application/pdf')],
    ['a question', () => fireEvent.click(button(chatTexts.deleteTitle))],
    ['a picture that is dragged over it', () => fireEvent.dragOver(field(), { dataTransfer: { types: ['Files'] } })],
    ['an error', () => paste(picture('image/png'), '') && pages.at(-1)?.session.showProblem('48151623')],
  ])('%s of the first is neither on its screen nor in its message', async (_, fill) => {
    const { page, user } = await draw()
    await happens(fill)
    await happens(() => page.session.openWith(other))
    await waitFor(() => expect(screen.getByRole('region', { name: 'other' })).toBeTruthy())
    expectNothingFilled([])
    const dialogs = document.querySelectorAll('[role="dialog"],[role="alertdialog"]')
    expect([dialogs.length, screen.queryByText(chatTexts.dropHere), screen.queryByRole('alert')]).toEqual([
      0,
      null,
      null,
    ])
    await user.type(field(), 'chào{Enter}')
    await happens()
    expect(page.server.sent('send_message')).toMatchObject([{ receiverId: 'other', kind: 'text', content: 'chào' }])
  })

  test('what was begun in the first is there again', async () => {
    const { page, user } = await draw()
    await user.type(field(), 'nửa câu')
    paste(picture())
    await screen.findByRole('img', { name: chatTexts.attached })
    await happens(() => page.session.openWith(other))
    expect(screen.queryByRole('img', { name: chatTexts.attached })).toBeNull()
    await happens(() => page.session.openThread('c1'))
    await screen.findByRole('img', { name: chatTexts.attached })
    expect(field().value).toBe('nửa câu')
  })

  test('an edit that was begun in the first stands in its field again, and the draft waits behind it', async () => {
    const { page, user } = await draw(({ server }) => void server.write('một'))
    await user.type(field(), 'nháp')
    const quoted = { seq: 1, username: 'staff', kind: 'text', text: 'một' } as const
    await happens(() => page.session.pick({ is: 'edit', id: 'm1', content: 'một', quoted }))
    await user.type(field(), ' hai')
    // The same after a look at another screen.
    cleanup()
    await drawScreen(<Pane page={page} self={an} />)
    expect(field().value).toBe('một hai')
    await happens(() => page.session.openWith(other))
    expect([field().value, page.session.snapshot().picked]).toEqual(['', null])
    await happens(() => page.session.openThread('c1'))
    expect(field().value).toBe('một hai')
    await user.type(field(), '{Enter}')
    await waitFor(() => expect(field().value).toBe('nháp'))
    expect(stored(page)).toEqual(['một hai'])
    await happens(() => page.session.openWith(other))
    await happens(() => page.session.openThread('c1'))
    expect(field().value).toBe('nháp')
  })

  test('an edit of a conversation that was deleted is not there when a later message brings it back', async () => {
    const { page } = await draw(({ server }) => void server.write('một'))
    const quoted = { seq: 1, username: 'staff', kind: 'text', text: 'một' } as const
    await happens(() => page.session.pick({ is: 'edit', id: 'm1', content: 'một', quoted }))
    await happens(() => page.session.removeThread('c1', 1))
    await happens(() => page.server.emit('receive_message', page.server.write('hai')))
    await happens(() => page.session.openThread('c1'))
    expect([field().value, page.session.snapshot().picked]).toEqual(['', null])
  })

  test('a large picture is made smaller for the conversation in which it was chosen', async () => {
    const made = Promise.withResolvers<{ width: number; height: number; close: () => void }>()
    vi.stubGlobal('createImageBitmap', () => made.promise)
    vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null)
    const sizes: number[][] = []
    vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation(function (this: HTMLCanvasElement, take) {
      sizes.push([this.width, this.height])
      take(new Blob(['small'], { type: 'image/jpeg' }))
    })
    const { page } = await draw()
    const photo = new File([new Uint8Array(6 * 1024 * 1024)], 'anh.jpg', { type: 'image/jpeg' })
    paste(photo)
    await happens(() => vi.dynamicImportSettled())
    await happens(() => page.session.openWith(other))
    await happens(() => made.resolve({ width: 8_064, height: 6_048, close: () => {} }))
    expect(screen.queryByRole('img', { name: chatTexts.attached })).toBeNull()
    await happens(() => page.session.openThread('c1'))
    await screen.findByRole('img', { name: chatTexts.attached })
    expect([sizes, page.session.snapshot().attached['c1']?.file.size]).toEqual([[[2_581, 1_936]], 5])
  })
})

describe('the list', () => {
  test('shows that it is empty, or why its page failed with a retry', async () => {
    let failures = 1
    const { user } = await draw(({ server: { api } }) => {
      const { loadMessages } = api
      api.loadMessages = (id, beforeSeq) =>
        failures-- > 0 ? Promise.reject(new Error('no')) : loadMessages(id, beforeSeq)
    })
    expect(screen.getByText(chatTexts.messagesLoadFailed)).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Thử lại' }))
    expect(await screen.findByText(chatTexts.emptyConversation)).toBeTruthy()
  })

  test('whose page failed still offers it once a message stands there', async () => {
    let failures = 1
    const { user } = await draw(({ server }) => {
      server.write('một')
      const { loadMessages } = server.api
      server.api.loadMessages = (id, beforeSeq) =>
        failures-- > 0 ? Promise.reject(new Error('no')) : loadMessages(id, beforeSeq)
    })
    await user.type(field(), 'hai{Enter}')
    expect(await list().findByText('hai')).toBeTruthy()
    expect(list().queryByText('một')).toBeNull()
    await user.click(button(chatTexts.loadOlder))
    expect(await list().findByText('một')).toBeTruthy()
    expect(screen.queryByRole('button', { name: chatTexts.loadOlder })).toBeNull()
  })

  test('offers what was deleted and is there again, where nothing came after it', async () => {
    let isDeleted = true
    const { page, user } = await draw(({ server }) => {
      server.write('một')
      const { loadMessages } = server.api
      server.api.loadMessages = (...asked) =>
        isDeleted ? Promise.resolve({ messages: [], hasMore: false }) : loadMessages(...asked)
    })
    const { conversation } = page.thread()
    if (conversation === null) throw new Error('There is no conversation')
    const desk = { state: 'open', snoozedUntilMs: null, waitingSinceMs: null } as const
    const deleted = { ...conversation, hiddenThroughSeq: 1, desk }
    await happens(() => page.server.emit('conversation_changed', deleted))
    isDeleted = false
    await happens(() => page.server.emit('conversation_changed', { ...deleted, hiddenThroughSeq: 0 }))
    await user.click(button(chatTexts.loadOlder))
    expect(await list().findByText('một')).toBeTruthy()
  })

  test('names its days anew after midnight', async () => {
    const noonMs = Date.parse('2026-11-20T12:00:00+07:00')
    const setServerTime = (serverTimeMs: number) =>
      recordServerTime({ serverTimeMs, sentAtMs: Date.now(), receivedAtMs: Date.now() })
    onTestFinished(resetServerTime)
    setServerTime(noonMs)
    const { page } = await draw()
    await happens(() => page.server.emit('receive_message', { ...page.server.write('Chào bạn'), sentAtMs: noonMs }))
    expect(list().getByText(`${commonTexts.today} 12:00`)).toBeTruthy()
    act(() => setServerTime(noonMs + 86_400_000))
    expect(list().getByText(`${commonTexts.yesterday} 12:00`)).toBeTruthy()
  })

  test('offers older messages while there are some', async () => {
    const { page, user } = await draw(({ server }) => {
      for (let n = 1; n <= 40; n++) server.write(`tin ${n}`)
    })
    expect(page.contents()[0]).toBe('tin 11')
    await user.click(list().getByRole('button', { name: chatTexts.loadOlder }))
    await waitFor(() => expect(page.contents()[0]).toBe('tin 1'))
    expect(list().queryByRole('button', { name: chatTexts.loadOlder })).toBeNull()
  })

  test('an own message is sending, sent, then seen', async () => {
    const { page } = await draw(({ server }) => server.fate('send_message', 'lost'))
    await happens(() => page.session.sendText('c1', 'Xin chào'))
    const row = await list().findByRole('article', { name: chatTexts.you })
    expect(within(row).getByText(chatTexts.sending)).toBeTruthy()
    await happens(() => page.clock.advance(10_000))
    expect(await list().findByText(chatTexts.sent)).toBeTruthy()
    await happens(() =>
      page.server.emit('message_read', {
        conversationId: 'c1',
        readerId: 'staff',
        messageId: 'm1',
        readSeq: 1,
        atMs: 1,
      }),
    )
    expect(await list().findByText(chatTexts.seen)).toBeTruthy()
  })

  test('a refused message shows the reason; it can be resent or discarded', async () => {
    const refused = { code: 'MESSAGE_INVALID' } as const
    const { page, user } = await draw(({ server }) => server.fate('send_message', refused, refused))
    await happens(() => page.session.sendText('c1', 'một'))
    await happens(() => page.session.sendText('c1', 'hai'))
    await waitFor(() => expect(list().getAllByText('Không được')).toHaveLength(2))
    const [again] = list().getAllByRole('button', { name: chatTexts.sendAgain })
    if (again === undefined) throw new Error('nothing can be sent again')
    await user.click(again)
    await waitFor(() => expect(stored(page)).toEqual(['một']))
    await user.click(await list().findByRole('button', { name: chatTexts.discard }))
    expect([list().queryByText('hai'), list().queryByRole('button', { name: chatTexts.sendAgain })]).toEqual([
      null,
      null,
    ])
    expect(list().getByText('một')).toBeTruthy()
  })
})

test('the holder is gone: the field is disabled, another admin is chosen, and the text moves along', async () => {
  const { page, user } = await draw(({ server }) => server.fate('send_message', { code: 'HOLDER_GONE' }))
  await user.type(field(), 'Còn ai không?{Enter}')
  await screen.findByText(chatTexts.holderGone('staff'))
  expect(field().disabled).toBe(true)
  await user.click(button(chatTexts.chatWith('colleague')))
  await waitFor(() => expect(field().value).toBe('Còn ai không?'))
  expect([field().disabled, page.session.snapshot().chat.openKey]).toEqual([false, 'new_colleague'])
})

test('the holder is gone and somebody answers again: the text that was refused is in the field', async () => {
  const { page, user } = await draw(({ server }) => server.fate('send_message', { code: 'HOLDER_GONE' }))
  await user.type(field(), 'Còn ai không?{Enter}')
  await screen.findByText(chatTexts.holderGone('staff'))
  const conversation = page.thread().conversation
  if (conversation === null) throw new Error('There is no conversation')
  await happens(() => page.server.emit('conversation_changed', conversation))
  expect([field().disabled, field().value]).toEqual([false, 'Còn ai không?'])
  expect(document.activeElement).toBe(field())
})

test('whoever answers may change: the field stays, with its text and the focus', async () => {
  const { page, user } = await draw()
  await user.type(field(), 'Mình muốn hỏi')
  const before = field()
  const conversation = page.thread().conversation
  if (conversation === null) throw new Error('There is no conversation')
  await happens(() =>
    page.server.emit('conversation_changed', {
      ...conversation,
      participants: [an, { ...staff, id: 'b', username: 'b' }],
    }),
  )
  await screen.findByRole('heading', { name: /^b/ })
  expect([field() === before, field().value, document.activeElement === before]).toEqual([true, 'Mình muốn hỏi', true])
  await happens(() => page.session.openWith(staff))
  await waitFor(() => expect(field().value).toBe(''))
})

test('the other’s presence changes what says it, and nothing else of the page', async () => {
  const { page } = await draw()
  const changed: string[] = []
  const observer = new MutationObserver((records) => {
    for (const { target } of records) {
      const element = target instanceof HTMLElement ? target : target.parentElement
      changed.push(element?.closest('header') === null ? element.tagName : 'header')
    }
  })
  observer.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true })
  await happens(() => page.server.emit('user_online', { userId: 'staff', lastSeenAtMs: null }))
  await screen.findByText(chatTexts.online)
  await happens(() => page.server.emit('user_offline', { userId: 'staff', lastSeenAtMs: 1 }))
  await waitFor(() => expect(screen.queryByText(chatTexts.online)).toBeNull())
  observer.disconnect()
  expect(new Set(changed)).toEqual(new Set(['header']))
})

test('an alert stands above the field, and goes when what it says is over', async () => {
  const refused = { code: 'MESSAGE_INVALID' } as const
  const { page, user } = await draw(({ server }) => server.fate('send_message', refused))
  await happens(() => page.session.sendText('c1', 'một'))
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toContain(chatTexts.serverError('Không được'))
  expect(alert.compareDocumentPosition(field()) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy()
  await user.click(await list().findByRole('button', { name: chatTexts.sendAgain }))
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
})

test('a message that comes while the dialog asks whether to delete is not deleted with the others', async () => {
  const { page, user } = await draw(({ server }) => server.write('Chào bạn'))
  const deleted: number[] = []
  page.server.api.deleteConversation = async (_id, throughSeq) => {
    deleted.push(throughSeq)
    return { hiddenThroughSeq: throughSeq }
  }
  await user.click(button(chatTexts.deleteTitle))
  await happens(() => page.server.emit('receive_message', page.server.write('Còn nữa')))
  await user.click(button(commonTexts.confirm))
  await happens()
  expect([deleted, page.contents()]).toEqual([[1], ['Còn nữa']])
})

test('one’s own message that is stored while that dialog asks is deleted with the others', async () => {
  const { page, user } = await draw(({ server }) => server.write('Chào bạn'))
  const deleted: number[] = []
  page.server.api.deleteConversation = async (_id, throughSeq) => {
    deleted.push(throughSeq)
    return { hiddenThroughSeq: throughSeq }
  }
  await user.click(button(chatTexts.deleteTitle))
  await happens(() => page.session.sendText(page.thread().key, 'Của mình'))
  await user.click(button(commonTexts.confirm))
  await happens()
  expect(deleted).toEqual([2])
})
