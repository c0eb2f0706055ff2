import { queryOptions } from '@tanstack/react-query'
import { type AuditRow, backOfficeEndpoints } from '#contract/back-office.ts'
import { adminKeys } from '#web/platform/admin-keys.ts'
import { callEndpoint, type ListPage } from '#web/platform/api.ts'

export type { AuditRow } from '#contract/back-office.ts'

export type AuditListQuery = {
  readonly page: number
  readonly limit: number
  readonly sort: string
  readonly actor?: string
  readonly act?: string
  readonly target?: string
}

export const listAudit = (query: AuditListQuery, signal: AbortSignal): Promise<ListPage<AuditRow[]>> =>
  callEndpoint(backOfficeEndpoints.listAudit, { query, signal })

const refetchMs = 15_000

export const auditQuery = (query: AuditListQuery) =>
  queryOptions({
    queryKey: [...adminKeys.audit, 'page', query],
    queryFn: ({ signal }) => listAudit(query, signal),
    refetchInterval: refetchMs,
  })
