/**
 * Notices: which events each player is notified of, and how far they have read. Owns notices, notice_marks and
 * notice_start; emits notices_changed through `NoticeHints`.
 */
export { startForgettingNotices } from './forget-notices.ts'
export type { NoticeHints } from './read-notices.ts'
export {
  type FactorChange,
  recordFactorChange,
  recordLimitsReached,
  recordNewDevice,
  recordRoundResult,
} from './record-notices.ts'
export { registerNotices } from './routes.ts'
