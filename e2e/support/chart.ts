import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { gameTexts } from '#web/features/game/game-texts.ts'
import { marketTexts } from '#web/features/market/market-texts.ts'
import { commonTexts } from '#web/platform/texts.ts'

export type View = keyof typeof marketTexts.views

/** Does something in the sheet behind "⋯", and closes it where that has not. */
export async function inMenu(page: Page, act: (sheet: Locator) => Promise<void>): Promise<void> {
  await page.getByRole('button', { name: gameTexts.menu }).click()
  const sheet = page.getByRole('dialog', { name: gameTexts.menu })
  await act(sheet)
  const close = sheet.getByRole('button', { name: commonTexts.close })
  if (await close.isVisible()) await close.click()
  await sheet.waitFor({ state: 'detached' })
  await entriesLeft(page)
}

/**
 * Waits until what was closed has left the history, too: that comes a moment later, and a reload meanwhile would be broken off
 * by it. A dialog that is open has an entry of its own.
 */
export async function entriesLeft(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const { overlays = 0 } = (history.state ?? {}) as { readonly overlays?: number }
    return overlays === document.querySelectorAll('[role=dialog]').length
  })
}

export const chooseView = (page: Page, view: View): Promise<void> =>
  inMenu(page, (sheet) => sheet.getByRole('radio', { name: marketTexts.views[view], exact: true }).check())

export const turnTable = (page: Page): Promise<void> =>
  inMenu(page, (sheet) => sheet.getByRole('switch', { name: marketTexts.showTable }).click())

export const turnPin = (page: Page): Promise<void> =>
  inMenu(page, (sheet) => sheet.getByRole('switch', { name: marketTexts.pin }).click())

export const openTradingView = (page: Page): Promise<void> =>
  inMenu(page, (sheet) => sheet.getByRole('button', { name: marketTexts.showTradingView }).click())

export const openRules = (page: Page): Promise<void> =>
  inMenu(page, (sheet) => sheet.getByRole('button', { name: gameTexts.rules }).click())

/** Waits until the chart shows a view. */
export async function viewShown(page: Page, view: View): Promise<void> {
  await expect.poll(() => page.locator('figcaption').first().textContent()).toBe(marketTexts.captions[view])
}
