import { formatDay, formatMinute } from './formats.ts'
import { serverNowMs } from './server-time.ts'

/** `Hôm nay 15:02`, `20/11/2026 15:02`: of ms since the epoch. */
export const dayMinuteText = (atMs: number): string => `${formatDay(atMs, serverNowMs())} ${formatMinute(atMs)}`
