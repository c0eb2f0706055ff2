import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { readPlayTime, writeSignedInAtMs } from '#web/platform/storage.ts'
import { advance, answerReminder, countPlayTime, isReminderDue } from './play-time.ts'

const minuteMs = 60_000
const fresh = { signedInAtMs: 1, visibleMs: 0, remindedAtMs: 0 }

describe('a step of the clock', () => {
  test('counts while the page is visible', () => {
    expect(advance(fresh, 1_000, true).visibleMs).toBe(1_000)
    expect(advance(fresh, 1_000, false)).toEqual(fresh)
  })
  test('counts neither a sleep of the device nor a clock that runs backwards', () => {
    expect(advance(fresh, 3_600_000, true)).toEqual(fresh)
    expect(advance(fresh, -5, true)).toEqual(fresh)
  })
})

test('a reminder is due the chosen number of minutes after the last one', () => {
  expect(isReminderDue({ ...fresh, visibleMs: 30 * minuteMs }, null)).toBe(false)
  expect(isReminderDue({ ...fresh, visibleMs: 30 * minuteMs - 1 }, 30)).toBe(false)
  expect(isReminderDue({ ...fresh, visibleMs: 30 * minuteMs }, 30)).toBe(true)
  expect(isReminderDue({ ...fresh, visibleMs: 59 * minuteMs, remindedAtMs: 30 * minuteMs }, 30)).toBe(false)
  expect(isReminderDue({ ...fresh, visibleMs: 60 * minuteMs, remindedAtMs: 30 * minuteMs }, 30)).toBe(true)
})

describe('the count', () => {
  let visibilityState = 'visible'
  beforeEach(() => {
    vi.useFakeTimers({ now: 1_800_000_000_000 })
    visibilityState = 'visible'
    vi.stubGlobal('document', {
      get visibilityState() {
        return visibilityState
      },
      addEventListener: () => {},
      removeEventListener: () => {},
    })
    writeSignedInAtMs(Date.now())
  })
  afterEach(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })

  const count = (seconds: number) => {
    let latestMs = -1
    const stop = countPlayTime(
      ({ visibleMs }) => {
        latestMs = visibleMs
      },
      () => Date.now(),
    )
    vi.advanceTimersByTime(seconds * 1_000)
    stop()
    // The page's ticker may fire a few ms before its second.
    return Math.round(latestMs / 1_000)
  }

  const storedSeconds = () => {
    const { visibleMs, remindedAtMs } = readPlayTime()
    return [Math.round(visibleMs / 1_000), Math.round(remindedAtMs / 1_000)]
  }

  test('continues after a reload, pauses in a hidden tab, and restarts with the next sign-in', () => {
    expect(count(40)).toBe(40)
    expect(storedSeconds()).toEqual([40, 0])
    expect(count(5)).toBe(45)
    visibilityState = 'hidden'
    expect(count(60)).toBe(45)
    visibilityState = 'visible'
    vi.advanceTimersByTime(1_000)
    writeSignedInAtMs(Date.now())
    expect(count(3)).toBe(3)
  })

  test('an answered reminder is stored', () => {
    count(40)
    answerReminder(40_000)
    expect(storedSeconds()).toEqual([40, 40])
    expect(count(5)).toBe(45)
    expect(storedSeconds()).toEqual([45, 40])
  })
})
