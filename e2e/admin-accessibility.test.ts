import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { adminAuditTexts } from '#web/features/admin-audit/admin-audit-texts.ts'
import { adminBetTexts } from '#web/features/admin-bets/admin-bet-texts.ts'
import { adminRequestTexts } from '#web/features/admin-requests/admin-request-texts.ts'
import { adminRoundTexts } from '#web/features/admin-rounds/admin-round-texts.ts'
import { figuresTexts } from '#web/features/admin-overview/figures-texts.ts'
import { adminTableTexts } from '#web/lists/table-texts.ts'
import { adminTexts } from '#web/layout/admin-texts.ts'
import { securityTexts } from '#web/features/admin-security/admin-security-texts.ts'
import { systemTexts } from '#web/features/admin-system/admin-system-texts.ts'
import { adminUserTexts } from '#web/features/admin-users/admin-user-texts.ts'
import { type Account, aCustomer, anAdmin, roundWithLeft } from './support/api.ts'
import { useProduct } from './support/use-product.ts'
import { failures, isEveryWidth, pictures } from './support/look.ts'

// Few rows: axe measures those that a dialog covers in part by what it leaves of them.
const { server, visit } = useProduct({ isOwn: true })
let admin: string
let player: Account
let roundId: string
beforeAll(async () => {
  admin = await anAdmin(server.url)
  const customer = await aCustomer(server.url, admin)
  player = customer
  roundId = customer.roundId
})

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first().click()
/** Its code is loaded when it is opened for the first time. */
const dialog = (page: Page) => page.locator('[role="dialog"],[role="alertdialog"]')
const pressForDialog = async (page: Page, name: string) => {
  await press(page, name)
  await dialog(page).waitFor()
}
const inMenu = async (page: Page, name: string, item: string) => {
  await page
    .getByRole('button', { name: adminTableTexts.moreActions(name) })
    .first()
    .click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
  await dialog(page).waitFor()
}

type State = {
  readonly name: string
  readonly path: string | (() => string)
  /** Opens the dialog or menu that covers the page. */
  readonly open?: (page: Page) => Promise<void>
  readonly isOnlyWide?: boolean
}

const list = (page: Page) => page.locator('[data-row-id]').first().waitFor()
const user = (name: string, item: string): State => ({
  name,
  path: '/admin/user?q=nguoichoi',
  open: (page) => inMenu(page, player.username, item),
})
const states: readonly State[] = [
  {
    name: 'overview',
    path: '/admin',
    open: (page) => page.getByRole('heading', { name: figuresTexts.net, exact: true }).waitFor(),
  },
  { name: 'users', path: '/admin/user', open: list },
  {
    name: 'users, none',
    path: '/admin/user?q=zzzz',
    open: (page) => page.getByText(adminTableTexts.noResults).waitFor(),
  },
  {
    name: 'users, menu',
    path: '/admin/user?q=nguoichoi',
    open: (page) => press(page, adminTableTexts.moreActions(player.username)),
  },
  { name: 'users, edit', path: '/admin/user?q=nguoichoi', open: (page) => pressForDialog(page, adminUserTexts.edit) },
  user('users, banks', adminUserTexts.editBanks),
  user('users, freeze', adminUserTexts.freeze),
  user('users, auto win', adminUserTexts.toWin),
  user('users, role', adminUserTexts.makeAdmin),
  user('users, delete', adminUserTexts.remove),
  { name: 'requests, all', path: '/admin/transaction?status=all', open: list },
  { name: 'requests', path: '/admin/transaction', open: list },
  {
    name: 'requests, approve',
    path: '/admin/transaction',
    open: (page) => pressForDialog(page, adminRequestTexts.approve),
  },
  {
    name: 'requests, reject without a reason',
    path: '/admin/transaction',
    open: async (page) => {
      await press(page, adminRequestTexts.reject)
      await press(page, adminRequestTexts.rejectButton)
      await page.getByText(adminRequestTexts.reasonRequired).waitFor()
    },
  },
  {
    name: 'requests, details',
    path: '/admin/transaction',
    open: (page) => inMenu(page, player.username, adminRequestTexts.details),
  },
  {
    name: 'requests, delete',
    path: '/admin/transaction',
    open: (page) => inMenu(page, player.username, adminRequestTexts.remove),
  },
  {
    name: 'requests, columns',
    path: '/admin/transaction',
    isOnlyWide: true,
    open: (page) => press(page, adminTableTexts.columns),
  },
  {
    name: 'requests, views',
    path: '/admin/transaction',
    isOnlyWide: true,
    open: async (page) => {
      await press(page, adminTableTexts.views)
      await page.getByRole('menuitem', { name: adminTableTexts.saveView }).click()
      await dialog(page).waitFor()
    },
  },
  {
    name: 'requests, keys',
    path: '/admin/transaction',
    isOnlyWide: true,
    open: (page) => pressForDialog(page, adminTableTexts.shortcuts),
  },
  {
    name: 'requests, several',
    path: '/admin/transaction',
    open: async (page) => {
      await page.getByRole('checkbox', { name: adminTableTexts.selectRow(player.username) }).click()
      await pressForDialog(page, adminRequestTexts.bulkApprove('1'))
    },
  },
  { name: 'rounds', path: '/admin/game?type=120s', open: list },
  {
    name: 'rounds, set a result',
    path: '/admin/game?type=120s',
    open: async (page) => {
      await roundWithLeft(server.url, admin, '120s', 15_000)
      await page.getByRole('button', { name: adminRoundTexts.setUp }).click()
      await dialog(page).waitFor()
    },
  },
  { name: 'a round', path: () => `/admin/round/${roundId}` },
  { name: 'bets', path: '/admin/history', open: list },
  {
    name: 'bets, delete',
    path: '/admin/history?status=voided',
    open: (page) => inMenu(page, player.username, adminBetTexts.remove),
  },
  { name: 'audit log', path: '/admin/audit', open: list },
  {
    name: 'audit log, an act',
    path: '/admin/audit',
    open: (page) => pressForDialog(page, adminAuditTexts.details),
  },
  {
    name: 'security',
    path: '/admin/security',
    open: (page) => page.getByRole('button', { name: securityTexts.addTotp }).waitFor(),
  },
  {
    name: 'security, add an app',
    path: '/admin/security',
    open: async (page) => {
      await press(page, securityTexts.addTotp)
      await page.getByRole('img', { name: securityTexts.qr }).waitFor()
    },
  },
  {
    name: 'system',
    path: '/admin/system',
    open: (page) => page.getByRole('region', { name: systemTexts.health }).waitFor(),
  },
  { name: 'messages', path: '/admin/chat' },
  { name: 'care report', path: '/admin/care-report' },
  { name: 'disputes', path: '/admin/disputes' },
  { name: 'proposals', path: '/admin/proposals' },
]

/** A slow machine takes minutes for all of them at once. */
const half = Math.ceil(states.length / 2)

/** The rules of WCAG 2.2 AA and below, and axe's best practices. */

describe('axe finds nothing in the back office, and nothing scrolls sideways', () => {
  test.each([
    { width: 1280, height: 800, half: 'first', from: 0 },
    { width: 1280, height: 800, half: 'second', from: half },
    { width: 360, height: 740, half: 'first', from: 0 },
    { width: 360, height: 740, half: 'second', from: half },
  ])('at $width px in both themes, the $half half of the screens', async ({ from, half: _, ...size }) => {
    const { page } = await visit('/admin', { token: admin, reducedMotion: true, theme: 'light', ...size })
    const found: string[] = []
    const look = async (name: string) => {
      for (const theme of size.width === 1280 || isEveryWidth ? (['light', 'dark'] as const) : (['light'] as const)) {
        await page.emulateMedia({ colorScheme: theme })
        await page.locator(`html[data-theme="${theme}"]`).waitFor()
        const seen = await failures(page, { isRecoloured: theme === 'dark' })
        found.push(...seen.map((failure) => `${name}, ${theme}: ${failure}`))
        const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
        if (sideways > 0) found.push(`${name}: scrolls sideways by ${sideways} px`)
        if (pictures !== undefined)
          await page.screenshot({
            path: `${pictures}/${name.replaceAll(/[^a-z]+/g, '-')}-${size.width}-${theme}.png`,
          })
      }
      await page.emulateMedia({ colorScheme: 'light' })
    }
    let shown = ''
    for (const { name, path, open, isOnlyWide = false } of states.slice(from, from + half)) {
      if (isOnlyWide && size.width < 768) continue
      const address = typeof path === 'string' ? path : path()
      if (address === shown) {
        await page.keyboard.press('Escape')
        await page.locator('[role="dialog"],[role="alertdialog"],[role="menu"]').waitFor({ state: 'detached' })
      } else {
        await page.goto(address)
        await page.getByRole('heading', { level: 1 }).waitFor()
        shown = address
      }
      await open?.(page)
      await look(name)
    }
    if (from > 0 && size.width < 768) {
      await press(page, adminTexts.toggleSidebar)
      await page.getByRole('dialog', { name: adminTexts.platform }).waitFor()
      await look('sidebar')
    }
    expect(found).toEqual([])
  })
})
