/**
 * Notices: the events of which a user is notified, and up to when the user has read them. Owns notices, notice_marks
 * and notice_start; emits notices_changed through `NoticeHints`.
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
