import { bankEndpoints } from '#contract/banks.ts'
import { decideAccess } from '#domain/identity/permissions.ts'
import { refuseOtherUser } from '#server/platform/http/auth.ts'
import type { Api } from '#server/platform/http/http.ts'
import { addBank, type BanksDeps, editBank } from './write-banks.ts'
import { listBanks } from './queries.ts'

export function registerBanks(api: Api, deps: BanksDeps): void {
  const { db } = deps
  api.handle(bankEndpoints.listBanks, ({ subject, query }) => {
    const isStaff = decideAccess(bankEndpoints.listBanks.asStaff, subject) === null
    const refused = isStaff ? null : refuseOtherUser(subject, query.userId)
    return refused ?? listBanks(db, [query.userId ?? subject.userId])
  })
  api.handle(
    bankEndpoints.addBank,
    ({ subject, body }) => refuseOtherUser(subject, body.ownerId) ?? addBank(db, subject, body),
  )
  api.handle(bankEndpoints.editBank, ({ subject, params, body }) => editBank(deps, subject, params.id, body))
}
