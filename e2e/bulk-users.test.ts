import type { Page } from 'playwright-core'
import { beforeAll, expect, test, vi } from 'vitest'
import { endpoints } from '#contract/endpoints.ts'
import { formatCount } from '#web/platform/formats.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { adminTableTexts } from '#web/lists/table-texts.ts'
import { type Account, anAdmin, aPlayer, call } from './support/api.ts'
import { useProduct } from './support/use-product.ts'
import { failures, look } from './support/look.ts'
import { adminUserTexts as texts } from '#web/features/admin-users/admin-user-texts.ts'

const { server, device, visit } = useProduct({ isOwn: true })
/** One more than a page holds. */
const PLAYERS = 11

let owner: string
let players: Account[]
beforeAll(async () => {
  owner = await anAdmin(server.url)
  players = []
  for (let nth = 0; nth < PLAYERS; nth++) players.push(await aPlayer(server.url))
})

const userOf = async ({ id }: Account) => {
  const [user] = await call(server.url, endpoints.listUsers, { token: owner, query: { userId: id } })
  if (user === undefined) throw new Error('the user is not listed')
  return user
}
const row = (page: Page, { username }: Account) => page.locator('[data-row-id]').filter({ hasText: username })

test('all of a filter are frozen with a review, one refusal is tried again, and all are unfrozen', async () => {
  const { page } = await visit('/admin/user', { token: owner })
  await page.locator('[data-row-id]').first().waitFor()
  const count = formatCount(PLAYERS)
  // All but the administrator, who is left out in the review.
  if (device.hasTouch)
    await page.getByRole('checkbox', { name: adminTableTexts.selectRow(players.at(-1)!.username) }).check()
  else await page.getByRole('checkbox', { name: adminTableTexts.selectPage }).check()
  await look(page, 'selected')
  await page.getByRole('button', { name: adminTableTexts.chooseAll(formatCount(PLAYERS + 1)) }).click()
  await page.getByText(adminTableTexts.allChosen(formatCount(PLAYERS + 1))).waitFor()
  expect(await failures(page)).toEqual([])
  await look(page, 'all')

  await page.getByRole('button', { name: texts.bulkFreezeAll, exact: true }).click()
  const dialog = page.getByRole('alertdialog', { name: texts.bulkFreezeTitle(count) })
  await dialog.getByText(texts.leftOutSelf()).waitFor()
  expect(await failures(page)).toEqual([])
  await look(page, 'review')
  // Somebody changes one account after it was read, and another registers.
  const changed = players[4]!
  await call(server.url, endpoints.updateUser, {
    token: owner,
    params: { id: changed.id },
    body: { creditScore: 55, version: (await userOf(changed)).version },
  })
  const late = await aPlayer(server.url)
  await dialog.getByRole('button', { name: texts.bulkFreeze(count) }).click()
  await dialog.getByText(adminTableTexts.bulkSummary(formatCount(PLAYERS - 1), count)).waitFor()
  expect((await dialog.getByRole('listitem').first().textContent()) ?? '').toContain(changed.username)
  expect(await failures(page)).toEqual([])
  await look(page, 'result')
  expect((await userOf(changed)).isFrozen).toBe(false)

  await dialog.getByRole('button', { name: adminTableTexts.bulkRetry('1') }).click()
  await dialog.getByText(adminTableTexts.bulkSummary(count, count)).waitFor()
  await dialog.getByRole('button', { name: commonTexts.close, exact: true }).click()
  for (const player of players) expect((await userOf(player)).isFrozen).toBe(true)
  expect((await userOf(changed)).creditScore).toBe(55)
  expect((await userOf(late)).isFrozen).toBe(false)

  // Each is an act of its own in the audit log.
  const acts = await call(server.url, endpoints.listAudit, { token: owner, query: { act: 'user.update', limit: 100 } })
  expect(acts.filter(({ after }) => JSON.stringify(after).includes('"isFrozen":true'))).toHaveLength(PLAYERS)

  await page.goto('/admin/user?kind=frozen')
  await row(page, players[10]!).waitFor()
  if (device.hasTouch)
    await page.getByRole('checkbox', { name: adminTableTexts.selectRow(players[10]!.username) }).check()
  else await page.getByRole('checkbox', { name: adminTableTexts.selectPage }).check()
  await page.getByRole('button', { name: adminTableTexts.chooseAll(count) }).click()
  await page.getByRole('button', { name: texts.bulkUnfreezeAll, exact: true }).click()
  const second = page.getByRole('alertdialog', { name: texts.bulkUnfreezeTitle(count) })
  await second.getByRole('button', { name: texts.bulkUnfreeze(count) }).click()
  await second.getByText(adminTableTexts.bulkSummary(count, count)).waitFor()
  await second.getByRole('button', { name: commonTexts.close, exact: true }).click()
  for (const player of players) expect((await userOf(player)).isFrozen).toBe(false)
})

test('accounts are sorted by balance, and the list says of when', async () => {
  const rich = players[3]!
  await call(server.url, endpoints.updateUser, {
    token: owner,
    params: { id: rich.id },
    body: { balanceMinor: 987_654_300n, reason: 'thử', version: (await userOf(rich)).version },
  })
  const { page } = await visit('/admin/user?sort=-balance', { token: owner })
  await page.getByText(/^Xếp theo số liệu lúc \d\d:\d\d:\d\d$/).waitFor()
  // A pass of the totals later.
  await vi.waitFor(
    async () => {
      await page.reload()
      await page.locator('[data-row-id]').first().waitFor()
      expect(await page.locator('[data-row-id]').first().textContent()).toContain(rich.username)
    },
    { timeout: 60_000, interval: 2_000 },
  )
  expect(await failures(page)).toEqual([])
  await look(page, 'by-balance')
  if (device.hasTouch) return
  await page.getByRole('button', { name: texts.staked, exact: true }).click()
  await page.getByText(/^Xếp theo số liệu lúc/).waitFor()
  await page.getByRole('button', { name: texts.creditScore, exact: true }).click()
  await page.getByText(/^Xếp theo số liệu lúc/).waitFor({ state: 'detached' })
})
