import { type PlayTime, readPlayTime, writePlayTime } from '#web/platform/storage.ts'
import { onEachSecond } from '#web/platform/ticker.ts'

const minuteMs = 60_000

/** A longer step means a sleeping device or a suspended tab. */
const longestStepMs = 3_000

/** A reload loses at most this. */
const storeEveryMs = 15_000

/** Counted from the last reminder, or from the sign-in (rules §6). */
export const isReminderDue = ({ visibleMs, remindedAtMs }: PlayTime, reminderMinutes: number | null): boolean =>
  reminderMinutes !== null && visibleMs - remindedAtMs >= reminderMinutes * minuteMs

/** Time in a hidden tab does not count. */
export const advance = (playTime: PlayTime, stepMs: number, isVisible: boolean): PlayTime =>
  isVisible && stepMs > 0 && stepMs <= longestStepMs
    ? { ...playTime, visibleMs: playTime.visibleMs + stepMs }
    : playTime

/**
 * Counts how long the page is visible; calls `onCount` every second. Returns the function that stops it.
 * @param nowMs a clock that never jumps, in ms
 */
export function countPlayTime(
  onCount: (playTime: PlayTime) => void,
  nowMs: () => number = () => performance.now(),
): () => void {
  let playTime = readPlayTime()
  let countedAtMs = nowMs()
  let storedMs = playTime.visibleMs
  const store = () => {
    // The reminder may have been answered meanwhile, also in another tab.
    const stored = readPlayTime()
    playTime = {
      signedInAtMs: stored.signedInAtMs,
      visibleMs: Math.max(stored.visibleMs, playTime.visibleMs),
      remindedAtMs: Math.max(stored.remindedAtMs, playTime.remindedAtMs),
    }
    writePlayTime(playTime)
    storedMs = playTime.visibleMs
  }
  const stop = onEachSecond(() => {
    const atMs = nowMs()
    playTime = advance(playTime, atMs - countedAtMs, document.visibilityState === 'visible')
    countedAtMs = atMs
    if (playTime.visibleMs - storedMs >= storeEveryMs) store()
    onCount({ ...playTime, remindedAtMs: Math.max(playTime.remindedAtMs, readPlayTime().remindedAtMs) })
  })
  return () => {
    stop()
    store()
  }
}

/** The next reminder comes a full interval later. */
export function answerReminder(visibleMs: number): void {
  writePlayTime({ ...readPlayTime(), visibleMs, remindedAtMs: visibleMs })
}
