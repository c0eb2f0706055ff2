import { describe, expect, test } from 'vitest'
import { isRefused } from '#server/platform/http/errors.ts'
import { createPasswordQueue, type PasswordQueueLimits } from './password-queue.ts'

/** A queue whose tasks end one by one, and the order in which they started. */
function controlled(limits: Partial<PasswordQueueLimits> = {}) {
  const queue = createPasswordQueue({ atOnce: 1, perAddress: 50, perLane: 400, ...limits })
  const begun: string[] = []
  const refused: string[] = []
  const ends: Array<() => void> = []
  const ask = (address: string, account: string, isKnown = false) => {
    const name = `${isKnown ? 'known ' : ''}${address} ${account}`
    queue
      .run({ isKnown, address, account }, async () => {
        begun.push(name)
        await new Promise<void>((resolve) => ends.push(resolve))
      })
      .catch((error: unknown) => {
        if (!isRefused(error) || error.code !== 'TOO_MANY_REQUESTS' || error.retryAfterS === undefined) throw error
        refused.push(name)
      })
  }
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  /** Ends tasks until this many have started in all. */
  const until = async (count: number): Promise<string[]> => {
    await settle()
    while (begun.length < count) {
      const end = ends.shift()
      if (end === undefined) throw new Error(`only ${begun.length} began`)
      end()
      await settle()
    }
    return begun
  }
  return { ask, until, settle, refused, begun }
}

describe('turns', () => {
  test('go round between addresses, and within one between accounts', async () => {
    const { ask, until } = controlled()
    ask('first', 'x')
    for (let n = 0; n < 4; n++) ask('flood', 'a')
    ask('flood', 'b')
    ask('home', 'c')
    ask('office', 'd')
    ask('office', 'd')
    expect(await until(9)).toEqual([
      'first x',
      'flood a',
      'home c',
      'office d',
      'flood b',
      'office d',
      'flood a',
      'flood a',
      'flood a',
    ])
  })

  test('of two lanes alternate, however many wait in the other', async () => {
    const { ask, until } = controlled()
    ask('first', 'x')
    for (let n = 0; n < 100; n++) ask(`bot${n}`, 'a')
    for (let n = 0; n < 3; n++) ask('home', `mine${n}`, true)
    const begun = await until(8)
    expect(begun.filter((name) => name.startsWith('known'))).toEqual([
      'known home mine0',
      'known home mine1',
      'known home mine2',
    ])
    expect(begun.slice(1, 6).filter((name) => name.startsWith('known'))).toHaveLength(3)
  })

  test('are limited to this many at once, also after a task that failed', async () => {
    const queue = createPasswordQueue({ atOnce: 2, perAddress: 50, perLane: 400 })
    let now = 0
    let most = 0
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, n) =>
        queue.run({ isKnown: n % 3 === 0, address: `${n % 4}`, account: '' }, async () => {
          most = Math.max(most, ++now)
          await new Promise((resolve) => setImmediate(resolve))
          now--
          if (n % 5 === 0) throw new Error('failed')
        }),
      ),
    )
    expect(most).toBe(2)
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(4)
  })
})

describe('room', () => {
  test('of a full address is refused to that address alone', async () => {
    const { ask, until, settle, refused } = controlled({ perAddress: 3 })
    ask('first', 'x')
    for (let n = 0; n < 10; n++) ask('flood', 'a')
    ask('home', 'b')
    await settle()
    expect(refused).toEqual(Array.from({ length: 7 }, () => 'flood a'))
    expect(await until(5)).toContain('home b')
  })

  test('at a full address is taken from the account with the most waiting and given to one with fewer', async () => {
    const { ask, until, settle, refused } = controlled({ perAddress: 3 })
    ask('first', 'x')
    for (let n = 0; n < 3; n++) ask('shared', 'a')
    ask('shared', 'b')
    ask('shared', 'c')
    await settle()
    expect(refused).toEqual(['shared a', 'shared a'])
    // Each account has one waiting: none has to give way.
    ask('shared', 'd')
    await settle()
    expect(refused.at(-1)).toBe('shared d')
    expect(await until(4)).toEqual(['first x', 'shared a', 'shared b', 'shared c'])
  })

  test('in a full lane is taken from the address with the most waiting and given to one with fewer, never to the other lane', async () => {
    const { ask, until, settle, refused } = controlled({ perLane: 6 })
    ask('first', 'x')
    for (let n = 0; n < 4; n++) ask('flood', `a${n}`)
    ask('bot', 'b')
    ask('bot', 'b')
    ask('home', 'c')
    ask('device', 'd', true)
    await settle()
    expect(refused).toEqual(['flood a0'])
    expect((await until(4)).slice(1)).toEqual(expect.arrayContaining(['known device d']))
    expect(await until(8)).toContain('home c')
  })

  test('becomes free again: after many refusals the next task starts at once', async () => {
    const { ask, until, settle, refused, begun } = controlled({ perAddress: 2, perLane: 4 })
    for (let n = 0; n < 30; n++) ask(`at${n % 5}`, `a${n % 2}`, n % 3 === 0)
    await settle()
    const admitted = 30 - refused.length
    expect(admitted).toBeLessThan(30)
    await until(admitted)
    expect(refused).toHaveLength(30 - admitted)
    ask('next', 'b')
    expect((await until(admitted + 1)).at(-1)).toBe('next b')
    expect(begun).toHaveLength(admitted + 1)
  })
})
