import { describe, expect, test } from 'vitest'
import { careTopicsOf } from './care-words.ts'

describe('the warning topics of a message', () => {
  test.each([
    ['Bạn chuyển khoản cho mình nhé', ['transfer']],
    ['chuyen tien qua momo', ['transfer']],
    ['STK của em đây', ['account']],
    ['0123456789012 Vietcombank', ['account']],
    ['0123 4567 8901', ['account']],
    ['Cho anh xin mật khẩu', ['password']],
    ['ma OTP la 123456', ['otp']],
    ['đọc mã xác thực giúp chị', ['otp']],
    ['mật khẩu và mã OTP', ['password', 'otp']],
  ])('%s', (text, topics) => expect(careTopicsOf(text)).toEqual(topics))

  test.each(['Xin chào', 'Số dư 1.000.000 điểm', 'Phiên 927418', '20/11/2026 15:04', '1,234,567.50 điểm', 'pasta'])(
    'no topic in %s',
    (text) => expect(careTopicsOf(text)).toEqual([]),
  )
})
