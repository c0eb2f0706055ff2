import * as z from 'zod/mini'
import { answer, id, query, request, text } from './codecs.ts'
import { endpoint } from './endpoint.ts'

/** The wire's `nameBank` is the name of the account's holder, `nameOwner` the name of the bank (spec §3.2). */
export const bankTexts = {
  accountNumber: ['bankNumber', text],
  accountHolder: ['nameBank', text],
  bankName: ['nameOwner', text],
} as const

export const bankAccount = answer(() => ({ id: ['_id', text], ...bankTexts, ownerId: ['author', text] }))
export type BankAccount = z.output<typeof bankAccount>

const shortText = text.check(z.maxLength(200))

const bankFields = {
  accountNumber: ['bankNumber', shortText],
  accountHolder: ['nameBank', shortText],
  bankName: ['nameOwner', shortText],
  ownerId: ['author', z.optional(text)],
} as const

export const bankWireName = (field: 'accountNumber' | 'accountHolder' | 'bankName'): string => bankFields[field][0]

export const bankEndpoints = {
  listBanks: endpoint('GET', '/api/v1/bank', 'own-data', {
    asStaff: 'staff',
    query: query(() => ({ userId: z.optional(id) })),
    data: z.array(bankAccount),
    summary: 'Own linked banks; staff may name another user',
  }),
  addBank: endpoint('POST', '/api/v1/bank', 'player', {
    body: request(() => bankFields),
    data: bankAccount,
    refusals: ['STAFF_CANNOT_PLAY', 'BANK_INVALID', 'BANK_LIMIT'],
    summary: 'Link a bank, at most three',
  }),
  editBank: endpoint('PATCH', '/api/v1/bank/{id}', 'player', {
    asStaff: 'staff:users',
    body: request(() => ({
      accountNumber: [bankFields.accountNumber[0], z.optional(shortText)],
      accountHolder: [bankFields.accountHolder[0], z.optional(shortText)],
      bankName: [bankFields.bankName[0], z.optional(shortText)],
      ownerId: bankFields.ownerId,
    })),
    data: bankAccount,
    refusals: ['BANK_EDIT_FORBIDDEN', 'BANK_INVALID', 'BANK_NOT_FOUND'],
    summary: 'Correct a linked bank; staff only. What is not sent stays as it is',
  }),
} as const
