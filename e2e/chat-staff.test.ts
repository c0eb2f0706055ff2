import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { endpoints } from '#contract/endpoints.ts'
import { besideTexts } from '#web/features/chat/beside-texts.ts'
import { chatTexts } from '#web/features/chat/chat-texts.ts'
import { fileTexts } from '#web/features/chat/file-texts.ts'
import { notesTexts } from '#web/features/chat/notes-texts.ts'
import { transcriptTexts } from '#web/features/chat/transcript-texts.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { pdfOf } from '#testing/attack/pdf.ts'
import { anotherAdmin, aPlayer, call, anImage, anUpload } from './support/api.ts'
import { useProduct } from './support/use-product.ts'
import { useCare } from './support/chat-writer.ts'
import { failures, look } from './support/look.ts'
import { messageField as field, writeTo } from './support/message-field.ts'

const { server, device, visit } = useProduct()
const care = useCare(() => server.url)
const { writer } = care

const list = (page: Page) => page.getByRole('region', { name: chatTexts.messageList })
const bubble = (page: Page, text: string) => list(page).getByRole('article').getByText(text, { exact: true })
const row = (page: Page, name: string) => page.getByRole('button', { name: new RegExp(`^${name} `) })
const distanceFromEnd = (page: Page) =>
  list(page).evaluate((element) => element.scrollHeight - element.scrollTop - element.clientHeight)

describe('customer care, the staff’s side', () => {
  test('a colleague’s conversation is read, claimed and handed back, with the customer, canned replies and a search', async () => {
    const [account, colleague] = [await aPlayer(server.url), await anotherAdmin(server.url, care.adminToken)]
    const write = await writer(account.token)
    await write(care.adminId, await anImage(server.url, account), 'image')
    const pdf = new File([new Uint8Array(pdfOf())], 'biên lai.pdf')
    await write(care.adminId, await anUpload(server.url, account, pdf), 'file')
    await write(care.adminId, 'Ngân hàng của mình ở đâu?')
    const { page } = await visit('/admin/chat', { token: colleague.token })
    await page.getByRole('button', { name: chatTexts.tabs.others }).click()
    const others = page.getByRole('region', { name: besideTexts.othersConversations })
    const item = others.getByRole('listitem').filter({ hasText: account.username })
    await item.getByText(besideTexts.answering('admin')).waitFor()
    await item.getByRole('button', { name: besideTexts.peek(account.username) }).click()
    const sheet = page.getByRole('dialog', { name: account.username })
    await sheet.getByText('Ngân hàng của mình ở đâu?').waitFor()
    await sheet.getByRole('button', { name: fileTexts.downloadOf('biên lai.pdf') }).waitFor()
    await sheet.getByRole('button', { name: chatTexts.openImage(account.username) }).click()
    await sheet.getByRole('img', { name: chatTexts.imageFrom(account.username) }).waitFor()
    // Its holder has it open, too: each sees it of the other, until one leaves.
    const { page: holders } = await visit('/admin/chat', { token: care.adminToken })
    await row(holders, account.username).click()
    const seen = holders.getByText(besideTexts.viewsToo(colleague.username))
    await seen.waitFor()
    await sheet.getByText(besideTexts.viewsToo('admin')).waitFor()
    await sheet.getByRole('button', { name: transcriptTexts.save }).waitFor()
    expect([...(await failures(page)), ...(await failures(holders))]).toEqual([])
    await look(page, 'views-peek', [360, 1280])
    await look(holders, 'views', [360, 1280])
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'detached' })
    await seen.waitFor({ state: 'detached' })
    await holders.goto('about:blank')
    await item.getByRole('button', { name: new RegExp(besideTexts.claim) }).click()
    await bubble(page, 'Ngân hàng của mình ở đâu?').waitFor()

    await page.getByRole('button', { name: chatTexts.customer }).click()
    // Beside the conversation, or over it where there is no room.
    const panel = page.getByRole(device.hasTouch ? 'dialog' : 'complementary', { name: chatTexts.customer })
    await panel.getByText(besideTexts.noBanks).waitFor()
    await panel.getByText(besideTexts.noBets).waitFor()
    expect(await failures(page)).toEqual([])
    await panel.getByRole('button', { name: commonTexts.close }).click()

    await field(page).fill('/nga')
    await page.getByRole('option', { name: /nganhang/ }).waitFor()
    expect(await failures(page)).toEqual([])
    await field(page).press('Enter')
    expect(await field(page).inputValue()).toMatch(/^Mỗi tài khoản liên kết tối đa 3 ngân hàng/)
    await field(page).press('Enter')
    await list(page).getByText(chatTexts.sent).waitFor()

    await page.getByRole('button', { name: besideTexts.handOver }).click()
    await page.getByRole('menuitem', { name: 'admin' }).click()
    await page.getByRole('button', { name: notesTexts.handOverConfirm, exact: true }).click()
    await item.getByText(besideTexts.answering('admin')).waitFor()
    await list(page).waitFor({ state: 'detached' })

    const admin = await visit('/admin/chat', { token: care.adminToken })
    await row(admin.page, account.username).waitFor()
    await admin.page.getByRole('searchbox', { name: chatTexts.search }).fill('NGAN hang CUA')
    const found = admin.page.getByRole('region', { name: besideTexts.foundMessages, exact: true })
    await found.getByRole('button', { name: new RegExp(`^${account.username} .*Ngân hàng của mình ở đâu`) }).click()
    await bubble(admin.page, 'Ngân hàng của mình ở đâu?').waitFor()
  })
})

describe('a player’s thread', () => {
  test('older messages keep the reading position; new ones are announced and can be jumped to', async () => {
    const account = await aPlayer(server.url)
    const write = await writer(care.adminToken)
    for (let n = 1; n <= 110; n++) await write(account.id, `Tin số ${n}`)
    const { page } = await visit('/support', { token: account.token })
    await row(page, 'admin').getByText('99+', { exact: true }).waitFor()
    await row(page, 'admin').click()
    await list(page).getByRole('article').first().waitFor()
    const older = list(page).getByRole('button', { name: chatTexts.loadOlder })
    const first = bubble(page, 'Tin số 81')
    const topOf = async () => (await first.boundingBox())?.y ?? Number.NaN
    // Scrolls to the top until it stays there: the list may still be scrolling to the first unread row.
    let before = Number.NaN
    await expect
      .poll(
        async () => {
          const earlier = await list(page).evaluate((element) => {
            const { scrollTop } = element
            element.scrollTop = 0
            return scrollTop
          })
          const last = before
          before = await topOf()
          return earlier === 0 && before === last
        },
        { interval: 200 },
      )
      .toBe(true)
    await older.click()
    await expect.poll(() => list(page).evaluate((element) => element.scrollTop)).toBeGreaterThan(500)
    await expect.poll(async () => Math.abs((await topOf()) - before)).toBeLessThan(30)

    await write(account.id, 'Tin mới nhất')
    const newest = page.getByRole('button', { name: chatTexts.newestWithCount('1') })
    await newest.click()
    await bubble(page, 'Tin mới nhất').waitFor()
    await expect.poll(() => distanceFromEnd(page)).toBeLessThan(5)
    await newest.waitFor({ state: 'detached' })
    // While the reader is at the end, the list scrolls to each new message.
    await write(account.id, 'Và một tin nữa')
    await bubble(page, 'Và một tin nữa').waitFor()
    await expect.poll(() => distanceFromEnd(page)).toBeLessThan(5)
  })

  test('a message refused for good waits with its reason and is sent again under a new id', async () => {
    const account = await aPlayer(server.url)
    const { page } = await visit('/login')
    let isRefusing = true
    const ids: string[] = []
    await page.routeWebSocket(/socket\.io/, (socket) => {
      const upstream = socket.connectToServer()
      socket.onMessage((frame) => {
        const [, ack, payload] = /^42(\d+)(\["send_message".*)$/s.exec(String(frame)) ?? []
        if (payload === undefined) return upstream.send(frame)
        ids.push((JSON.parse(payload) as [string, { tempId: string }])[1].tempId)
        if (!isRefusing) return upstream.send(frame)
        socket.send(`43${ack}[{"ok":false,"code":"MESSAGE_INVALID","message":"Không nhận tin này"}]`)
      })
    })
    await page.evaluate((token) => localStorage.setItem('access_token', token), account.token)
    await page.goto('/support')
    await writeTo(page, 'admin')
    await field(page).fill('Thử lại nhé')
    await field(page).press('Enter')
    await page.getByRole('alert').getByText(chatTexts.serverError('Không nhận tin này')).waitFor()
    const again = list(page).getByRole('button', { name: chatTexts.sendAgain })
    await again.waitFor()
    expect(await failures(page)).toEqual([])
    isRefusing = false
    await again.click()
    await list(page).getByText(chatTexts.sent).waitFor()
    expect(await bubble(page, 'Thử lại nhé').count()).toBe(1)
    expect(new Set(ids).size).toBe(2)
  })

  test('the holder is gone: another is chosen and the text goes along', async () => {
    const [account, colleague] = [await aPlayer(server.url), await anotherAdmin(server.url, care.adminToken)]
    for (let others = 0; others < 9; others++) await anotherAdmin(server.url, care.adminToken)
    await (
      await writer(colleague.token)
    )(account.id, 'Chào bạn')
    // Of the other admins one is there: who is away is offered in other words.
    const there = await visit('/admin/chat', { token: care.adminToken })
    await there.page.getByRole('searchbox', { name: chatTexts.search }).waitFor()
    const { page } = await visit('/support', { token: account.token })
    await row(page, colleague.username).click()
    await bubble(page, 'Chào bạn').waitFor()
    await call(server.url, endpoints.updateUser, {
      token: care.adminToken,
      params: { id: colleague.id },
      body: { isFrozen: true },
    })
    await field(page).fill('Còn ai ở đó không?')
    await field(page).press('Enter')
    await page.getByText(chatTexts.holderGone(colleague.username)).waitFor()
    // However many admins there are, a phone shows some of them.
    expect(await page.getByRole('button', { name: /^Nhắn / }).count()).toBeLessThanOrEqual(6)
    expect(await failures(page)).toEqual([])
    await page.getByRole('button', { name: chatTexts.chatWith('admin') }).click()
    await expect.poll(() => field(page).inputValue()).toBe('Còn ai ở đó không?')
    await field(page).press('Enter')
    await list(page).getByText(chatTexts.sent).waitFor()
  })

  test('an image is pasted or dropped, and one that can’t be loaded says so', async () => {
    const account = await aPlayer(server.url)
    const { page } = await visit('/support', { token: account.token })
    await writeTo(page, 'admin')
    await field(page).waitFor()
    const give = (kind: 'paste' | 'drop') =>
      field(page).evaluate(async (element, name) => {
        const canvas = document.createElement('canvas')
        canvas.width = 60
        canvas.height = 40
        canvas.getContext('2d')?.fillRect(0, 0, 60, 40)
        const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve))
        const data = new DataTransfer()
        if (blob !== null) data.items.add(new File([blob], 'a.png', { type: 'image/png' }))
        const options = { bubbles: true, cancelable: true }
        if (name === 'paste') element.dispatchEvent(new ClipboardEvent('paste', { ...options, clipboardData: data }))
        else
          for (const type of ['dragover', 'drop'])
            element.dispatchEvent(new DragEvent(type, { ...options, dataTransfer: data }))
      }, kind)
    const preview = page.getByRole('img', { name: chatTexts.attached })
    await give('paste')
    await preview.waitFor()
    await page.getByRole('button', { name: chatTexts.removeImage }).click()
    await preview.waitFor({ state: 'detached' })
    await give('drop')
    await preview.waitFor()
    await page.getByRole('button', { name: chatTexts.send }).click()
    await list(page).getByText(chatTexts.sent).waitFor()
    // On another device, since the one that sent the picture may still have it.
    const { page: elsewhere } = await visit('/support', { token: account.token })
    await elsewhere.route('**/api/v1/files/**', (route) => route.abort())
    await row(elsewhere, 'admin').click()
    await list(elsewhere).getByText(chatTexts.imageBroken).waitFor()
    expect([...(await failures(page)), ...(await failures(elsewhere))]).toEqual([])
  })
})
