import { formatDay, formatMinute } from './formats.ts'
import { serverNowMs } from './server-time.ts'

/** Returns `Hôm nay 15:02`, `Hôm qua 15:02` or `20/11/2026 15:02`; `atMs` is Unix ms. */
export const dayMinuteText = (atMs: number): string => `${formatDay(atMs, serverNowMs())} ${formatMinute(atMs)}`
