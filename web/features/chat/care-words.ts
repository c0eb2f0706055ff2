import { foldForSearch } from '#web/platform/search-text.ts'

/** Topics that nobody should write about in this chat (rules §7). */
export type CareTopic = 'transfer' | 'account' | 'password' | 'otp'

/** Without accents and tone marks, which people leave out. For both sides: either one may be a fraudster. */
const words: Readonly<Record<CareTopic, RegExp>> = {
  transfer:
    /\b(chuyen (khoan|tien)|nap (tien|the|the cao)|ck|bank transfer|gui tien|rut tien that|momo|zalopay|usdt)\b/,
  account: /\b(stk|so tk|so tai khoan|account number|so the)\b/,
  password: /\b(mat khau|pass(word)?|mk)\b/,
  otp: /\b(otp|ma xac (thuc|nhan|minh)|ma pin|smart ?otp)\b/,
}

/** Eight digits or more, with or without separators: an account or card number. An amount has separators of its own. */
const longNumber = /(?<![\d.,])\d(?:[ .-]?\d){7,18}(?![\d.,]*\d)/
/** 1,000,000 and 1.000.000 are amounts, not account numbers; neither is the date 20/11/2026. */
const grouped = /^\d{1,3}(?:[. ]\d{3})+$/

export function careTopicsOf(text: string): readonly CareTopic[] {
  const folded = foldForSearch(text)
  const topics = (Object.keys(words) as CareTopic[]).filter((topic) => words[topic].test(folded))
  const number = longNumber.exec(folded)?.[0]
  if (number !== undefined && !grouped.test(number) && !topics.includes('account')) topics.push('account')
  return topics
}
