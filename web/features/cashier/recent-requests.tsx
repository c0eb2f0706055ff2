import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import type { RequestKind } from '#domain/cashier/request.ts'
import { cashRequestTexts } from './cashier-texts.ts'
import { refresh } from '#web/platform/query-client.ts'
import { connectionState, onConnectionChanged, onServerEvent } from '#web/platform/socket.ts'
import { Pager } from '#web/ui/pager.tsx'
import { SegmentedControl } from '#web/ui/segmented-control.tsx'
import { Pending } from '#web/ui/pending.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { requestsKey, requestsPerPage, requestsQuery } from './api.ts'
import { RequestList } from './request-list.tsx'

const withoutHintsMs = 15_000

const emptyTexts: Readonly<Record<RequestKind | 'all', string>> = {
  all: cashRequestTexts.empty,
  deposit: cashRequestTexts.emptyDeposits,
  withdrawal: cashRequestTexts.emptyWithdrawals,
}

/** The user's own requests by pages, or only the request with `requestId`. */
export function RecentRequests({ userId, requestId }: { readonly userId: string; readonly requestId: string | null }) {
  const [page, setPage] = useState(1)
  const [kind, setKind] = useState<RequestKind | 'all'>('all')
  useEffect(() => onServerEvent('account_changed', () => void refresh(requestsKey)), [])
  const isConnected = useSyncExternalStore(onConnectionChanged, () => connectionState() === 'connected')
  const query = useQuery({
    ...requestsQuery(userId, { page, kind: kind === 'all' ? null : kind, requestId }),
    placeholderData: keepPreviousData,
    refetchInterval: isConnected ? false : withoutHintsMs,
  })
  const { data } = query
  return (
    <>
      {requestId === null && (
        <SegmentedControl
          label={cashRequestTexts.filterKind}
          isLabelHidden
          look="bar"
          value={kind}
          onChange={(next) => {
            setKind(next)
            setPage(1)
          }}
          options={[
            { value: 'all', label: cashRequestTexts.all },
            { value: 'deposit', label: cashRequestTexts.deposit },
            { value: 'withdrawal', label: cashRequestTexts.withdraw },
          ]}
          className="px-4 pb-2"
        />
      )}
      {data === undefined ? (
        <Pending query={query} className="divide-y divide-line">
          {Array.from({ length: 3 }, (_, row) => (
            <div key={row} className="flex gap-3 px-4 py-3">
              <Skeleton className="size-10 rounded-pill!" />
              <Skeleton className="h-16 flex-1" />
            </div>
          ))}
        </Pending>
      ) : data.rows.length === 0 ? (
        <EmptyState text={requestId === null ? emptyTexts[kind] : cashRequestTexts.notFound} />
      ) : (
        <RequestList requests={data.rows} />
      )}
      {data !== undefined && (
        <div className="pb-2">
          <Pager
            label={cashRequestTexts.paging}
            page={page}
            pages={Math.ceil(data.meta.total / requestsPerPage)}
            hasMore={data.meta.hasMore}
            onChange={setPage}
          />
        </div>
      )}
    </>
  )
}
