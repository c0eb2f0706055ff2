import { formatDay, formatMinute } from './formats.ts'
import { serverNowMs } from './server-time.ts'

/** `Hôm nay 15:02`, `20/11/2026 15:02`: an instant in ms since the epoch, judged by the server's clock. */
export const dayMinuteText = (atMs: number): string => `${formatDay(atMs, serverNowMs())} ${formatMinute(atMs)}`
