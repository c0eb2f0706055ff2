import { beforeAll, expect, test } from 'vitest'
import { endpoints } from '#contract/endpoints.ts'
import { points } from '#domain/money.ts'
import { adminRequestTexts } from '#web/features/admin-requests/admin-request-texts.ts'
import { proposalTexts } from '#web/features/proposals/proposal-texts.ts'
import { secondPersonTexts } from '#web/parts/second-person-texts.ts'
import { type Account, anAdmin, anotherAdmin, aPlayer, call, fileDeposit, linkBank } from './support/api.ts'
import { useProduct } from './support/use-product.ts'
import { failures, look } from './support/look.ts'

const { server, visit } = useProduct({ isOwn: true })
let first: string
let second: Account
beforeAll(async () => {
  first = await anAdmin(server.url)
  second = await anotherAdmin(server.url, first)
  await server.ageAdmins()
  // The server starts twice, and a program of its own opens the database in between.
}, 240_000)

const balanceOf = async ({ token }: Account) => (await call(server.url, endpoints.me, { token })).balanceMinor

test('one admin proposes, another one confirms in a browser of their own, and each sees the other at once', async () => {
  const player = await aPlayer(server.url)
  await linkBank(server.url, player)
  const before = await balanceOf(player)
  await fileDeposit(server.url, player, points(12_000_000))
  const proposer = (await visit('/admin/transaction', { token: first, width: 1280, height: 800 })).page
  const confirmer = (await visit('/admin/proposals', { token: second.token, width: 1280, height: 800 })).page
  await confirmer.getByRole('heading', { name: proposalTexts.title }).waitFor()

  const request = proposer.getByRole('row', { name: new RegExp(player.username) })
  await request.getByText(secondPersonTexts.mark, { exact: true }).waitFor()
  await request.getByRole('button', { name: adminRequestTexts.approve, exact: true }).click()
  const asking = proposer.getByRole('alertdialog')
  await asking.getByText(secondPersonTexts.needed).waitFor()
  expect(await failures(proposer)).toEqual([])
  await look(proposer, 'propose')
  await asking.getByRole('button', { name: secondPersonTexts.button }).click()
  const told = proposer.getByText(secondPersonTexts.proposed(player.username))
  await told.waitFor()
  await request.getByText(secondPersonTexts.waiting, { exact: true }).waitFor()
  // While it fades, a toast has less contrast.
  await told.waitFor({ state: 'hidden' })
  expect(await failures(proposer)).toEqual([])
  await look(proposer, 'requests')
  expect(await balanceOf(player)).toBe(before)

  // The colleague's list has it without a press.
  const proposal = confirmer.getByRole('row', { name: new RegExp(player.username) })
  await proposal.waitFor()
  expect(await failures(confirmer)).toEqual([])
  await look(confirmer, 'list')
  await proposal.getByRole('button', { name: proposalTexts.confirm, exact: true }).click()
  const dialog = confirmer.getByRole('alertdialog')
  await dialog.getByText(proposalTexts.confirmText('admin')).waitFor()
  expect(await failures(confirmer)).toEqual([])
  await look(confirmer, 'confirm')
  await dialog.getByRole('button', { name: /^Xác nhận 12,000,000/ }).click()
  await confirmer.getByText(/^Đã xác nhận 12,000,000/).waitFor()
  await proposal.waitFor({ state: 'hidden' })
  expect(await balanceOf(player)).toBe(before + points(12_000_000))

  // The proposer sees that it was done, and the player reads both names.
  await request.getByText(secondPersonTexts.waiting, { exact: true }).waitFor({ state: 'hidden' })
  const ledger = (await visit('/account/ledger', { token: player.token })).page
  await ledger.getByText(`admin đề nghị, ${second.username} xác nhận`).waitFor()
})

test('the proposer can’t confirm; the player’s cancellation ends it before the eyes of both', async () => {
  const player = await aPlayer(server.url)
  await linkBank(server.url, player)
  const { id } = await fileDeposit(server.url, player, points(11_000_000))
  await call(server.url, endpoints.decideRequest, {
    token: first,
    params: { id },
    body: { verdict: 'approved', from: 'pending' },
  })
  const own = (await visit('/admin/proposals', { token: first, width: 1280, height: 800 })).page
  const row = own.getByRole('row', { name: new RegExp(player.username) })
  await row.getByRole('button', { name: proposalTexts.withdraw }).waitFor()
  expect(await row.getByRole('button', { name: proposalTexts.confirm, exact: true }).count()).toBe(0)

  const other = (await visit('/admin/transaction', { token: second.token, width: 1280, height: 800 })).page
  const request = other.getByRole('row', { name: new RegExp(player.username) })
  await request.getByRole('button', { name: adminRequestTexts.confirmProposal }).click()
  const dialog = other.getByRole('alertdialog')
  await dialog.getByText(proposalTexts.confirmText('admin')).waitFor()
  await call(server.url, endpoints.deleteRequest, { token: player.token, params: { id }, query: {} })
  await dialog.getByText(proposalTexts.endedWithName(proposalTexts.overtaken, player.username)).waitFor()
  expect(await dialog.getByRole('button', { name: /^Xác nhận/ }).isDisabled()).toBe(true)
  await look(other, 'ended')
  await row.waitFor({ state: 'hidden' })
  expect(await server.auditLedger()).toMatchObject({ isClean: true })
})
