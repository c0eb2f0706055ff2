/** Audit: the signed log of acts by staff and system. Owns audit_log, audit_tip and audit_anchors. Emits no events. */
export {
  ACKNOWLEDGE_OPTIONS,
  type Acknowledgement,
  acknowledgement,
  type AcknowledgeReport,
  acknowledgeRow,
  readAcknowledgement,
} from './acknowledge.ts'
export { anchorLog } from './anchor-log.ts'
export { brokenText, emptyChain, signAct } from './chain.ts'
export { knownText } from './known-rows.ts'
export { derivedKey, isAuditLogNew, loadAuditKey, openAuditLog, secretMark } from './key.ts'
export { actsDetachedUntil } from './read-anchors.ts'
export { lockTip, recordAct } from './record-act.ts'
export type { Json } from './chain.ts'
export { registerAudit } from './routes.ts'
export { readAuditTip, setAuditTipAside, startAuditTip } from './tip-file.ts'
export { verifyAuditLog } from './verify-log.ts'
