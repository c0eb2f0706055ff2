import { infiniteQueryOptions } from '@tanstack/react-query'
import { type LedgerReason, walletEndpoints } from '#contract/wallet.ts'
import { callEndpoint } from '#web/platform/api.ts'

const rowsPerPage = 20

export const ledgerKey = ['ledger'] as const

type LedgerAsked = {
  readonly reason: LedgerReason | null
  /** Loads only rows before this position; null starts with the newest row. */
  readonly beforePosition: number | null
  readonly limit: number
  readonly signal: AbortSignal
}

export const loadLedger = ({ reason, beforePosition, limit, signal }: LedgerAsked) =>
  callEndpoint(walletEndpoints.ledger, {
    query: {
      limit,
      whole: 'bets',
      ...(reason !== null && { reason }),
      ...(beforePosition !== null && { beforePosition }),
    },
    signal,
  })

/** The ledger, newest first. Its pages begin at a position, so new rows do not shift older pages (rules §1.3). */
export const ledgerQuery = (reason: LedgerReason | null) =>
  infiniteQueryOptions({
    queryKey: [...ledgerKey, reason],
    queryFn: ({ signal, pageParam }) => loadLedger({ reason, beforePosition: pageParam, limit: rowsPerPage, signal }),
    initialPageParam: null as number | null,
    getNextPageParam: ({ rows, meta }) => (meta.hasMore ? (rows.at(-1)?.position ?? null) : null),
  })
