import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { useEffect, useState } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import { disputeEndpoints } from '#contract/disputes.ts'
import { startOfDayMs } from '#domain/day.ts'
import { DISPUTABLE_DAYS } from '#domain/disputes/dispute.ts'
import { queryClient } from '#web/platform/query-client.ts'
import { proposalEndpoints } from '#contract/proposals.ts'
import { fakeServer, onePage, Refused } from '#web/testing/fake-server.ts'
import { draw } from '#web/testing/render.tsx'
import { uuid } from '#web/testing/samples.ts'
import { AnswerDialog } from './answer-dialog.tsx'
import { type Dispute, disputeQuery } from './api.ts'
import { BetDispute } from './bet-dispute.tsx'
import { CaseInChat } from './case-in-chat.tsx'
import { useAnsweredCases } from './case-slot.tsx'
import { usualCorrections } from './dispute-words.ts'
import { DisputesTable } from './disputes-table.tsx'
import { toast } from '#web/ui/toast.tsx'
import { sampleDispute, upheldDispute } from '#web/testing/disputes.ts'

const dayMs = 86_400_000
const bet = { id: sampleDispute().bet.id, settledAtMs: Date.now() - dayMs }
const player = { id: uuid(1), role: 'player' } as const
const admin = { id: uuid(901), role: 'admin' } as const

beforeEach(() => queryClient.clear())

test('a settled bet offers the way; one sentence is sent, and the conversation of the case opens', async () => {
  const server = fakeServer()
  server.on(disputeEndpoints.readBetDispute, () => null)
  const opened = server.on(disputeEndpoints.openDispute, ({ body }) => sampleDispute({ text: body.text }))
  const { user, address } = await draw(<BetDispute bet={bet} />)
  await user.click(await screen.findByRole('button', { name: 'Khiếu nại lệnh này' }))
  const field = screen.getByRole('textbox', { name: 'Bạn thấy điều gì chưa đúng?' })
  await user.click(screen.getByRole('button', { name: 'Gửi khiếu nại' }))
  expect(screen.getByText('Hãy viết một câu cho biết điều gì chưa đúng')).toBeTruthy()
  expect([opened(), document.activeElement]).toEqual([[], field])
  await user.type(field, 'Giá ra sai')
  await user.click(screen.getByRole('button', { name: 'Gửi khiếu nại' }))
  await waitFor(() => expect(address()).toBe(`/support?conversation=${sampleDispute().conversationId}`))
  expect(opened()).toEqual([{ params: { id: bet.id }, body: { text: 'Giá ra sai' } }])
})

async function leaveWhileSending() {
  const server = fakeServer()
  server.on(disputeEndpoints.readBetDispute, () => null)
  const sending = Promise.withResolvers<Dispute>()
  const opened = server.on(disputeEndpoints.openDispute, () => sending.promise)
  const { user, address, unmount } = await draw(<BetDispute bet={bet} />, '/investment/game')
  await user.click(await screen.findByRole('button', { name: 'Khiếu nại lệnh này' }))
  await user.type(screen.getByRole('textbox'), 'Giá ra sai')
  await user.click(screen.getByRole('button', { name: 'Gửi khiếu nại' }))
  await waitFor(() => expect(opened()).toHaveLength(1))
  unmount()
  return { sending, address }
}

test('a player who has left the form meanwhile stays where they are', async () => {
  const { sending, address } = await leaveWhileSending()
  sending.resolve(sampleDispute())
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(address()).toBe('/investment/game')
})

test('a player who has left the form meanwhile reads why nothing was sent', async () => {
  const { sending } = await leaveWhileSending()
  const failed = vi.spyOn(toast, 'error').mockReturnValue()
  sending.reject(new Refused('NOT_SEALED_YET'))
  await waitFor(() => expect(failed).toHaveBeenCalledWith(expect.stringContaining('Chưa ghi xong vào sổ mở')))
  failed.mockRestore()
})

test('the list of staff is filtered by state, player and days in the address, and counts what it found', async () => {
  const asked = fakeServer().on(disputeEndpoints.listDisputes, () => onePage([sampleDispute()], 25))
  const search = 'q=khach01&status=all&from=2026-11-01&to=2026-11-02'
  await draw(<DisputesTable meId={admin.id} proposalDialog={() => null} />, `/admin/disputes?${search}`)
  expect(await screen.findByText('0 trên 25 hàng được chọn')).toBeTruthy()
  expect(asked()[0]?.query).toEqual({
    page: 1,
    limit: 10,
    sort: 'openedAt',
    username: 'khach01',
    // Both days whole.
    from: startOfDayMs('2026-11-01'),
    to: startOfDayMs('2026-11-03'),
  })
})

test('a refusal is shown by the form, which keeps the sentence', async () => {
  const server = fakeServer()
  server.on(disputeEndpoints.readBetDispute, () => null)
  server.on(disputeEndpoints.openDispute, () => {
    throw new Refused('NOT_SEALED_YET')
  })
  const { user } = await draw(<BetDispute bet={bet} />)
  await user.click(await screen.findByRole('button', { name: 'Khiếu nại lệnh này' }))
  const field = screen.getByRole<HTMLTextAreaElement>('textbox')
  await user.type(field, 'Giá ra sai')
  await user.click(screen.getByRole('button', { name: 'Gửi khiếu nại' }))
  expect((await screen.findByRole('alert')).textContent).toContain('Chưa ghi xong vào sổ mở')
  expect(field.value).toBe('Giá ra sai')
})

test('the case that was opened although its answer was lost takes the place of the form', async () => {
  const server = fakeServer()
  let opened: Dispute | null = null
  server.on(disputeEndpoints.readBetDispute, () => opened)
  server.on(disputeEndpoints.openDispute, () => {
    opened = sampleDispute()
    throw new Refused('INTERNAL')
  })
  const { user } = await draw(<BetDispute bet={bet} />)
  await user.click(await screen.findByRole('button', { name: 'Khiếu nại lệnh này' }))
  await user.type(screen.getByRole('textbox'), 'Giá ra sai')
  await user.click(screen.getByRole('button', { name: 'Gửi khiếu nại' }))
  await screen.findByRole('region', { name: 'Khiếu nại phiên 60s #1,234' })
  expect(screen.queryByRole('textbox')).toBeNull()
})

test('an answered dispute stands in the review with its receipt, answer, correction and salts', async () => {
  fakeServer().on(disputeEndpoints.readBetDispute, () => upheldDispute())
  await draw(<BetDispute bet={bet} />)
  const card = await screen.findByRole('region', { name: 'Khiếu nại phiên 60s #1,234' })
  const text = card.textContent ?? ''
  for (const part of [
    'Được chấp nhận',
    'Mua ▲ · 10 điểm',
    '4,000.000\u00A0→ 3,999.000',
    'Thua −0.70',
    '#4,567',
    'Giá ra không giống biểu đồ',
    'thuha trả lời',
    'Đúng, giá ra ghi sai',
    '+1.40 điểm',
    'AAAAAAAAAAAAAAAAAAAAAA==',
    'đang chờ ghi',
  ])
    expect(text).toContain(part)
  expect(screen.queryByRole('button', { name: 'Khiếu nại lệnh này' })).toBeNull()
  expect(within(card).getByRole('link', { name: 'Mở trò chuyện' }).getAttribute('href')).toContain('/support')
})

test('an entry that no log will have does not wait to be written', async () => {
  const { entry, ...dispute } = upheldDispute()
  const lost = { ...entry, index: null, isWaiting: false }
  fakeServer().on(disputeEndpoints.readBetDispute, () => ({ ...dispute, entry: lost, answer: null }))
  await draw(<BetDispute bet={bet} />)
  const card = await screen.findByRole('region', { name: 'Khiếu nại phiên 60s #1,234' })
  expect(card.textContent).toContain('Dòng trong sổ mở: không ghi')
})

test('a running bet offers nothing, and one that is too old says so', async () => {
  const server = fakeServer()
  const asked = server.on(disputeEndpoints.readBetDispute, () => null)
  const { container, unmount } = await draw(<BetDispute bet={{ id: bet.id, settledAtMs: null }} />)
  expect([container.querySelector('section'), asked()]).toEqual([null, []])
  unmount()
  await draw(<BetDispute bet={{ id: bet.id, settledAtMs: Date.now() - (DISPUTABLE_DAYS + 1) * dayMs }} />)
  expect(await screen.findByText(/đã quá 30 ngày/)).toBeTruthy()
  expect(screen.queryByRole('button')).toBeNull()
})

test('in the conversation the card comes from the server, and staff alone may answer from it', async () => {
  fakeServer().on(disputeEndpoints.readDispute, () => sampleDispute())
  const { unmount } = await draw(<CaseInChat disputeId={uuid(700)} senderId={uuid(1)} self={player} />)
  const card = await screen.findByRole('region', { name: 'Khiếu nại phiên 60s #1,234' })
  // The sentence is the message itself.
  expect(card.textContent).not.toContain('Giá ra không giống')
  expect(within(card).getByRole('link', { name: 'Xem lại lệnh' })).toBeTruthy()
  expect(within(card).queryByRole('button')).toBeNull()
  unmount()
  await draw(<CaseOfStaff />)
  expect(await screen.findByRole('button', { name: 'Trả lời' })).toBeTruthy()
})

/** The case for staff, in a row of the conversation that is scrolled away. */
function CaseOfStaff() {
  const { drawCase, dialog } = useAnsweredCases(admin)
  const [isOnScreen, setIsOnScreen] = useState(true)
  useEffect(() => {
    const scrollAway = () => setIsOnScreen(false)
    document.addEventListener('scroll', scrollAway)
    return () => document.removeEventListener('scroll', scrollAway)
  }, [])
  return (
    <>
      {isOnScreen && drawCase({ disputeId: uuid(700), senderId: uuid(1) })}
      {dialog}
    </>
  )
}

test('an answer begun in the conversation says that a colleague answered meanwhile', async () => {
  const server = fakeServer()
  server.on(disputeEndpoints.readDispute, () => sampleDispute())
  const { user, askAgain } = await draw(<CaseOfStaff />)
  const button = await screen.findByRole('button', { name: 'Trả lời' })
  await user.click(button)
  const dialog = await screen.findByRole('alertdialog')
  const field = within(dialog).getByRole<HTMLTextAreaElement>('textbox', { name: 'Câu trả lời' })
  await user.type(field, 'Giá ra đúng')
  fireEvent.scroll(document)
  expect([button.isConnected, field.value]).toEqual([false, 'Giá ra đúng'])
  server.on(disputeEndpoints.readDispute, () => upheldDispute())
  await askAgain(disputeQuery(uuid(700)).queryKey)
  expect(await within(dialog).findByText('thuha vừa trả lời')).toBeTruthy()
  expect(within(dialog).getByRole('button', { name: 'Từ chối khiếu nại' }).getAttribute('aria-disabled')).toBe('true')
})

test('under the answer stand the state and the correction alone', async () => {
  fakeServer().on(disputeEndpoints.readDispute, () => upheldDispute())
  await draw(<CaseInChat disputeId={uuid(700)} senderId={admin.id} self={player} />)
  expect(await screen.findByText('Được chấp nhận')).toBeTruthy()
  expect(screen.getByText('+1.40 điểm')).toBeTruthy()
  expect(screen.queryByText('Giá vào → Giá ra')).toBeNull()
})

async function openDialog(seen = sampleDispute(), now: Dispute = seen) {
  const server = fakeServer()
  server.on(proposalEndpoints.readDaySum, () => ({ movedMinor: 0n, fromMinor: null }))
  const answered = server.on(disputeEndpoints.answerDispute, () => upheldDispute())
  const onClose = vi.fn<() => void>()
  function Example() {
    const [isOpen, setIsOpen] = useState(true)
    onClose.mockImplementation(() => setIsOpen(false))
    return isOpen && <AnswerDialog seen={seen} dispute={now} onClose={onClose} />
  }
  const { user } = await draw(<Example />)
  return { user, server, answered, onClose, dialog: screen.getByRole('alertdialog') }
}

test('upholding needs an amount up to the stake and a sentence, and offers the usual amounts', async () => {
  const { user, answered, onClose, dialog } = await openDialog()
  await user.click(within(dialog).getByRole('radio', { name: 'Chấp nhận' }))
  await user.click(within(dialog).getByRole('button', { name: 'Chấp nhận khiếu nại' }))
  expect(within(dialog).getByText('Vui lòng nhập số tiền')).toBeTruthy()
  expect(within(dialog).getByText('Vui lòng nhập lý do')).toBeTruthy()
  const amount = within(dialog).getByRole<HTMLInputElement>('textbox', { name: 'Điểm bù cho người chơi' })
  await user.type(amount, '10.01')
  await user.type(within(dialog).getByRole('textbox', { name: 'Câu trả lời' }), 'Đúng, giá ra ghi sai')
  await user.click(within(dialog).getByRole('button', { name: /^Chấp nhận, bù 10.01/ }))
  expect(within(dialog).getByText('Số điểm vượt quá giới hạn cho phép')).toBeTruthy()
  await user.click(within(dialog).getByRole('button', { name: 'Nếu lẽ ra thắng: 1.40' }))
  expect(amount.value).toBe('1.40')
  await user.click(within(dialog).getByRole('button', { name: 'Chấp nhận, bù 1.40 điểm' }))
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(answered()).toEqual([
    {
      params: { id: uuid(700) },
      body: { verdict: 'upheld', text: 'Đúng, giá ra ghi sai', correctionMinor: 140n },
    },
  ])
})

test('a rejection sends no amount', async () => {
  const { user, answered, onClose, dialog } = await openDialog()
  await user.type(within(dialog).getByRole('textbox', { name: 'Câu trả lời' }), 'Giá ra đúng')
  await user.click(within(dialog).getByRole('button', { name: 'Từ chối khiếu nại' }))
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(answered()[0]?.body).toEqual({ verdict: 'rejected', text: 'Giá ra đúng', correctionMinor: null })
})

test('a colleague who answered first is named with the answer, and confirming is off', async () => {
  const { dialog } = await openDialog(sampleDispute(), upheldDispute())
  expect(within(dialog).getByText('thuha vừa trả lời')).toBeTruthy()
  expect(within(dialog).getByRole('button', { name: 'Từ chối khiếu nại' }).getAttribute('aria-disabled')).toBe('true')
  expect(within(dialog).getByText(upheldDispute().answer?.text ?? 'no answer')).toBeTruthy()
})

test('the usual corrections are what a void or a win would have left', () => {
  const of = (status: Dispute['bet']['status'], profitMinor: bigint) =>
    usualCorrections(sampleDispute({ bet: { ...sampleDispute().bet, status, profitMinor } }))
  expect(of('lost', -70n)).toEqual({ voidMinor: 70n, wonMinor: 140n })
  expect(of('voided', 0n)).toEqual({ voidMinor: null, wonMinor: 70n })
  expect(of('won', 70n)).toEqual({ voidMinor: null, wonMinor: null })
})
