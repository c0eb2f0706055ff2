import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { askWorker } from './ask-worker.ts'

const workers: FakeWorker[] = []
class FakeWorker extends EventTarget {
  isEnded = false
  readonly ids: number[] = []
  constructor() {
    super()
    workers.push(this)
  }
  postMessage({ id }: { readonly id: number }) {
    this.ids.push(id)
  }
  answer() {
    this.dispatchEvent(new MessageEvent('message', { data: { id: this.ids.shift(), answer: { is: 'away' } } }))
  }
  terminate() {
    this.isEnded = true
  }
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('Worker', FakeWorker)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('a worker is ended a minute after its last answer, however long a job took, and not while it works', async () => {
  const ask = () => askWorker({ ask: 'beat-after', origin: 'kim.example', ms: 0, known: [] })
  const first = ask()
  await vi.advanceTimersByTimeAsync(70_000)
  expect(workers.map(({ isEnded }) => isEnded)).toEqual([false])
  workers[0]?.answer()
  await expect(first).resolves.toEqual({ is: 'away' })
  await vi.advanceTimersByTimeAsync(50_000)
  const second = ask()
  await vi.advanceTimersByTimeAsync(50_000)
  expect(workers.map(({ isEnded }) => isEnded)).toEqual([false])
  workers[0]?.answer()
  await second
  await vi.advanceTimersByTimeAsync(60_000)
  expect(workers.map(({ isEnded }) => isEnded)).toEqual([true])

  const third = ask()
  expect(workers).toHaveLength(2)
  workers[1]?.dispatchEvent(new Event('error'))
  await expect(third).resolves.toEqual({ is: 'away' })
})
