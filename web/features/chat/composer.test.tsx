import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { MESSAGE_TEXT_MAX } from '#domain/chat/conversation.ts'
import { formatCount } from '#web/platform/formats.ts'
import { chatTexts } from './chat-texts.ts'
import { Composer, type ComposerProps } from './composer.tsx'
import { type FakePage, openPage } from './fake-chat.ts'
import { ChatSessionContext } from './use-chat.ts'

/** What is drawn for a text that was typed before; keys and pastes are for the browser journeys. */
function draw({ session }: FakePage, text: string, props: Partial<ComposerProps> = {}): string {
  session.keepTyped('c1', text)
  return renderToStaticMarkup(
    <ChatSessionContext value={session}>
      <Composer
        threadKey="c1"
        isConnected
        isClosed={false}
        isStaff={false}
        image={null}
        onAttach={() => {}}
        {...props}
      />
    </ChatSessionContext>,
  )
}

/** Whether the field, the button of images and the one that sends can be used. */
function usable(html: string): { field: boolean; attach: boolean; send: boolean } {
  const tag = (pattern: RegExp): string => {
    const found = pattern.exec(html)?.[0]
    if (found === undefined) throw new Error(`${pattern.source} is not in ${html}`)
    return found
  }
  const isOn = (element: string) => !element.includes(' disabled=""')
  return {
    field: isOn(tag(/<textarea[^>]*>/)),
    attach: isOn(tag(new RegExp(`<button[^>]*aria-label="${chatTexts.attach}"[^>]*>`))),
    send: isOn(tag(new RegExp(`<button[^>]*aria-label="${chatTexts.send}"[^>]*>`))),
  }
}

test('what was typed before is in the field of its own thread, and can be sent', async () => {
  const page = await openPage()
  const html = draw(page, 'nửa câu')
  expect(html).toContain('>nửa câu</textarea>')
  expect(usable(html)).toEqual({ field: true, attach: true, send: true })
  expect(draw(page, 'nửa câu', { threadKey: 'c2' })).not.toContain('nửa câu')
})

test('an empty field sends nothing, unless there is an image', async () => {
  const page = await openPage()
  expect(usable(draw(page, '  '))).toEqual({ field: true, attach: true, send: false })
  const image = { file: new File(['x'], 'a.png', { type: 'image/png' }), previewUrl: 'blob:a' }
  expect(usable(draw(page, '', { image })).send).toBe(true)
})

test.each([
  ['without a connection', { isConnected: false }, chatTexts.connecting],
  ['where nobody answers', { isClosed: true }, chatTexts.messagePlaceholder],
])('%s nothing can be used, and what was typed stays', async (_, props, placeholder) => {
  const html = draw(await openPage(), 'nửa câu', props)
  expect(usable(html)).toEqual({ field: false, attach: false, send: false })
  expect(html).toContain(`placeholder="${placeholder}"`)
  expect(html).toContain('>nửa câu</textarea>')
})

test('a text that is too long says so and is not sent', async () => {
  const page = await openPage()
  const tooLong = draw(page, 'x'.repeat(MESSAGE_TEXT_MAX + 1))
  expect(tooLong).toContain(chatTexts.tooLong(formatCount(MESSAGE_TEXT_MAX)))
  expect(usable(tooLong).send).toBe(false)
  expect(usable(draw(page, 'x'.repeat(MESSAGE_TEXT_MAX))).send).toBe(true)
})

test('a secret is warned of while it is typed, and staff are told of canned replies', async () => {
  const page = await openPage()
  expect(draw(page, 'mật khẩu của mình')).toMatch(/<p role="status"/)
  expect(draw(page, 'xin chào')).not.toMatch(/<p role="status"/)
  expect(draw(page, '', { isStaff: true })).toContain(chatTexts.cannedHint)
  expect(draw(page, '')).not.toContain(chatTexts.cannedHint)
})
