import { type AuditRow, backOfficeEndpoints } from '#contract/back-office.ts'
import { adminKeys } from '#web/ui/data-table/admin-keys.ts'
import { callEndpoint } from '#web/platform/api.ts'
import type { PageAsk, PageQuery } from '#web/ui/data-table/use-admin-list.ts'

export type { AuditRow } from '#contract/back-office.ts'

export type AuditListQuery = PageAsk & {
  readonly actor?: string
  readonly act?: string
  readonly target?: string
  readonly from?: number
  readonly to?: number
}

const refetchMs = 15_000

export const auditPage = (query: AuditListQuery): PageQuery<AuditRow> => ({
  queryKey: [...adminKeys.audit, 'page', query],
  queryFn: ({ signal }) => callEndpoint(backOfficeEndpoints.listAudit, { query, signal }),
  refetchInterval: refetchMs,
})
