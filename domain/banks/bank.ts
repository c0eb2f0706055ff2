import { isBlank } from '../blank.ts'

export const BANKS_PER_USER = 3

export const ACCOUNT_NUMBER_MIN = 4
export const ACCOUNT_NUMBER_MAX = 24
export const HOLDER_MAX = 80
export const BANK_NAME_MAX = 80

export interface BankDetails {
  readonly accountNumber: string
  readonly accountHolder: string
  readonly bankName: string
}

export function badBankFields(details: BankDetails): Array<keyof BankDetails> {
  const bad: Array<keyof BankDetails> = []
  const { length } = details.accountNumber
  if (!/^\d+$/.test(details.accountNumber) || length < ACCOUNT_NUMBER_MIN || length > ACCOUNT_NUMBER_MAX)
    bad.push('accountNumber')
  if (isOutside(details.accountHolder, HOLDER_MAX)) bad.push('accountHolder')
  if (isOutside(details.bankName, BANK_NAME_MAX)) bad.push('bankName')
  return bad
}

const isOutside = (text: string, max: number): boolean => isBlank(text) || text.trim().length > max
