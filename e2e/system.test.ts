import { utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { capabilityWords } from '#contract/capability-words.ts'
import { endpoints } from '#contract/endpoints.ts'
import { SYSTEM_PAGES } from '#contract/system.ts'
import { attentionTexts } from '#web/features/admin-attention/admin-attention-texts.ts'
import { systemTexts as texts } from '#web/features/admin-system/admin-system-texts.ts'
import { adminTexts } from '#web/layout/admin-texts.ts'
import { screenTitles } from '#web/platform/texts.ts'
import { anAdmin, anotherAdmin, call } from './support/api.ts'
import { failures, look } from './support/look.ts'
import { whileGoldTrades } from './support/server.ts'
import { useProduct } from './support/use-product.ts'

const { server, visit } = useProduct({ feed: 'pyth', clockShiftMs: whileGoldTrades() })
let owner: string
beforeAll(async () => {
  owner = await anAdmin(server.url)
})

test('an owner is led from the overview to the page of the system, which says what is broken and what to do', async () => {
  const { page } = await visit('/admin', { token: owner, width: 1280, height: 800 })
  const card = page.getByRole('region', { name: attentionTexts.title })
  await card.getByText(attentionTexts.empty).or(card.getByRole('list')).waitFor()
  expect(await card.getByText(texts.rehearsalWrong).count()).toBe(0)
  await page.getByRole('link', { name: screenTitles.adminSystem, exact: true }).click()
  await page.getByRole('heading', { name: screenTitles.adminSystem, level: 1 }).waitFor()
  const row = (name: string) => page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) })
  await row(texts.parts.ledger.name).getByText(texts.states.ok, { exact: true }).waitFor()
  await row(texts.parts.feed.name).getByText(texts.states.ok, { exact: true }).waitFor()
  await row(texts.parts.disk.name).getByText(texts.growthUnknown).waitFor()
  await look(page, 'right')
  expect(await failures(page)).toEqual([])

  // The feed falls silent; a backup and a rehearsal are of long ago.
  const longAgo = new Date(Date.now() - 60 * 86_400_000)
  const old = join(server.dataDir, 'restore-rehearsed')
  writeFileSync(old, '')
  utimesSync(old, longAgo, longAgo)
  server.liveFeed?.set({ gives: 'nothing' })
  // It is an alarm after 30 s, and the page asks every ten.
  await row(texts.parts.feed.name).getByText(texts.states.wrong, { exact: true }).waitFor({ timeout: 60_000 })
  const rehearsal = row(texts.parts.rehearsal.name)
  await rehearsal.getByText(texts.states.wrong, { exact: true }).waitFor()
  await rehearsal.getByText(texts.whys.OLD).waitFor()
  await rehearsal.getByText(texts.parts.rehearsal.todo).waitFor()
  await rehearsal.getByText(SYSTEM_PAGES.rehearsal).waitFor()
  const names = await page.getByRole('heading', { level: 3 }).allTextContents()
  expect(names.findIndex((name) => name.includes(texts.states.ok))).toBeGreaterThan(1)
  expect(names.slice(0, 2).every((name) => name.endsWith(texts.states.wrong))).toBe(true)
  await look(page, 'wrong')
  expect(await failures(page)).toEqual([])

  await page.goto(`${server.url}/admin`)
  await card.getByText(texts.rehearsalWrong).waitFor()
  await look(page, 'overview')
  await card.getByRole('link', { name: texts.toSystem }).click()
  await rehearsal.waitFor()
})

test('an admin who is no owner has no link there, and is refused by the page and by the server', async () => {
  const other = await anotherAdmin(server.url, owner, ['money', 'care', 'rounds', 'users'])
  const { page } = await visit('/admin/system', { token: other.token, width: 1280, height: 800 })
  await page.getByText(adminTexts.notAllowed(capabilityWords.owner)).waitFor()
  await page.getByRole('link', { name: screenTitles.adminSecurity, exact: true }).waitFor()
  expect(await page.getByRole('link', { name: screenTitles.adminSystem, exact: true }).count()).toBe(0)
  await expect(call(server.url, endpoints.system, { token: other.token })).rejects.toThrow('CAPABILITY_MISSING')
  expect(await failures(page)).toEqual([])
})
