import { errors, type Locator, type Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { capabilityWords } from '#contract/capability-words.ts'
import { endpoints } from '#contract/endpoints.ts'
import { refusals } from '#contract/refusals.ts'
import { adminCustomerTexts } from '#web/features/admin-customer/admin-customer-texts.ts'
import { adminRequestTexts } from '#web/features/admin-requests/admin-request-texts.ts'
import { adminRoundTexts } from '#web/features/admin-rounds/admin-round-texts.ts'
import { adminUserTexts } from '#web/features/admin-users/admin-user-texts.ts'
import { besideTexts } from '#web/features/chat/beside-texts.ts'
import { chatTexts } from '#web/features/chat/chat-texts.ts'
import { adminDisputeTexts } from '#web/features/disputes/admin-dispute-texts.ts'
import { disputeTexts } from '#web/features/disputes/dispute-texts.ts'
import { accountStateTexts } from '#web/parts/account-states-texts.ts'
import { adminTableTexts } from '#web/lists/table-texts.ts'
import { commonTexts } from '#web/platform/texts.ts'
import {
  type Account,
  anAdmin,
  anotherAdmin,
  aPlayer,
  call,
  fileDeposit,
  linkBank,
  roundWithLeft,
} from './support/api.ts'
import { useProduct } from './support/use-product.ts'
import { useWriters } from './support/chat-writer.ts'

const { server, visit } = useProduct({ isOwn: true })
/** Two admins in two browsers act on the same things at once. */
let admin: string
let lan: Account
beforeAll(async () => {
  admin = await anAdmin(server.url)
  lan = await anotherAdmin(server.url, admin)
})

const { writer } = useWriters(() => server.url)

/** The same address in the browsers of both. */
async function both(path: string, size: { width?: number; height?: number } = {}): Promise<[Page, Page]> {
  const [one, two] = await Promise.all([
    visit(path, { token: admin, ...size }),
    visit(path, { token: lan.token, ...size }),
  ])
  return [one.page, two.page]
}
const row = (page: Page, name: string) => page.locator('[data-row-id]').filter({ hasText: name })
const dialogOf = (page: Page) => page.locator('[role="dialog"],[role="alertdialog"]')
const chooseInMenu = async (page: Page, name: string, item: string) => {
  await page.getByRole('button', { name: adminTableTexts.moreActions(name) }).click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}
const userNow = async ({ id }: Account) => {
  const [user] = await call(server.url, endpoints.listUsers, { token: admin, query: { userId: id } })
  if (user === undefined) throw new Error('The user is not in the list.')
  return user
}
const actsOn = async (target: string, act: string) =>
  (await call(server.url, endpoints.listAudit, { token: admin, query: { act, target, limit: 100 } })).length
/** Presses at the same moment in both browsers. The second may find that the first one's act has taken the button away. */
const together = async (...buttons: readonly Locator[]) => {
  // A dialog's code comes when it is opened for the first time.
  for (const one of buttons) await one.waitFor()
  await Promise.all(
    buttons.map((one) =>
      one.click({ timeout: 2_000 }).catch((error: unknown) => {
        if (!(error instanceof errors.TimeoutError)) throw error
      }),
    ),
  )
}
/** What becomes of presses at the same moment, seen from before them on: a toast goes while a press still waits for its button. */
const raced = async (
  pages: readonly Page[],
  buttonOf: (page: Page, at: number) => Locator,
  done: (page: Page) => Locator,
  late: (page: Page, at: number) => Locator,
) => {
  const [outcomes] = await Promise.all([
    Promise.all(
      pages.map((page, at) =>
        Promise.race([
          done(page)
            .first()
            .waitFor()
            .then(() => 'done' as const),
          late(page, at)
            .waitFor()
            .then(() => 'late' as const),
        ]),
      ),
    ),
    together(...pages.map(buttonOf)),
  ])
  expect(outcomes.toSorted()).toEqual(['done', 'late'])
  return outcomes
}
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

test('a capability that is taken away while its dialog is open ends the act, and nothing is moved', async () => {
  const player = await aPlayer(server.url)
  await linkBank(server.url, player)
  await fileDeposit(server.url, player, 10_000n)
  const minh = await anotherAdmin(server.url, admin, ['money'])
  const { page } = await visit('/admin/transaction', { token: minh.token })
  const approve = row(page, player.username).getByRole('button', { name: adminRequestTexts.approve, exact: true })
  await approve.click()
  const confirm = button(page, adminRequestTexts.approveDepositButton('100.00'))
  await confirm.waitFor()

  const owner = await visit('/admin/user?kind=admins', { token: admin })
  await chooseInMenu(owner.page, minh.username, adminUserTexts.capabilities)
  await dialogOf(owner.page).getByRole('switch', { name: capabilityWords.money }).uncheck()
  // The press is on its way to the server when the capability ends.
  const pressed = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  await page.route('**/api/v1/transaction/*', async (route) => {
    if (route.request().method() === 'PATCH') {
      pressed.resolve()
      await ended.promise
    }
    await route.continue()
  })
  const answer = page.waitForResponse((response) => response.request().method() === 'PATCH')
  await confirm.click()
  await pressed.promise
  await button(owner.page, adminUserTexts.capabilitiesButton).click()
  await row(owner.page, minh.username).getByText(adminUserTexts.readOnly, { exact: true }).waitFor()
  ended.resolve()
  expect((await answer).status()).toBe(403)
  await page.getByText(refusals.CAPABILITY_MISSING.message).waitFor()
  await page.keyboard.press('Escape')
  await approve.waitFor({ state: 'detached' })
  expect((await userNow(player)).balanceMinor).toBe(100_000n)
  const [request] = await call(server.url, endpoints.listRequests, { token: player.token, query: {} })
  expect(request?.status).toBe('pending')
})

test('both adjust a balance: the second is told what changed, keeps what was typed, and both adjustments stand', async () => {
  const player = await aPlayer(server.url)
  const pages = await both(`/admin/user?q=${player.username}`)
  const [one, two] = pages
  for (const [page, balance, reason] of [
    [one, '1100', 'Bù một'],
    [two, '1250', 'Bù hai'],
  ] as const) {
    await row(page, player.username).getByRole('button', { name: adminUserTexts.edit, exact: true }).click()
    await dialogOf(page).getByLabel(adminUserTexts.balance, { exact: true }).fill(balance)
    await dialogOf(page).getByLabel(adminUserTexts.reason, { exact: true }).fill(reason)
    await button(page, adminUserTexts.review).click()
    await button(page, adminUserTexts.save('1')).waitFor()
  }
  const saved = (page: Page) => page.getByText(adminUserTexts.saved(player.username))
  const stale = (page: Page) => dialogOf(page).getByText(adminUserTexts.staleTitle)
  const outcomes = await raced(pages, (page) => button(page, adminUserTexts.save('1')), saved, stale)
  const late = pages[outcomes.indexOf('late')]!
  const [first, second] = outcomes[0] === 'done' ? [110_000n, 125_000n] : [125_000n, 110_000n]
  expect((await userNow(player)).balanceMinor).toBe(first)
  expect(await dialogOf(late).getByLabel(adminUserTexts.balance, { exact: true }).inputValue()).toMatch(
    late === one ? /^1,?100/ : /^1,?250/,
  )
  await button(late, adminUserTexts.review).click()
  await button(late, adminUserTexts.save('1')).click()
  await saved(late).waitFor()
  expect((await userNow(player)).balanceMinor).toBe(second)
  const ledger = await call(server.url, endpoints.ledger, { token: player.token, query: {} })
  expect(ledger.slice(0, 2).map(({ deltaMinor, note }) => [deltaMinor, note])).toEqual([
    [second - first, late === one ? 'Bù một' : 'Bù hai'],
    [first - 100_000n, late === one ? 'Bù hai' : 'Bù một'],
  ])
  // The one who was first sees the other's as well, without a reload.
  const early = pages[outcomes.indexOf('done')]!
  await row(early, player.username)
    .getByText(second === 125_000n ? '1,250.00' : '1,100.00')
    .waitFor()
})

test('both freeze the same accounts, one of them many at once: each is frozen once, and both see it', async () => {
  const players = [await aPlayer(server.url), await aPlayer(server.url)] as const
  const [one, two] = await both('/admin/user')
  for (const { username } of players)
    await one.getByRole('checkbox', { name: adminTableTexts.selectRow(username) }).check()
  await button(one, adminUserTexts.bulkFreeze('2')).click()
  const review = one.getByRole('alertdialog', { name: adminUserTexts.bulkFreezeTitle('2') })
  await review.waitFor()
  await chooseInMenu(two, players[0].username, adminUserTexts.freeze)
  await button(two, adminUserTexts.freezeButton).click()
  await row(two, players[0].username).getByText(accountStateTexts.frozen, { exact: true }).waitFor()

  // Whom the other one has frozen since the review is frozen already, and not a second time.
  await review.getByRole('button', { name: adminUserTexts.bulkFreeze('2') }).click()
  await review.getByText(adminTableTexts.bulkSummary('2', '2')).waitFor()
  await review.getByRole('button', { name: commonTexts.close, exact: true }).click()
  for (const page of [one, two])
    for (const { username } of players)
      await row(page, username).getByText(accountStateTexts.frozen, { exact: true }).waitFor()
  for (const player of players) {
    expect((await userNow(player)).isFrozen).toBe(true)
    expect(await actsOn(`user:${player.id}`, 'user.update')).toBe(1)
  }

  // Back again, by the other one alone.
  await chooseInMenu(two, players[1].username, adminUserTexts.unfreeze)
  await button(two, adminUserTexts.unfreeze).click()
  for (const page of [one, two])
    await row(page, players[1].username)
      .getByText(accountStateTexts.frozen, { exact: true })
      .waitFor({ state: 'detached' })
  expect((await userNow(players[1])).isFrozen).toBe(false)
})

test('both answer a dispute: one answer stands, and the second reads whose it is and what it says', async () => {
  const player = await aPlayer(server.url)
  const { id: roundId } = await roundWithLeft(server.url, player.token, '30s', 3_000, 14_000)
  const { id: betId } = await call(server.url, endpoints.placeBet, {
    token: player.token,
    body: { roundId, stakeMinor: 1_000n, direction: 'up', seenBasis: 'PRICE' },
  })
  await expect
    .poll(
      async () => {
        const [bet] = await call(server.url, endpoints.listOwnBets, { token: player.token, query: { ids: [betId] } })
        return bet?.status !== 'open' && bet?.sealIndex != null
      },
      { timeout: 40_000, interval: 250 },
    )
    .toBe(true)
  await call(server.url, endpoints.openDispute, {
    token: player.token,
    params: { id: betId },
    body: { text: 'Giá ra không giống giá tôi thấy' },
  })
  const pages = await both('/admin/disputes')
  for (const [page, sentence] of [
    [pages[0], 'Giá đúng như trong sổ mở'],
    [pages[1], 'Đã xem lại: giá không sai'],
  ] as const) {
    await row(page, player.username).getByRole('button', { name: disputeTexts.answer, exact: true }).click()
    await dialogOf(page).getByRole('radio', { name: adminDisputeTexts.reject }).check()
    await dialogOf(page).getByLabel(adminDisputeTexts.sentence).fill(sentence)
  }
  const outcomes = await raced(
    pages,
    (page) => button(page, adminDisputeTexts.rejectButton),
    (page) => page.getByText(adminDisputeTexts.rejectedDone(player.username)),
    (page, at) => dialogOf(page).getByText(adminDisputeTexts.justAnswered(at === 0 ? lan.username : 'admin')),
  )
  const stands = outcomes[0] === 'done' ? 'Giá đúng như trong sổ mở' : 'Đã xem lại: giá không sai'
  await dialogOf(pages[outcomes.indexOf('late')]!).getByText(stands).waitFor()
  const [dispute] = await call(server.url, endpoints.listDisputes, { token: admin, query: {} })
  expect([dispute?.status, dispute?.answer?.text]).toEqual(['rejected', stands])
})

test('both announce a result: the first stands, and neither it nor its dialog is there for the other', async () => {
  const pages = await both('/admin/game?type=120s')
  const round = await roundWithLeft(server.url, admin, '120s', 40_000)
  const [one, two] = pages
  await button(one, adminRoundTexts.setUp).click()
  await button(two, adminRoundTexts.setDown).click()
  const outcomes = await raced(
    pages,
    (page) =>
      button(page, adminRoundTexts.setButton(page === one ? `${adminRoundTexts.up} ▲` : `${adminRoundTexts.down} ▼`)),
    (page) => page.getByText(/^Đã đặt kết quả (Mua|Bán)/),
    (page) => dialogOf(page).getByText(refusals.RESULT_ALREADY_SET.message),
  )
  const late = pages[outcomes.indexOf('late')]!
  await late.keyboard.press('Escape')
  // The direction stays with whoever announced it.
  await late.getByText(adminRoundTexts.announcedSecret).waitFor()
  expect(await late.getByRole('button', { name: adminRoundTexts.setUp }).count()).toBe(0)
  expect(await actsOn(`round:${round.id}`, 'round.set-result')).toBe(1)
})

test('a round that one deletes while the other has its dialog open is gone for both', async () => {
  const [one, two] = await both('/admin/game?type=90s')
  await roundWithLeft(server.url, admin, '90s', 40_000)
  await button(two, adminRoundTexts.setUp).click()
  const set = button(two, adminRoundTexts.setButton(`${adminRoundTexts.up} ▲`))
  await set.waitFor()
  await button(one, adminRoundTexts.remove).click()
  await button(one, adminRoundTexts.removeButton).click()
  await one.getByText(adminRoundTexts.deletedRound).waitFor()
  await set.click()
  await dialogOf(two).getByText(refusals.ROUND_NOT_FOUND.message).waitFor()
  await two.keyboard.press('Escape')
  await dialogOf(two).waitFor({ state: 'detached' })
  await two.getByText(adminRoundTexts.deletedRound).waitFor()
})

test('both claim a waiting conversation: one holds it, and the other sees who', async () => {
  const player = await aPlayer(server.url)
  const holder = await anotherAdmin(server.url, admin)
  const write = await writer(player.token)
  await write(holder.id, 'Cho mình hỏi chút')
  const pages = await both('/admin/chat')
  await Promise.all(pages.map((page) => page.getByRole('button', { name: chatTexts.tabs.others }).click()))
  const items = pages.map((page) =>
    page
      .getByRole('region', { name: besideTexts.othersConversations })
      .getByRole('listitem')
      .filter({ hasText: player.username }),
  )
  await Promise.all(items.map((item) => item.getByText(besideTexts.answering(holder.username)).waitFor()))
  await together(...items.map((item) => item.getByRole('button', { name: new RegExp(besideTexts.claim) })))
  const names = ['admin', lan.username]
  const holders = await Promise.all(
    items.map((item, at) =>
      Promise.race([
        item.waitFor({ state: 'detached' }).then(() => names[at]),
        item
          .getByText(besideTexts.answering(names[1 - at] ?? ''))
          .waitFor()
          .then(() => names[1 - at]),
      ]),
    ),
  )
  expect(new Set(holders).size).toBe(1)
})

test('notes of both are read by both', async () => {
  const player = await aPlayer(server.url)
  const pages = await both(`/admin/user/${player.id}?part=notes`)
  const notes = ['Đã gọi lúc sáng.', 'Hẹn gọi lại chiều nay.']
  for (const [at, page] of pages.entries()) {
    await page.getByRole('textbox', { name: adminCustomerTexts.newNote }).fill(notes[at] ?? '')
  }
  await together(...pages.map((page) => button(page, adminCustomerTexts.saveNote)))
  for (const page of pages)
    for (const [at, note] of notes.entries())
      await page
        .getByRole('listitem')
        .filter({ hasText: note })
        .getByText(['admin', lan.username][at] ?? '')
        .waitFor()
})
