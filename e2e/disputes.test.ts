import { beforeAll, expect, test } from 'vitest'
import { endpoints } from '#contract/endpoints.ts'
import { besideTexts } from '#web/features/chat/beside-texts.ts'
import { adminDisputeTexts } from '#web/features/disputes/admin-dispute-texts.ts'
import { disputeTexts } from '#web/features/disputes/dispute-texts.ts'
import { noticeTexts } from '#web/features/notices/notices-texts.ts'
import { formatCount } from '#web/platform/formats.ts'
import { adminTableTexts } from '#web/lists/table-texts.ts'
import { type Account, anAdmin, anotherAdmin, aPlayer, call, roundWithLeft } from './support/api.ts'
import { useProduct } from './support/use-product.ts'
import { failures, look } from './support/look.ts'
import { conversationRow } from './support/message-field.ts'

const { server, visit } = useProduct()
let admin: string
beforeAll(async () => {
  admin = await anAdmin(server.url)
})

const complaint = 'Giá ra không giống giá tôi thấy trên biểu đồ lúc phiên kết thúc'
const answer = 'Bạn nói đúng, giá ra đã ghi sai. Xin lỗi bạn'

/** A bet of 10 points whose round has ended, settled and sealed. */
async function aSettledBet({ token }: Account) {
  const { id: roundId } = await roundWithLeft(server.url, token, '30s', 3_000, 14_000)
  const { id } = await call(server.url, endpoints.placeBet, {
    token,
    body: { roundId, stakeMinor: 1_000n, direction: 'up', seenBasis: 'PRICE' },
  })
  for (;;) {
    const [bet] = await call(server.url, endpoints.listOwnBets, { token, query: { ids: [id] } })
    if (bet?.status !== 'open' && bet?.sealIndex != null) return bet
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
}

/** Who wrote to an admin has their disputes there; others' wait in the queue. */
const hasWritten = async ({ token }: Account, adminToken: string) => {
  const { id } = await call(server.url, endpoints.me, { token: adminToken })
  await call(server.url, endpoints.openConversation, { token, body: { participantId: id } })
}

const balanceOf = async ({ token }: Account) => (await call(server.url, endpoints.me, { token })).balanceMinor

test('a player disputes a bet, staff uphold it, the balance follows, and both see the answer', async () => {
  const player = await aPlayer(server.url)
  await hasWritten(player, admin)
  const bet = await aSettledBet(player)
  const before = await balanceOf(player)
  const title = disputeTexts.card(`30s #${formatCount(bet.round.roundNumber)}`)

  const phone = await visit(`/account/bets?bet=${bet.id}`, { token: player.token })
  await phone.page.getByRole('button', { name: disputeTexts.open }).click()
  const field = phone.page.getByLabel(disputeTexts.field)
  await phone.page.getByRole('button', { name: disputeTexts.send }).click()
  await phone.page.getByText(disputeTexts.missing).waitFor()
  await field.fill(complaint)
  await look(phone.page, 'form', [360, 600])
  expect(await failures(phone.page)).toEqual([])
  await phone.page.getByRole('button', { name: disputeTexts.send }).click()

  // The conversation of the case opens, with the receipt as a card.
  const card = phone.page.getByRole('region', { name: title })
  await card.getByText(disputeTexts.waiting).waitFor()
  expect(new URL(phone.page.url()).pathname).toBe('/support')
  await phone.page.getByText(complaint).last().waitFor()
  expect(await card.textContent()).toContain(`#${formatCount(bet.sealIndex ?? -1)}`)
  expect(await card.getByRole('link', { name: title }).getAttribute('href')).toBe(`/vong/${bet.round.id}`)
  await look(phone.page, 'case', [360, 600, 1280])
  expect(await failures(phone.page)).toEqual([])

  // Staff see it in their list and answer there.
  const staff = await visit('/admin/disputes', { token: admin, width: 1280, height: 800 })
  const row = staff.page.getByRole('row', { name: new RegExp(player.username) })
  await row.getByText(complaint).waitFor()
  await look(staff.page, 'list', [1280, 360])
  expect(await failures(staff.page)).toEqual([])
  await row.getByRole('button', { name: disputeTexts.answer }).click()
  const dialog = staff.page.getByRole('alertdialog')
  await dialog.getByRole('radio', { name: adminDisputeTexts.uphold }).check()
  await dialog.getByLabel(adminDisputeTexts.amount).fill('1.5')
  await dialog.getByLabel(adminDisputeTexts.sentence).fill(answer)
  await look(staff.page, 'answer', [1280, 360])
  expect(await failures(staff.page)).toEqual([])
  await dialog.getByRole('button', { name: adminDisputeTexts.upholdButton('1.50') }).click()
  await staff.page.getByText(adminDisputeTexts.upheldDone(player.username, '1.50')).waitFor()
  // What an earlier try left open waits on.
  const left = await call(server.url, endpoints.listDisputes, { token: admin, query: { status: 'open', limit: 100 } })
  const { nothingWaits, waiting } = adminDisputeTexts
  const count = left.length === 0 ? nothingWaits : waiting(String(left.length))
  await staff.page.getByRole('main').getByText(count).waitFor()
  expect(await balanceOf(player)).toBe(before + 150n)

  // The player reads it in the open conversation …
  await phone.page.getByText(answer).last().waitFor()
  await card.getByText(disputeTexts.upheld).waitFor()
  await look(phone.page, 'answered', [360, 600, 1280])
  expect(await failures(phone.page)).toEqual([])
  // … in the conversation of staff, whose holder answers, it is the same card …
  await staff.page.goto('/admin/chat')
  await conversationRow(staff.page, player).click()
  await staff.page.getByRole('region', { name: title }).getByText(disputeTexts.upheld).waitFor()
  await look(staff.page, 'staff-chat', [1280])
  // … among the notices, once …
  await phone.page.goto('/account/notifications')
  const notices = phone.page.getByRole('link', { name: new RegExp(noticeTexts.disputeUpheld) })
  await notices.waitFor()
  expect(await notices.count()).toBe(1)
  expect(await phone.page.getByText(noticeTexts.adjusted).count()).toBe(0)
  await look(phone.page, 'notices', [360])
  await notices.click()
  // … and in the review of the bet, with the places of both entries in the log.
  const review = phone.page.getByRole('region', { name: title })
  await review.getByText(answer).waitFor()
  await review.getByText(disputeTexts.proof).click()
  await expect
    .poll(
      async () => {
        await phone.page.reload()
        await review.getByText(answer).waitFor()
        return (await review.textContent())?.includes(disputeTexts.entryWaiting)
      },
      // A page takes its time on a busy machine.
      { timeout: 40_000 },
    )
    .toBe(false)
  await review.getByText(disputeTexts.proof).click()
  await look(phone.page, 'review', [360, 600, 1280])
  expect(await phone.page.getByRole('button', { name: disputeTexts.open }).count()).toBe(0)
  expect((await server.auditLedger()).isClean).toBe(true)
})

test('an admin reads and claims the conversation of a case that a colleague holds', async () => {
  const player = await aPlayer(server.url)
  const colleague = await anotherAdmin(server.url, admin)
  await hasWritten(player, colleague.token)
  const bet = await aSettledBet(player)
  await call(server.url, endpoints.openDispute, {
    token: player.token,
    params: { id: bet.id },
    body: { text: complaint },
  })

  const { page } = await visit('/admin/disputes', { token: admin, width: 1280, height: 800 })
  const row = page.getByRole('row', { name: new RegExp(player.username) })
  await row.getByRole('button', { name: adminTableTexts.moreActions(player.username) }).click()
  await page.getByRole('menuitem', { name: adminDisputeTexts.openChat }).click()
  const peek = page.getByRole('dialog', { name: player.username })
  await peek.getByText(complaint).waitFor()
  await look(page, 'peek', [1280, 360])
  expect(await failures(page)).toEqual([])
  await peek.getByRole('button', { name: new RegExp(besideTexts.claim) }).click()
  await peek.waitFor({ state: 'detached' })
  await page.getByRole('region', { name: disputeTexts.card(`30s #${formatCount(bet.round.roundNumber)}`) }).waitFor()
  // Read by its holder from now on, and not offered again when it is closed.
  await page.reload()
  await page.getByText(complaint).last().waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)
})
