import { describe, expect, test } from 'vitest'
import { chatTexts } from '#web/features/chat/chat-texts.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { openRules } from './support/chart.ts'
import { writeTo } from './support/message-field.ts'
import { aPlayer, anAdmin } from './support/api.ts'
import { useProduct } from './support/use-product.ts'

const { server, visit } = useProduct()

describe('the device’s back button', () => {
  test('closes the rules instead of leaving the game, and leaves it the next time', async () => {
    const player = await aPlayer(server.url)
    const { page } = await visit('/investment', { token: player.token })
    await page.goto('/investment/game')
    await openRules(page)
    await page.getByRole('dialog').waitFor()
    await page.goBack()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(new URL(page.url()).pathname).toBe('/investment/game')
    // Closed by its button it leaves no step behind.
    await openRules(page)
    await page.getByRole('dialog').getByRole('button', { name: commonTexts.close }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect.poll(() => page.evaluate(() => (history.state as { overlays?: number }).overlays ?? 0)).toBe(0)
    await page.goBack()
    await page.waitForURL('**/investment')
  })

  test('a link that is pressed as a dialog closes leads where it says, and back from there to the screen', async () => {
    const player = await aPlayer(server.url)
    const { page } = await visit('/investment/game', { token: player.token })
    for (let round = 0; round < 3; round++) {
      await openRules(page)
      await page.getByRole('dialog').waitFor()
      await page.evaluate(() => {
        document.querySelector<HTMLElement>('[role=dialog] button')?.click()
        document.querySelector<HTMLElement>('nav a[href="/account"]')?.click()
      })
      await page.waitForURL('**/account')
      await page.waitForTimeout(300)
      expect(new URL(page.url()).pathname).toBe('/account')
      await page.goBack()
      await page.waitForURL('**/investment/game')
    }
  })

  test('closes a menu and then the dialog that it opened', async () => {
    const token = await anAdmin(server.url)
    await aPlayer(server.url)
    const { page } = await visit('/admin/user', { token })
    const menu = page.getByRole('button', { name: /^Thao tác khác/ }).first()
    await menu.click()
    await page.getByRole('menu').waitFor()
    await page.goBack()
    await page.getByRole('menu').waitFor({ state: 'detached' })
    expect(new URL(page.url()).pathname).toBe('/admin/user')
    await menu.click()
    await page.getByRole('menuitem').first().click()
    await page.getByRole('dialog').waitFor()
    await page.goBack()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(new URL(page.url()).pathname).toBe('/admin/user')
  })

  test('of a dialog in an open conversation closes the dialog alone, as its button does', async () => {
    const player = await aPlayer(server.url)
    const { page } = await visit('/support', { token: player.token })
    await writeTo(page, 'admin')
    await page.getByLabel(chatTexts.messageLabel).fill('Xin chào')
    await page.keyboard.press('Enter')
    await page.getByText(chatTexts.sent).waitFor()
    const dialog = page.getByRole('alertdialog')
    const overlays = () => page.evaluate(() => (history.state as { overlays?: number }).overlays ?? 0)
    for (const leave of [() => page.getByRole('button', { name: commonTexts.cancel }).click(), () => page.goBack()]) {
      await page.getByRole('button', { name: chatTexts.deleteTitle }).click()
      await dialog.waitFor()
      // The conversation lies over the list, the dialog over the conversation.
      await expect.poll(overlays).toBe(2)
      await leave()
      await dialog.waitFor({ state: 'detached' })
      await expect.poll(overlays).toBe(1)
      await page.waitForTimeout(300)
      expect(await page.getByLabel(chatTexts.messageLabel).count()).toBe(1)
    }
    await page.goBack()
    await page.getByRole('heading', { name: chatTexts.conversations }).waitFor()
  })
})
