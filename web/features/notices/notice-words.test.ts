import { expect, test } from 'vitest'
import { noticeLine, noticeWords } from './notice-words.ts'
import {
  aBetNotice,
  aCareNotice,
  aLimitNotice,
  anAdjustmentNotice,
  aRequestNotice,
  aRoundNotice,
} from '#web/testing/notices.ts'

test('a bet says its sign, its amount and what decided it, whether won or lost', () => {
  expect(noticeLine(aBetNotice(1), false)).toBe(
    'Mua ▲ 60s · Phiên 12,345: Thắng +0.70 điểm · theo giá vàng 4,132.114\u00A0→ 4,132.500',
  )
  expect(noticeLine(aBetNotice(1, { status: 'lost', profitMinor: -70n, direction: 'down' }), false)).toBe(
    'Bán ▼ 60s · Phiên 12,345: Thua −0.70 điểm · theo giá vàng 4,132.114\u00A0→ 4,132.500',
  )
})

test('a bet that staff or a script decided names them and no price', () => {
  expect(noticeWords(aBetNotice(1, { basis: 'ADMIN' }), false).detail).toBe(
    'Thắng · do quản trị viên đặt kết quả phiên',
  )
  expect(noticeWords(aBetNotice(1, { basis: 'SCRIPTED' }), false).detail).toBe(
    'Thắng · tài khoản minh hoạ, kết quả đặt sẵn',
  )
})

test.each([
  ['TIE', 'giá vào bằng giá ra'],
  ['NO_TICK', 'không có giá để quyết định'],
  ['ROUND_DELETED', 'phiên đã bị quản trị viên xoá'],
] as const)('a void bet says why: %s', (voidReason, reason) => {
  const notice = aBetNotice(1, { status: 'voided', profitMinor: 0n, voidReason })
  expect(noticeLine(notice, false)).toBe(`Mua ▲ 60s · Phiên 12,345: Hoàn điểm · ${reason}`)
})

test('a request says the verdict, by whom and why', () => {
  expect(noticeLine(aRequestNotice(), false)).toBe('Yêu cầu nạp điểm: 200.00 điểm · Đã duyệt · bởi admin')
  const rejected = aRequestNotice({ kind: 'withdrawal', status: 'rejected', rejectionReason: 'Sai tên' })
  expect(noticeLine(rejected, false)).toBe('Yêu cầu rút điểm: 200.00 điểm · Không duyệt · bởi admin · Sai tên')
})

test('an adjustment says how much, why, by whom, and the balance after it', () => {
  expect(noticeLine(anAdjustmentNotice(), false)).toBe(
    'Quản trị viên điều chỉnh số dư: −100.00 điểm · Sửa nhầm · bởi admin · số dư sau 900.00',
  )
})

test('care says nothing of what was written, and staff read the other side of it', () => {
  expect(noticeLine(aCareNotice(), false)).toBe('CSKH đã trả lời bạn')
  expect(noticeWords(aCareNotice(), true)).toMatchObject({
    title: 'Khách hàng nhắn tin',
    detail: 'admin · 2 tin nhắn chưa đọc',
  })
})

test('an announced result says that a bet by price stays one', () => {
  expect(noticeWords(aRoundNotice(), false).detail).toBe('30s 7 · lệnh của bạn vẫn theo giá vàng')
  expect(noticeWords(aRoundNotice('SCRIPTED'), false).detail).toBe('30s 7')
})

test('a limit names itself, and invites to nothing', () => {
  expect(noticeWords(aLimitNotice('stake'), false).title).toBe('Bạn đã dùng hết giới hạn điểm đặt trong ngày')
  expect(noticeWords(aLimitNotice('loss'), false).title).toBe('Bạn đã dùng hết giới hạn điểm thua trong ngày')
})

test('a change of second factors says which, and what to do about one that is not one’s own', () => {
  const notice = { ...aLimitNotice('stake'), kind: 'factor' as const, limit: null }
  const added = noticeWords({ ...notice, factor: { change: 'added', name: 'Điện thoại' } }, true)
  expect(added.title).toBe('Tài khoản có thêm lớp xác thực')
  expect(added.detail).toMatch(/^Điện thoại · nếu không phải bạn/)
  const own = noticeWords({ ...notice, factor: { change: 'added', name: 'Điện thoại' } }, false)
  expect([own.title, own.detail]).toEqual([
    'Tài khoản có thêm khoá truy cập',
    'Điện thoại · nếu không phải bạn, hãy đổi mật khẩu và báo ngay chăm sóc khách hàng',
  ])
  expect(noticeWords({ ...notice, factor: { change: 'undone', name: 'Máy lạ' } }, true).detail).toBe('Máy lạ')
})
