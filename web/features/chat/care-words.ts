import { foldForSearch } from '#web/platform/search-text.ts'

/** What a message may be about that nobody should write to anybody here (rules §7). */
export type CareTopic = 'transfer' | 'account' | 'password' | 'otp'

/** Without accents and tone marks, which people leave out. Words of both sides: a cheat may sit on either one. */
const words: Readonly<Record<CareTopic, RegExp>> = {
  transfer:
    /\b(chuyen (khoan|tien)|nap (tien|the|the cao)|ck|bank transfer|gui tien|rut tien that|momo|zalopay|usdt)\b/,
  account: /\b(stk|so tk|so tai khoan|account number|so the)\b/,
  password: /\b(mat khau|pass(word)?|mk)\b/,
  otp: /\b(otp|ma xac (thuc|nhan|minh)|ma pin|smart ?otp)\b/,
}

/** Eight digits or more, whatever stands between them: an account or a card number. An amount has its own separators. */
const longNumber = /(?<![\d.,])\d(?:[ .-]?\d){7,18}(?![\d.,]*\d)/
/** 1,000,000 and 1.000.000 are amounts, 20/11/2026 is no number at all. */
const grouped = /^\d{1,3}(?:[. ]\d{3})+$/

/** The topics a text names, in a fixed order; none for most texts. */
export function careTopicsOf(text: string): readonly CareTopic[] {
  const folded = foldForSearch(text)
  const topics = (Object.keys(words) as CareTopic[]).filter((topic) => words[topic].test(folded))
  const number = longNumber.exec(folded)?.[0]
  if (number !== undefined && !grouped.test(number) && !topics.includes('account')) topics.push('account')
  return topics
}
