/** Audit: acts of staff, signed and chained. Owns audit_log, audit_tip and audit_anchors. Emits nothing. */
export { emptyChain, signAct } from './chain.ts'
export { derivedKey, loadAuditKey, openAuditLog, secretMark } from './key.ts'
export { lockTip, recordAct } from './record-act.ts'
export type { Json } from './chain.ts'
export { registerAudit } from './routes.ts'
export { readAuditTip, startAuditTip } from './tip-file.ts'
export { verifyAuditLog } from './verify-log.ts'
