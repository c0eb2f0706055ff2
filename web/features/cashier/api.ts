import { type CashRequest, cashierEndpoints } from '#contract/cashier.ts'
import type { RequestKind } from '#domain/cashier/request.ts'
import { callEndpoint } from '#web/platform/api.ts'
import { endpointQuery } from '#web/platform/endpoint-query.ts'

export const requestsPerPage = 10

export const requestsKey = ['cash-requests'] as const

export type RequestFilter = {
  readonly page: number
  /** Null selects both kinds. */
  readonly kind: RequestKind | null
  /** Selects only this request; null selects all requests. */
  readonly requestId: string | null
}

export const requestsQuery = (userId: string, { page, kind, requestId }: RequestFilter) =>
  endpointQuery(requestsKey, cashierEndpoints.listRequests, {
    query: {
      userId,
      page,
      limit: requestsPerPage,
      ...(kind !== null && { type: kind }),
      ...(requestId !== null && { ids: [requestId] }),
    },
  })

export type Filing = {
  readonly kind: RequestKind
  readonly amountMinor: bigint
  /** The memo of a deposit, or the message of a withdrawal. */
  readonly words: string
  readonly bankId: string
}

/** @param idempotencyKey a retry of the same request sends the same key (rules §3.5) */
export const fileRequest = (userId: string, filing: Filing, idempotencyKey: string): Promise<CashRequest> => {
  const { kind, amountMinor, words, bankId } = filing
  const said = kind === 'deposit' ? { memo: words } : { withdrawalNote: words }
  const body = { kind, amountMinor, bankId, ownerId: userId, ...(words !== '' && said) }
  return callEndpoint(cashierEndpoints.fileRequest, { body, idempotencyKey })
}
