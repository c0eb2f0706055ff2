import { foldForSearch } from '#domain/search-text.ts'

/** Risky topics. A message that mentions one gets a warning (rules §7.9). */
export type CareTopic = 'transfer' | 'account' | 'password' | 'otp'

/** The patterns match text without accents, since people often leave accents out. */
const words: Readonly<Record<CareTopic, RegExp>> = {
  transfer:
    /\b(chuyen (khoan|tien)|nap (tien|the|the cao)|ck|bank transfer|gui tien|rut tien that|momo|zalopay|usdt)\b/,
  account: /\b(stk|so tk|so tai khoan|account number|so the)\b/,
  password: /\b(mat khau|pass(word)?|mk)\b/,
  otp: /\b(otp|ma xac (thuc|nhan|minh)|ma pin|smart ?otp)\b/,
}

/** Matches an account or card number: 8 to 19 digits, with at most one space, dot or hyphen between two digits. */
const longNumber = /(?<![\d.,])\d(?:[ .-]?\d){7,18}(?![\d.,]*\d)/
/** Matches an amount such as 10.000.000. Amounts with commas never match `longNumber`. */
const grouped = /^\d{1,3}(?:[. ]\d{3})+$/

export function careTopicsOf(text: string): readonly CareTopic[] {
  const folded = foldForSearch(text)
  const topics = (Object.keys(words) as CareTopic[]).filter((topic) => words[topic].test(folded))
  const number = longNumber.exec(folded)?.[0]
  if (number !== undefined && !grouped.test(number) && !topics.includes('account')) topics.push('account')
  return topics
}
