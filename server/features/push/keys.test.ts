import { expect, test } from 'vitest'
import { useDatabase } from '#testing/database/use-database.ts'
import { readPushKeys } from './keys.ts'

const db = useDatabase('embedded', { areReset: false })

const none = { vapidPrivateKey: null, vapidSubject: null, supportContact: 'quản trị viên' }

test('the key is made once, and processes that start together have the same', async () => {
  const all = await Promise.all([1, 2, 3].map(() => readPushKeys(db, none)))
  expect(new Set(all.map(({ privateKey }) => privateKey)).size).toBe(1)
  expect(all[0]?.privateKey).toMatch(/^[\w-]{43}$/)
  expect(Buffer.from(all[0]?.publicKey ?? '', 'base64url')).toHaveLength(65)
  expect(await readPushKeys(db, none)).toEqual(all[0])
})

test('a key of the settings is used instead', async () => {
  const vapidPrivateKey = Buffer.alloc(32, 9).toString('base64url')
  const { privateKey, publicKey } = await readPushKeys(db, { ...none, vapidPrivateKey })
  expect(privateKey).toBe(vapidPrivateKey)
  expect(publicKey).not.toBe((await readPushKeys(db, none)).publicKey)
})

test.each([
  ['mailto:a@b.example', 'hotro@kim.example', 'mailto:a@b.example'],
  [null, 'hotro@kim.example', 'mailto:hotro@kim.example'],
  [null, ' https://t.example/kim ', 'https://t.example/kim'],
  [null, 'mailto:hotro@kim.example', 'mailto:hotro@kim.example'],
  [null, 'quản trị viên', 'https://kim-phien.invalid'],
  [null, 'tel:0900000000', 'https://kim-phien.invalid'],
  [null, 'Zalo: a@b', 'https://kim-phien.invalid'],
])('VAPID_SUBJECT %s and SUPPORT_CONTACT %s: push services read %s', async (vapidSubject, supportContact, contact) => {
  expect((await readPushKeys(db, { ...none, vapidSubject, supportContact })).contact).toBe(contact)
})
