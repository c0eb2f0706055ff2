import { expect, test } from 'vitest'
import { createFairQueue, type FairQueue, QUEUE_FULL } from './fair-queue.ts'

/** Works that the test ends by hand, and the order in which they began. */
function works(queue: FairQueue) {
  const began: string[] = []
  const ends = new Map<string, () => void>()
  const aborted: string[] = []
  return {
    began,
    aborted,
    add: (name: string, key: string, cost: number, signal?: AbortSignal) =>
      queue.run(
        key,
        cost,
        (given) => {
          began.push(name)
          given.addEventListener('abort', () => aborted.push(name))
          return new Promise<string>((resolve) => ends.set(name, () => resolve(name)))
        },
        signal,
      ),
    /** Ends a work and lets the next one begin. */
    end: async (name: string) => {
      ends.get(name)?.()
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

test('a small work of another key is next, however much one key has waiting', async () => {
  const { add, end, began } = works(createFairQueue({ concurrent: 1 }))
  for (const name of ['a1', 'a2', 'a3']) void add(name, 'a', 40)
  await end('a1')
  void add('b1', 'b', 1)
  await end('a2')
  expect(began).toEqual(['a1', 'a2', 'b1'])
  await end('b1')
  expect(began).toEqual(['a1', 'a2', 'b1', 'a3'])
})

test('keys with equal works take turns, and each of them keeps its own order', async () => {
  const { add, end, began } = works(createFairQueue({ concurrent: 1 }))
  for (const key of ['a', 'b', 'c']) for (const n of [1, 2, 3]) void add(`${key}${n}`, key, 10)
  for (let at = 0; at < 9; at++) await end(began[at] ?? '')
  expect(began).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'c2', 'b3', 'c3'])
})

test('no more works run at once than allowed, and a work that fails makes room for the next', async () => {
  const queue = createFairQueue({ concurrent: 2 })
  const { add, end, began } = works(queue)
  const failed = queue.run('a', 1, () => Promise.reject(new Error('broken')))
  void add('b1', 'b', 1)
  void add('c1', 'c', 1)
  await expect(failed).rejects.toThrow('broken')
  expect(began).toEqual(['b1', 'c1'])
  void add('d1', 'd', 1)
  expect(began).toEqual(['b1', 'c1'])
  await end('c1')
  expect(began).toEqual(['b1', 'c1', 'd1'])
})

test('a key has no more than its own share, and has it again when its works are done', async () => {
  const { add, end } = works(createFairQueue({ concurrent: 9, keyMax: 2 }))
  void add('a1', 'a', 1)
  void add('a2', 'a', 1)
  expect(await add('a3', 'a', 1)).toBe(QUEUE_FULL)
  void add('b1', 'b', 1)
  await end('a1')
  const again = add('a4', 'a', 1)
  await end('a4')
  expect(await again).toBe('a4')
})

test('in a full queue the newest work of the key with the most gives way to a key with less', async () => {
  const { add, end, began, aborted } = works(createFairQueue({ concurrent: 1, max: 4 }))
  void add('a1', 'a', 1)
  void add('a2', 'a', 1)
  const newest = add('a3', 'a', 1)
  void add('b1', 'b', 1)
  void add('c1', 'c', 1)
  expect(await newest).toBe(QUEUE_FULL)
  // Each key has two works, no more than the new key would have.
  expect(await add('c2', 'c', 1)).toBe(QUEUE_FULL)
  for (const name of ['a1', 'a2', 'b1', 'c1']) await end(name)
  // The work that gave way never began.
  expect([began, aborted]).toEqual([['a1', 'a2', 'b1', 'c1'], []])
})

test('a running work gives way, too: its signal aborts, and the queue does not wait for it', async () => {
  const { add, began, aborted } = works(createFairQueue({ concurrent: Number.POSITIVE_INFINITY, max: 2 }))
  void add('a1', 'a', 1)
  const running = add('a2', 'a', 1)
  void add('b1', 'b', 1)
  expect([await running, began, aborted]).toEqual([QUEUE_FULL, ['a1', 'a2', 'b1'], ['a2']])
})

test('a caller that aborts leaves the queue; the signal of a running work aborts', async () => {
  const { add, end, began, aborted } = works(createFairQueue({ concurrent: 1, max: 2 }))
  const [first, second] = [new AbortController(), new AbortController()]
  const running = add('a1', 'a', 1, first.signal)
  const gone = add('b1', 'b', 1, second.signal)
  second.abort()
  await expect(gone).rejects.toThrow()
  first.abort()
  expect(aborted).toEqual(['a1'])
  void add('c1', 'c', 1)
  await end('a1')
  expect([await running, began]).toEqual(['a1', ['a1', 'c1']])
  await expect(add('d1', 'd', 1, AbortSignal.abort())).rejects.toThrow()
})
