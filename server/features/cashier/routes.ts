import { cashierEndpoints } from '#contract/cashier.ts'
import { claimOf, type LedgerGuard } from '#server/features/wallet/index.ts'
import { refuseOtherUser } from '#server/platform/auth.ts'
import { refuse } from '#server/platform/errors.ts'
import type { Api } from '#server/platform/http.ts'
import { COUNT_CAP, listAnswer, pageOf, sortOf } from '#server/platform/lists.ts'
import { decideOnRequest } from './decide-request.ts'
import { deleteRequest } from './delete-request.ts'
import { fileRequest } from './file-request.ts'
import type { CashierDeps } from './ports.ts'
import { countRequests, listRequests, REQUEST_SORTS, type RequestSort } from './queries.ts'

/** Deposit and withdrawal requests of spec §7, rules §3. */
export function registerCashier(api: Api, deps: CashierDeps & { readonly ledger: LedgerGuard }): void {
  const { db, ledger } = deps

  api.handle(cashierEndpoints.listRequests, async ({ subject, query }) => {
    const isForStaff = subject.role === 'admin' && !subject.isFrozen
    const refused = isForStaff ? null : refuseOtherUser(subject, query.userId)
    if (refused !== null) return refused
    const page = pageOf(query)
    const sort = sortOf(query.sort, Object.keys(REQUEST_SORTS) as RequestSort[], '-createdAt')
    const filter = {
      ownerId: isForStaff ? (query.userId ?? null) : subject.userId,
      isForStaff,
      username: isForStaff ? (query.username ?? null) : null,
      status: query.status ?? null,
      kind: query.type ?? null,
      ids: query.ids ?? null,
    }
    const [rows, counted] = await Promise.all([
      listRequests(db, filter, sort, page),
      countRequests(db, filter, COUNT_CAP),
    ])
    return listAnswer(rows, counted, page)
  })

  api.handle(cashierEndpoints.fileRequest, ({ subject, body, idempotencyKey }) => {
    const refused = refuseOtherUser(subject, body.ownerId)
    if (refused !== null) return refused
    if (!ledger.isOpen()) return refuse('LEDGER_CHECK_FAILED')
    const filing = {
      kind: body.kind,
      amountMinor: body.amountMinor,
      memo: body.memo?.trim() ?? null,
      withdrawalNote: body.withdrawalNote?.trim() ?? null,
      bankId: body.bankId ?? null,
    }
    const claim = idempotencyKey === null ? null : claimOf(idempotencyKey, filing)
    return fileRequest(deps, subject, filing, claim)
  })

  api.handle(cashierEndpoints.decideRequest, ({ subject, params, body }) =>
    ledger.isOpen()
      ? decideOnRequest(deps, subject, params.id, {
          verdict: body.verdict,
          reason: body.reason ?? '',
          from: body.from ?? null,
        })
      : refuse('LEDGER_CHECK_FAILED'),
  )

  api.handle(cashierEndpoints.deleteRequest, ({ subject, params }) =>
    ledger.isOpen() ? deleteRequest(deps, subject, params.id) : refuse('LEDGER_CHECK_FAILED'),
  )
}
