import { infiniteQueryOptions } from '@tanstack/react-query'
import { type LedgerReason, type LedgerRow, walletEndpoints } from '#contract/wallet.ts'
import { callEndpoint } from '#web/platform/api.ts'

const rowsPerPage = 20

export const ledgerKey = ['ledger'] as const

export type LedgerPage = {
  readonly rows: readonly LedgerRow[]
  readonly total: number
  readonly isTotalCapped: boolean
  readonly hasMore: boolean
}

type LedgerAsked = {
  readonly reason: LedgerReason | null
  /** Rows before this position; null for the newest. */
  readonly beforePosition: number | null
  readonly limit: number
  readonly signal: AbortSignal
}

export async function loadLedger({ reason, beforePosition, limit, signal }: LedgerAsked): Promise<LedgerPage> {
  const { rows, meta } = await callEndpoint(walletEndpoints.ledger, {
    query: {
      limit,
      whole: 'bets',
      ...(reason !== null && { reason }),
      ...(beforePosition !== null && { beforePosition }),
    },
    signal,
  })
  return { rows, total: meta.total, isTotalCapped: meta.totalCapped === true, hasMore: meta.hasMore }
}

/** Newest first, paged by position: new rows on top do not shift the older pages (rules §1.3). */
export const ledgerQuery = (reason: LedgerReason | null) =>
  infiniteQueryOptions({
    queryKey: [...ledgerKey, reason],
    queryFn: ({ signal, pageParam }): Promise<LedgerPage> =>
      loadLedger({ reason, beforePosition: pageParam, limit: rowsPerPage, signal }),
    initialPageParam: null as number | null,
    getNextPageParam: ({ rows, hasMore }) => (hasMore ? (rows.at(-1)?.position ?? null) : null),
  })
