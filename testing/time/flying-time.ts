import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers/promises'
import { vi } from 'vitest'

/**
 * Makes the time of this process, and of an embedded database in it, fly: it moves on as soon as the work that it has
 * woken had some turns of the event loop for its answers, which on one machine take no more. Work of other processes is
 * too slow for it. Returns a function that brings real time back.
 */
export function letTimeFly(): () => Promise<void> {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'],
    fakeNodeBuiltins: true,
  })
  const { setTimeout: faked } = globalThis
  // The timers' queue is sorted by their times, and a refresh changes one that stands in it: later others never ring.
  const refreshedOutside = (...given: Parameters<typeof setTimeout>): NodeJS.Timeout => {
    const timer = faked(...given)
    const refresh = timer.refresh.bind(timer)
    timer.refresh = () => {
      clearTimeout(timer)
      return refresh()
    }
    return timer
  }
  globalThis.setTimeout = Object.assign(refreshedOutside, faked)
  let isFlying = true
  const flying = (async () => {
    while (isFlying) {
      for (let turn = 0; turn < 8; turn++) await new Promise((resolve) => setImmediate(resolve))
      vi.advanceTimersByTime(20)
    }
  })()
  return async () => {
    if (!isFlying) return
    isFlying = false
    await flying
    vi.useRealTimers()
  }
}

/** Shortens every sleep, but no time limit, to a tenth. Returns a function that ends it. */
export function sleepLess(): () => void {
  const { setTimeout: sleep } = timers
  timers.setTimeout = (ms, value, options) => sleep((ms ?? 0) / 10, value, options)
  syncBuiltinESMExports()
  return () => {
    timers.setTimeout = sleep
    syncBuiltinESMExports()
  }
}
