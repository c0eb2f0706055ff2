import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { FILES_PATH } from '#contract/files.ts'
import { accountTexts } from '#web/features/account/account-texts.ts'
import { chatTexts } from '#web/features/chat/chat-texts.ts'
import { fileTexts } from '#web/features/chat/file-texts.ts'
import { moneyWarnings } from '#web/platform/money-warning-texts.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { unsentTexts } from '#web/features/account/unsent-texts.ts'
import { pdfOf } from '#testing/attack/pdf.ts'
import { anAdmin, aPlayer } from './support/api.ts'
import { useProduct } from './support/use-product.ts'
import { failures, pictures } from './support/look.ts'
import { conversationRow, messageField as field, say, writeTo } from './support/message-field.ts'

const { server, visit } = useProduct({ isOwn: true })
const picture = async (page: Page) => {
  const data = await page.evaluate(async () => {
    const canvas = document.createElement('canvas')
    canvas.width = 320
    canvas.height = 200
    const brush = canvas.getContext('2d')
    if (brush === null) return ''
    brush.fillStyle = '#b8860b'
    brush.fillRect(0, 0, 320, 200)
    return canvas.toDataURL('image/png').split(',')[1] ?? ''
  })
  return { name: 'anh.png', mimeType: 'image/png', buffer: Buffer.from(data, 'base64') }
}
const look = async (page: Page, name: string) => {
  if (pictures !== undefined) await page.screenshot({ path: `${pictures}/${name}.png` })
}

/** A player with the conversation with the admin open, and the admin on the staff page. */
async function twoSides() {
  const [account, adminToken] = await Promise.all([aPlayer(server.url), anAdmin(server.url)])
  const admin = await visit('/admin/chat', { token: adminToken })
  await admin.page.getByRole('heading', { name: chatTexts.conversations }).waitFor()
  const player = await visit('/support', { token: account.token })
  await writeTo(player.page, 'admin')
  await field(player.page).waitFor()
  return { account, adminToken, player: player.page, admin: admin.page, playerContext: player.context }
}

/** All drafts that the page's browser keeps, as JSON (web/platform/user-entries.ts). */
async function keptDrafts(): Promise<string> {
  const done = <T>(request: IDBRequest<T>) =>
    new Promise<T>((resolve) => request.addEventListener('success', () => resolve(request.result)))
  const db = await done(indexedDB.open('kim-phien-drafts'))
  const rows = await done(db.transaction('entries').objectStore('entries').getAll())
  db.close()
  return JSON.stringify(rows)
}

describe('customer care', () => {
  test('text, typing, ticks, an image, a PDF and a delete between a player and staff', async () => {
    const { account, player, admin } = await twoSides()
    await player.getByText(moneyWarnings.depositsAndChat).waitFor()
    await player.getByText(chatTexts.emptyConversation).waitFor()
    await say(player, 'Xin chào, mình cần hỗ trợ')
    await player.getByText(chatTexts.sent).waitFor()

    const row = conversationRow(admin, account)
    await row.getByText(chatTexts.unread('1')).waitFor({ state: 'attached' })
    expect(await admin.title()).toMatch(/^\(1\) /)
    await row.click()
    await admin.getByText('Xin chào, mình cần hỗ trợ').last().waitFor()
    await player.getByText(chatTexts.seen).waitFor()
    expect(await admin.title()).not.toMatch(/^\(/)

    await field(admin).pressSequentially('Chào bạn')
    await player.getByText(chatTexts.typing('admin')).waitFor()
    await field(admin).press('Shift+Enter')
    await field(admin).pressSequentially('mình nghe')
    await field(admin).press('Enter')
    await player.getByText('Chào bạn\nmình nghe').last().waitFor()
    await player.getByText(chatTexts.typing('admin')).waitFor({ state: 'detached' })
    expect(await player.getByText(chatTexts.staffBadge, { exact: true }).count()).toBeGreaterThan(1)

    await player.locator('input[type=file]').setInputFiles(await picture(player))
    await player.getByRole('img', { name: chatTexts.attached }).waitFor()
    await player.getByRole('button', { name: chatTexts.send }).click()
    await admin.getByRole('button', { name: chatTexts.openImage(account.username) }).click()
    const image = admin.getByRole('dialog').getByRole('img')
    await image.waitFor()
    // The image is fetched with the token and held by this page alone: its address answers no other request, and no
    // cache stores it.
    expect(await image.getAttribute('src')).toMatch(/^blob:/)
    await expect.poll(() => image.evaluate((element) => (element as HTMLImageElement).naturalWidth)).toBe(320)
    const fetched = await admin.evaluate(async (path) => {
      const address = performance.getEntriesByType('resource').find(({ name }) => name.includes(path))?.name ?? ''
      const kept = await Promise.all(
        (await caches.keys()).map(async (name) => (await caches.open(name)).match(address)),
      )
      const { status } = await fetch(address)
      return { isFound: address !== '', status, kept: kept.filter(Boolean).length }
    }, FILES_PATH)
    expect(fetched).toEqual({ isFound: true, status: 401, kept: 0 })
    await admin.keyboard.press('Escape')

    const statement = pdfOf(200_000, account.username)
    await player
      .locator('input[type=file]')
      .setInputFiles({ name: 'sao kê.pdf', mimeType: 'application/pdf', buffer: statement })
    await player.getByRole('img', { name: fileTexts.attached }).waitFor()
    await look(player, 'player-pdf-chosen')
    await player.getByRole('button', { name: chatTexts.send }).click()
    await player.getByRole('button', { name: fileTexts.downloadOf('sao kê.pdf') }).waitFor()
    const [answer, download] = await Promise.all([
      admin.waitForResponse((response) => response.url().endsWith('.pdf')),
      admin.waitForEvent('download'),
      admin.getByRole('button', { name: fileTexts.downloadOf('sao kê.pdf') }).click(),
    ])
    expect(download.suggestedFilename()).toBe('sao kê.pdf')
    expect((await readFile(await download.path())).equals(statement)).toBe(true)
    expect(answer.headers()).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': expect.stringMatching(/^attachment;/),
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'private, no-store',
    })
    expect(await admin.getByRole('dialog').count()).toBe(0)

    await say(player, 'STK của mình 0123456789')
    await admin.getByRole('note', { name: chatTexts.warningTitle }).waitFor()
    await player.getByRole('note', { name: chatTexts.warningTitle }).waitFor()
    await player.getByText(chatTexts.seen).last().waitFor()
    await look(player, 'player')
    await look(admin, 'admin')
    expect(await failures(player)).toEqual([])
    expect(await failures(admin)).toEqual([])

    await player.getByRole('button', { name: chatTexts.deleteTitle }).click()
    await player.getByText(chatTexts.confirmDelete).waitFor()
    await player.getByRole('button', { name: commonTexts.confirm }).click()
    await player.getByText(chatTexts.noConversations).waitFor()
    await look(player, 'player-list')
    expect(await failures(player)).toEqual([])
    await say(admin, 'Bạn còn cần gì không?')
    await player.getByRole('button', { name: /Bạn còn cần gì không/ }).click()
    await player.getByText('Bạn còn cần gì không?').last().waitFor()
    expect(await player.getByText('mình nghe').count()).toBe(0)
  })

  test('offline and back: the field is shut, what was missed comes, nothing is doubled', async () => {
    const { account, player, admin, playerContext } = await twoSides()
    await say(player, 'một')
    await player.getByText(chatTexts.sent).waitFor()
    await conversationRow(admin, account).click()
    await playerContext.setOffline(true)
    await player.getByPlaceholder(chatTexts.connecting).waitFor()
    expect(await field(player).isDisabled()).toBe(true)
    await say(admin, 'hai')
    await say(admin, 'ba')
    await admin.getByText(chatTexts.sent).last().waitFor()
    await playerContext.setOffline(false)
    await player.getByRole('article').getByText('ba', { exact: true }).waitFor()
    const texts = await player.getByRole('article').locator('p[dir=auto]').allTextContents()
    expect(texts).toEqual(['một', 'hai', 'ba'])
    expect(await field(player).isDisabled()).toBe(false)
  })

  test('a message that was not acknowledged survives a reload and is sent once', async () => {
    const { account, player, admin } = await twoSides()
    await say(player, 'đầu tiên')
    await player.getByText(chatTexts.sent).waitFor()
    let isHeld = true
    await player.routeWebSocket(/socket\.io/, (socket) => {
      const upstream = socket.connectToServer()
      socket.onMessage((frame) => {
        if (!isHeld || !String(frame).includes('send_message')) upstream.send(frame)
      })
    })
    await player.reload()
    const row = player.getByRole('button', { name: /đầu tiên/ })
    await row.click()
    await say(player, 'chưa gửi được')
    await say(player, 'cũng chưa')
    await player.getByText(chatTexts.sending).last().waitFor()
    await player.goto('/account')
    await player.getByRole('button', { name: accountTexts.logout }).click()
    await player.getByText(unsentTexts.text('2')).waitFor()
    await player.getByRole('button', { name: commonTexts.cancel }).click()

    isHeld = false
    await player.goto('/support')
    await player.getByRole('button', { name: /Bạn: cũng chưa/ }).click()
    await player.getByText(chatTexts.sent).last().waitFor()
    await conversationRow(admin, account).click()
    await admin.getByRole('article').getByText('cũng chưa', { exact: true }).waitFor()
    const texts = await admin.getByRole('article').locator('p[dir=auto]').allTextContents()
    expect(texts).toEqual(['đầu tiên', 'chưa gửi được', 'cũng chưa'])

    await field(player).fill('mới gõ')
    // It is in the browser's database a moment after the last key.
    await expect.poll(() => player.evaluate(keptDrafts)).toContain('mới gõ')
    await player.reload()
    await player.getByRole('button', { name: /Bạn: cũng chưa/ }).click()
    await expect.poll(() => field(player).inputValue()).toBe('mới gõ')
  })
})
