import { expect, test } from 'vitest'
import { minuteWords, sayingUntil, sayingWait, waitWords } from './refusal-time.ts'
import { refusals } from './refusals.ts'

test('a wait is said in seconds, minutes or hours, and is never said shorter than it is', () => {
  const said = [1, 89, 90, 900, 901, 5_399, 5_400, 86_400].map(waitWords)
  expect(said).toEqual(['1 giây', '89 giây', '2 phút', '15 phút', '16 phút', '90 phút', '2 giờ', '24 giờ'])
})

test('a minute is that of Vietnam, and the next one once it has begun', () => {
  expect(minuteWords(Date.parse('2026-11-27T12:46:00Z'))).toBe('19:46 ngày 27/11')
  expect(minuteWords(Date.parse('2026-11-27T16:59:00.001Z'))).toBe('00:00 ngày 28/11')
})

test('a sentence that ends with “sau” is completed; another one is left alone, or says until when', () => {
  expect(sayingWait(refusals.LOGIN_BLOCKED.message, 900)).toBe('Sai quá nhiều lần. Vui lòng thử lại sau 15 phút')
  expect(sayingWait(refusals.DATABASE_AWAY.message, 2)).toBe(refusals.DATABASE_AWAY.message)
  const untilMs = Date.parse('2026-11-27T12:46:00Z')
  expect(sayingUntil(refusals.TIMED_OUT.message, untilMs)).toBe(
    'Bạn đang trong thời gian tạm nghỉ đến 19:46 ngày 27/11',
  )
  expect(sayingUntil(refusals.TOO_MANY_DISPUTES.message, untilMs)).toMatch(
    /24 giờ\. Vui lòng gửi tiếp sau 19:46 ngày 27\/11$/,
  )
})
