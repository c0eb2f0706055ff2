import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type LedgerBet, type LedgerRow, walletEndpoints } from '#contract/wallet.ts'
import type { TransferReason } from '#domain/ledger/transfers.ts'
import { formatAmount } from '#web/platform/formats.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { fakeServer, onePage } from '#web/testing/fake-server.ts'
import { draw } from '#web/testing/render.tsx'
import { uuid } from '#web/testing/samples.ts'
import { Ledger } from './ledger.tsx'
import { ledgerTexts } from './wallet-texts.ts'

const titles = { open: 'Đang chạy', won: 'Thắng', lost: 'Thua', voided: 'Hoàn điểm' } as const
const betTitle = ({ status }: LedgerBet) => `Bán 30s · ${titles[status]}`

const bet = (number: number, status: LedgerBet['status'], profitMinor: bigint | null): LedgerBet => ({
  ...{ id: uuid(number), type: '30s', direction: 'down', status, profitMinor },
})
let position = 100
const row = (reason: TransferReason, deltaMinor: bigint, ofBet: LedgerBet | null = null): LedgerRow => ({
  ...{ id: `${(position -= 1)}`, position, reason, deltaMinor, balanceAfterMinor: 90_000n + BigInt(position) },
  ...{ actor: 'system', ref: ofBet === null ? '' : `bet:${ofBet.id}`, note: null, createdAtMs: Date.now(), bet: ofBet },
})

async function open(rows: readonly LedgerRow[]) {
  const server = fakeServer()
  const asked = server.on(walletEndpoints.ledger, () => onePage([...rows], rows.length, 1, 20))
  const drawn = await draw(<Ledger betTitle={betTitle} />, '/account/ledger')
  await screen.findByText(ledgerTexts.count(String(rows.length)))
  return { ...drawn, asked }
}

test('a bet is one line coloured by its whole, which unfolds into every change that it made', async () => {
  const [lost, won, running] = [bet(1, 'lost', -50n), bet(2, 'won', 50n), bet(3, 'open', null)]
  const rows = [
    row('BET_STAKE', -10_00n, running),
    row('BET_RETURN', 9_50n, lost),
    row('WITHDRAWAL_HOLD', -5_00n),
    row('BET_STAKE', -10_00n, lost),
    row('BET_PROFIT', 50n, won),
    row('BET_RETURN', 10_00n, won),
    row('BET_STAKE', -10_00n, won),
    row('WELCOME', 1_000_00n),
  ]
  const { container, user } = await open(rows)
  const heads = [...container.querySelectorAll('summary')]
  expect(heads.map((head) => head.textContent?.match(/^(.*?)\d\d:/)?.[1])).toEqual([
    'Bán 30s · Đang chạy−10.00',
    'Bán 30s · Thua−0.50',
    'Bán 30s · Thắng+0.50',
  ])
  // Nothing of a lost bet is green, nothing of a running one has a colour.
  const ofBet = (at: number) => heads[at]?.parentElement ?? document.createElement('i')
  expect([...ofBet(1).querySelectorAll('.text-up')]).toEqual([])
  expect(within(ofBet(1)).getByText('−0.50').className).toContain('text-down')
  expect([...ofBet(0).querySelectorAll('.text-up, .text-down')]).toEqual([])
  // Every row is there, with its change and the balance after it; a bet's in the order in which they happened.
  await user.click(heads[1] ?? document.body)
  expect(
    within(ofBet(1))
      .getAllByRole('listitem')
      .map((one) => one.textContent),
  ).toEqual([
    expect.stringContaining(`${ledgerTexts.reasons.BET_STAKE}−10.00`),
    expect.stringContaining(`${ledgerTexts.reasons.BET_RETURN}+9.50`),
  ])
  expect(within(ofBet(1)).getByText(ledgerTexts.lost('0.50'))).toBeTruthy()
  expect(within(ofBet(1)).getByRole('link').getAttribute('href')).toContain(uuid(1))
  for (const { balanceAfterMinor } of rows)
    expect(screen.getAllByText(formatAmount(balanceAfterMinor)).length).toBeGreaterThan(0)
})

test('whole bets are asked for, and all their changes are one choice of the filter', async () => {
  const { asked, user } = await open([row('WELCOME', 1_000_00n)])
  await user.selectOptions(screen.getByLabelText(ledgerTexts.filter), ledgerTexts.reasons.BET)
  await waitFor(() => expect(asked().at(-1)?.query).toEqual({ limit: 20, whole: 'bets', reason: 'BET' }))
})

test('after midnight in Vietnam what was of today is of yesterday, without a new answer', async () => {
  const beforeMidnight = Date.parse('2026-11-20T23:59:00+07:00')
  vi.useFakeTimers({ now: beforeMidnight, shouldAdvanceTime: true, toFake: ['Date', 'setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  await open([row('WELCOME', 1_000_00n)])
  expect(screen.getByRole('heading', { name: commonTexts.today })).toBeTruthy()
  await act(() => vi.advanceTimersByTimeAsync(60_000))
  expect(screen.getByRole('heading', { name: commonTexts.yesterday })).toBeTruthy()
})
