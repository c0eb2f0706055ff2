import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { clearStorage, readAccessToken, readDeviceSecret, startAnew } from '#web/platform/storage.ts'
import { changePassword, register, signIn } from './sign-in-api.ts'
import { keptStore } from '#web/testing/kept-store.ts'

const store = keptStore()
let sent: Array<Record<string, unknown>>
let answered: Record<string, unknown>

beforeEach(() => {
  store.clear()
  startAnew()
  sent = []
  answered = { access_token: 'abc', mustChangePassword: false, deviceSecret: 'made-by-the-server' }
  vi.stubGlobal('localStorage', store)
  vi.stubGlobal('fetch', (_path: string, { body }: { body: string }) => {
    sent.push(JSON.parse(body) as Record<string, unknown>)
    return Promise.resolve(new Response(JSON.stringify({ statusCode: 200, message: 'OK', data: answered })))
  })
})

afterEach(() => {
  vi.unstubAllGlobals()
})

const credentials = { username: 'lan', password: 'secret1' }

test('the device secret of a sign-in is sent with the next one, by any user, and survives a logout', async () => {
  await signIn(credentials)
  expect(sent).toEqual([credentials])
  expect([readAccessToken(), readDeviceSecret()]).toEqual(['abc', 'made-by-the-server'])
  clearStorage()
  expect(readAccessToken()).toBeNull()
  await register({ username: 'mai', password: 'secret2', passwordAgain: 'secret2', referralCode: 'KIMPHIEN' })
  expect(sent[1]).toMatchObject({ username: 'mai', deviceSecret: 'made-by-the-server' })
  answered = { ...answered, deviceSecret: 'another' }
  await signIn(credentials)
  expect(sent[2]).toEqual({ ...credentials, deviceSecret: 'made-by-the-server' })
  expect(readDeviceSecret()).toBe('another')
})

test('changing the password sends the device secret; an answer without a secret does not delete it', async () => {
  await signIn(credentials)
  answered = { access_token: 'def', mustChangePassword: false }
  await signIn(credentials)
  expect(readDeviceSecret()).toBe('made-by-the-server')
  vi.stubGlobal('fetch', (_path: string, { body }: { body: string }) => {
    sent.push(JSON.parse(body) as Record<string, unknown>)
    return Promise.resolve(new Response(JSON.stringify({ statusCode: 200, message: 'OK', data: null })))
  })
  await changePassword({ username: 'lan', currentPassword: 'secret1', newPassword: 'secret2' }, 'a-key')
  // The call before it ended the session that the second sign-in replaced.
  expect(sent.at(-1)).toMatchObject({ oldPassword: 'secret1', deviceSecret: 'made-by-the-server' })
})
