import { backOfficeEndpoints } from '#contract/back-office.ts'
import { adminKeys } from '#web/lists/admin-keys.ts'
import { pagesOf } from '#web/lists/list-pages.ts'

export type { AuditRow } from '#contract/back-office.ts'

const refetchMs = 15_000

export const auditPage = pagesOf(backOfficeEndpoints.listAudit, adminKeys.audit, refetchMs)
