import { expect, test } from 'vitest'
import { ApiError } from './http.ts'
import { createIntentKeys } from './intent-keys.ts'

const failed = (status: number) => new ApiError({ status, code: 'UNKNOWN', message: 'x' })

/** Sends intents through `createIntentKeys` and records the key of each attempt. */
function makeSender() {
  const withKey = createIntentKeys()
  return async (intent: unknown, failure?: Error): Promise<string> => {
    let used = ''
    const attempt = withKey(intent, async (key) => {
      used = key
      if (failure !== undefined) throw failure
      return 'done'
    })
    if (failure === undefined) expect(await attempt).toBe('done')
    else await expect(attempt).rejects.toBe(failure)
    return used
  }
}

test.each([0, 200, 408, 500, 503])(
  'an intent that failed with %s keeps its key until it is answered',
  async (status) => {
    const send = makeSender()
    const key = await send({ kind: 'withdrawal', amountMinor: 100n }, failed(status))
    expect(await send({ kind: 'withdrawal', amountMinor: 100n }, failed(status))).toBe(key)
    expect(await send({ kind: 'withdrawal', amountMinor: 100n })).toBe(key)
  },
)

test.each([undefined, failed(401), failed(409), failed(422), failed(429)])(
  'after the answer %s the same is a new intent',
  async (failure) => {
    const send = makeSender()
    const key = await send('withdraw 100', failure)
    expect(await send('withdraw 100')).not.toBe(key)
  },
)

test('another intent gets its own key, and the earlier one is forgotten', async () => {
  const send = makeSender()
  const first = await send({ id: 'a', balanceMinor: 5n }, failed(0))
  const second = await send({ id: 'a', balanceMinor: 6n }, failed(0))
  expect(second).not.toBe(first)
  expect(await send({ id: 'a', balanceMinor: 5n }, failed(0))).not.toBe(first)
})

test('a bigint and a number are two intents, and two senders share no key', async () => {
  const send = makeSender()
  const key = await send({ amount: 5n }, failed(0))
  expect(await send({ amount: 5 }, failed(0))).not.toBe(key)
  expect(await makeSender()({ amount: 5n })).not.toBe(key)
})

test('a late answer does not free the key of a newer intent', async () => {
  const withKey = createIntentKeys()
  let answerFirst = (_: string) => {}
  const first = withKey('a', () => new Promise<string>((resolve) => (answerFirst = resolve)))
  const keys: string[] = []
  const lose = (key: string) => {
    keys.push(key)
    return Promise.reject(failed(0))
  }
  await withKey('b', lose).catch(() => {})
  answerFirst('done')
  await first
  await withKey('b', lose).catch(() => {})
  expect(new Set(keys).size).toBe(1)
})
