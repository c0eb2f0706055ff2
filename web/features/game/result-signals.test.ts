import { afterEach, expect, test, vi } from 'vitest'
import { nextTask } from '#web/platform/pause.ts'
import { clearStorage, startAnew, writeResultSignal } from '#web/platform/storage.ts'
import { availableSignals, signalResult } from './result-signals.ts'

const vibrate = vi.fn()
const startedHertz: number[] = []

const sound = { state: 'running', resume: Promise.resolve() }

class FakeAudioContext {
  readonly currentTime = 0
  get state() {
    return sound.state
  }
  resume() {
    return sound.resume.then(() => void (sound.state = 'running'))
  }
  readonly destination = {}
  createOscillator() {
    const frequency = { value: 0 }
    return {
      frequency,
      connect: (next: unknown) => next,
      start: () => void startedHertz.push(frequency.value),
      stop: () => {},
    }
  }
  createGain() {
    const gain = { setValueAtTime: () => {}, exponentialRampToValueAtTime: () => {} }
    return { gain, connect: (next: unknown) => next }
  }
}

vi.stubGlobal('AudioContext', FakeAudioContext)
vi.stubGlobal('navigator', { vibrate })

afterEach(() => {
  clearStorage()
  startAnew()
  vibrate.mockClear()
  startedHertz.length = 0
})

test('a result makes no sound and no vibration by default', () => {
  signalResult('won')
  expect(startedHertz).toEqual([])
  expect(vibrate).not.toHaveBeenCalled()
})

test('each signal works alone: a win rises, a loss falls, a returned stake is one note', () => {
  writeResultSignal('sound', true)
  const heard = (status: 'won' | 'lost' | 'voided') => {
    startedHertz.length = 0
    signalResult(status)
    return [...startedHertz]
  }
  const [first = 0, second = 0] = heard('won')
  expect(second).toBeGreaterThan(first)
  const [low = 0, lower = 0] = heard('lost')
  expect(lower).toBeLessThan(low)
  expect(heard('voided')).toHaveLength(1)
  expect(vibrate).not.toHaveBeenCalled()

  writeResultSignal('vibration', true)
  signalResult('won')
  expect(vibrate).toHaveBeenCalledTimes(1)
})

test('a sound that the browser has interrupted goes on; one that it lets go on too late is not made', async () => {
  writeResultSignal('sound', true)
  // As iOS does while the page is left.
  sound.state = 'interrupted'
  signalResult('won')
  expect(startedHertz).toEqual([])
  await nextTask()
  expect(startedHertz).toHaveLength(2)

  vi.useFakeTimers()
  const pressed = Promise.withResolvers<void>()
  Object.assign(sound, { state: 'suspended', resume: pressed.promise })
  signalResult('won')
  vi.advanceTimersByTime(60_000)
  pressed.resolve()
  await vi.advanceTimersByTimeAsync(1)
  vi.useRealTimers()
  expect([sound.state, startedHertz.length]).toEqual(['running', 2])
})

test('a device that cannot vibrate gets no vibration call', () => {
  vi.stubGlobal('navigator', {})
  expect(availableSignals()).toEqual(['sound'])
  writeResultSignal('vibration', true)
  expect(() => signalResult('won')).not.toThrow()
  vi.stubGlobal('navigator', { vibrate })
})
