import { describe, expect, test } from 'vitest'
import { type BatchOptions, createBatcher } from './batches.ts'

interface Call {
  readonly key: string
  readonly n: number
}

interface Run {
  readonly ns: readonly number[]
  readonly isRetry: boolean
  finish(): void
  fail(error: Error): void
}

/** A batcher whose runs the test finishes by hand, in the order in which they began. */
function byHand(options: Partial<BatchOptions<Call, string>> = {}) {
  const runs: Run[] = []
  const batcher = createBatcher<Call, string>({
    run: (calls, isRetry) =>
      new Promise((resolve, reject) => {
        const finish = () => resolve(calls.map(({ n }) => `answer ${n}`))
        runs.push({ ns: calls.map(({ n }) => n), isRetry, finish, fail: reject })
      }),
    keyOf: ({ key }) => key,
    maxSize: 3,
    secondLaneFrom: Number.POSITIVE_INFINITY,
    retries: 2,
    giveUpAfterMs: 10_000,
    ...options,
  })
  return { batcher, runs }
}

/** Lets everything that is due run. */
const settle = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))

const calls = (from: number, to: number): Call[] =>
  Array.from({ length: to - from + 1 }, (_, index) => ({ key: `k${from + index}`, n: from + index }))

describe('calls that arrive together', () => {
  test('share a batch, in their order, while the next batch collects calls', async () => {
    const { batcher, runs } = byHand()
    const answers = Promise.all(calls(1, 5).map(batcher))
    await settle()
    expect(runs.map(({ ns }) => ns)).toEqual([[1, 2, 3]])
    const later = batcher({ key: 'k6', n: 6 })
    await settle()
    expect(runs).toHaveLength(1)
    runs[0]?.finish()
    await settle()
    expect(runs.map(({ ns }) => ns)).toEqual([
      [1, 2, 3],
      [4, 5, 6],
    ])
    runs[1]?.finish()
    expect(await answers).toEqual([1, 2, 3, 4, 5].map((n) => `answer ${n}`))
    expect(await later).toBe('answer 6')
  })

  test('of one key never share a batch, and keep their order', async () => {
    const { batcher, runs } = byHand({ secondLaneFrom: 1 })
    const answers = Promise.all(
      [
        { key: 'a', n: 1 },
        { key: 'a', n: 2 },
        { key: 'b', n: 3 },
        { key: 'a', n: 4 },
      ].map(batcher),
    )
    await settle()
    // The second lane is open, but a call whose key is in use still waits.
    expect(runs.map(({ ns }) => ns)).toEqual([[1, 3]])
    runs[0]?.finish()
    await settle()
    runs[1]?.finish()
    await settle()
    runs[2]?.finish()
    expect(await answers).toEqual(['answer 1', 'answer 2', 'answer 3', 'answer 4'])
    expect(runs.map(({ ns }) => ns)).toEqual([[1, 3], [2], [4]])
  })
})

describe('a second lane', () => {
  test('opens when enough calls wait, for other keys only, and never a third', async () => {
    const { batcher, runs } = byHand({ secondLaneFrom: 3 })
    const first = calls(1, 5).map(batcher)
    await settle()
    expect(runs.map(({ ns }) => ns)).toEqual([[1, 2, 3]])
    const second = calls(6, 12).map(batcher)
    await settle()
    expect(runs.map(({ ns }) => ns)).toEqual([
      [1, 2, 3],
      [4, 5, 6],
    ])
    for (let done = 0; done < 4; done++) {
      runs[done]?.finish()
      await settle()
    }
    expect(await Promise.all([...first, ...second])).toHaveLength(12)
    expect(runs.map(({ ns }) => ns)).toEqual([
      [1, 2, 3],
      [4, 5, 6],
      [7, 8, 9],
      [10, 11, 12],
    ])
  })

  test('gets half of the waiting calls, so that neither lane is idle', async () => {
    const { batcher, runs } = byHand({ secondLaneFrom: 2, maxSize: 10 })
    const answers = Promise.all(calls(1, 5).map(batcher))
    await settle()
    expect(runs.map(({ ns }) => ns)).toEqual([
      [1, 2, 3],
      [4, 5],
    ])
    for (const run of runs) run.finish()
    expect(await answers).toHaveLength(5)
  })

  test('is not opened for too few calls', async () => {
    const { batcher, runs } = byHand({ secondLaneFrom: 3, maxSize: 10 })
    const answers = Promise.all(calls(1, 5).map(batcher))
    await settle()
    expect(runs.map(({ ns }) => ns)).toEqual([[1, 2, 3, 4, 5]])
    runs[0]?.finish()
    expect(await answers).toHaveLength(5)
  })
})

describe('a batch that fails', () => {
  /** Runs fail while they contain one of the bad calls; every run is recorded. */
  const failing = (
    bad: (n: number, isRetry: boolean) => boolean,
    options: Partial<BatchOptions<Call, string>> = {},
  ) => {
    const tried: Array<{ ns: number[]; isRetry: boolean }> = []
    const batcher = createBatcher<Call, string>({
      run: async (batch, isRetry) => {
        tried.push({ ns: batch.map(({ n }) => n), isRetry })
        const found = batch.find(({ n }) => bad(n, isRetry))
        if (found !== undefined) throw new Error(`no ${found.n}`)
        return batch.map(({ n }) => `answer ${n}`)
      },
      keyOf: ({ key }) => key,
      maxSize: 8,
      secondLaneFrom: Number.POSITIVE_INFINITY,
      retries: 2,
      giveUpAfterMs: 10_000,
      ...options,
    })
    return { batcher, tried }
  }
  const outcomes = async (answers: ReadonlyArray<Promise<string>>) =>
    (await Promise.allSettled(answers)).map((end) =>
      end.status === 'fulfilled' ? end.value : (end.reason as Error).message,
    )

  test('is halved down to the call at fault, and each gets its own answer', async () => {
    const { batcher, tried } = failing((n) => n === 6)
    expect(await outcomes(calls(1, 8).map(batcher))).toEqual(
      [1, 2, 3, 4, 5, 6, 7, 8].map((n) => (n === 6 ? 'no 6' : `answer ${n}`)),
    )
    expect(tried.map(({ ns }) => ns)).toEqual([
      [1, 2, 3, 4, 5, 6, 7, 8],
      [1, 2, 3, 4],
      [5, 6, 7, 8],
      [5, 6],
      [5],
      [6],
      [6],
      [6],
      [7, 8],
    ])
    expect(tried.map(({ isRetry }) => isRetry)).toEqual([false, ...Array.from({ length: 8 }, () => true)])
  })

  test('alone is tried again as often as allowed, and works when it then does', async () => {
    const { batcher, tried } = failing((_, isRetry) => !isRetry)
    expect(await outcomes([batcher({ key: 'a', n: 1 })])).toEqual(['answer 1'])
    expect(tried).toHaveLength(2)
    const hopeless = failing(() => true)
    expect(await outcomes([hopeless.batcher({ key: 'a', n: 1 })])).toEqual(['no 1'])
    expect(hopeless.tried).toHaveLength(3)
  })

  test('too long after its start is given up as a whole', async () => {
    const { batcher, tried } = failing(() => true, { giveUpAfterMs: 0 })
    expect(await outcomes(calls(1, 4).map(batcher))).toEqual(['no 1', 'no 1', 'no 1', 'no 1'])
    expect(tried).toHaveLength(1)
  })

  test('holds neither its keys nor its lane afterwards', async () => {
    let isBad = true
    const { batcher } = failing(() => isBad)
    expect(await outcomes([batcher({ key: 'a', n: 1 })])).toEqual(['no 1'])
    isBad = false
    expect(await outcomes([batcher({ key: 'a', n: 2 })])).toEqual(['answer 2'])
  })

  test('keeps its keys busy until its last half is answered', async () => {
    const { batcher, runs } = byHand({ maxSize: 2 })
    const answers = [batcher({ key: 'a', n: 1 }), batcher({ key: 'b', n: 2 }), batcher({ key: 'a', n: 3 })]
    await settle()
    runs[0]?.fail(new Error('once'))
    await settle()
    runs[1]?.finish()
    await settle()
    // Call 1 is answered already, but the other half of its batch is still running.
    expect(runs.map(({ ns, isRetry }) => [...ns, isRetry])).toEqual([
      [1, 2, false],
      [1, true],
      [2, true],
    ])
    runs[2]?.finish()
    await settle()
    runs[3]?.finish()
    expect(await Promise.all(answers)).toEqual(['answer 1', 'answer 2', 'answer 3'])
  })
})
