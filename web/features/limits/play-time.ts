import { type PlayTime, readPlayTime, writePlayTime } from '#web/platform/storage.ts'
import { onEachSecond } from '#web/platform/ticker.ts'

const minuteMs = 60_000

/** A longer time between two counts is not added, because the device slept or the tab was suspended. */
const longestStepMs = 3_000

const storeEveryMs = 15_000

/** Returns true if the page was visible for `reminderMinutes` since the last answered reminder or the sign-in. */
export const isReminderDue = ({ visibleMs, remindedAtMs }: PlayTime, reminderMinutes: number | null): boolean =>
  reminderMinutes !== null && visibleMs - remindedAtMs >= reminderMinutes * minuteMs

export const advance = (playTime: PlayTime, stepMs: number, isVisible: boolean): PlayTime =>
  isVisible && stepMs > 0 && stepMs <= longestStepMs
    ? { ...playTime, visibleMs: playTime.visibleMs + stepMs }
    : playTime

/**
 * Counts how long the page is visible, and calls `onCount` every second. Returns a function that stops the counting.
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
    // `visibleMs` and `remindedAtMs` become the larger of the stored value and this page's value. The stored value is
    // larger if another tab has counted more, or after `answerReminder`, which changes only the store.
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

/** Records that the reminder was answered, so that the next one comes a full interval later. */
export function answerReminder(visibleMs: number): void {
  writePlayTime({ ...readPlayTime(), visibleMs, remindedAtMs: visibleMs })
}
