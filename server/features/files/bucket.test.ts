import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from '@20minutes/s3rver'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '#server/platform/database/db.ts'
import { buildTestApp, type TestApp } from '#testing/app/app.ts'
import { createPlayers, type TestPlayer } from '#testing/play/rounds.ts'
import { openTestDatabase } from '#testing/database/test-database.ts'
import { type FileStorage, openFileStorage, type StorageSettings } from './storage.ts'
import { sweepUploads } from './sweep-uploads.ts'

/** The whole way of an image with a bucket, on a server that speaks S3 and refuses wrong signatures. */
let bucketDir: string
let s3: S3rver
let settings: StorageSettings
let storage: FileStorage
let db: Database
let app: TestApp
let player: TestPlayer
let other: TestPlayer

beforeAll(async () => {
  bucketDir = mkdtempSync(join(tmpdir(), 'bucket-'))
  s3 = new S3rver({
    address: '127.0.0.1',
    port: 0,
    directory: bucketDir,
    silent: true,
    allowMismatchedSignatures: false,
    vhostBuckets: false,
    configureBuckets: [{ name: 'pictures' }],
  })
  const { port } = await s3.run()
  settings = {
    dataDir: '/nowhere',
    s3Bucket: 'pictures',
    s3Region: 'us-east-1',
    s3Endpoint: `http://127.0.0.1:${port}`,
    // The only key that this server knows.
    s3AccessKeyId: 'S3RVER',
    s3SecretAccessKey: 'S3RVER',
  }
  storage = await openFileStorage(settings)
  db = await openTestDatabase('embedded')
  app = await buildTestApp(db, { storage })
  ;[player, other] = await createPlayers(db, 2)
})
afterAll(async () => {
  await app.close()
  await db.close()
  await s3.close()
  rmSync(bucketDir, { recursive: true })
})

const png = (side: number) =>
  sharp({ create: { width: side, height: side, channels: 3, background: 'green' } })
    .png()
    .toBuffer()
const upload = async (bytes: Uint8Array): Promise<string> => {
  const head = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n'
  const response = await app.http.inject({
    method: 'POST',
    url: '/api/v1/file-upload',
    headers: { authorization: player.bearer, 'content-type': 'multipart/form-data; boundary=x' },
    payload: Buffer.concat([Buffer.from(head), bytes, Buffer.from('\r\n--x--\r\n')]),
  })
  expect(response.statusCode).toBe(200)
  return response.json<{ data: { url: string } }>().data.url
}
const read = (url: string, as: TestPlayer | null) =>
  app.http.inject({ method: 'GET', url, headers: as === null ? {} : { authorization: as.bearer } })
const stored = () =>
  readdirSync(join(bucketDir, 'pictures'), { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('_object'))

test('an upload lies in the bucket alone, and its owner reads it with the token', async () => {
  const url = await upload(await png(40))
  const key = url.split('/').at(-1) ?? ''
  expect(stored()).toEqual([expect.stringContaining(key)])
  const own = await read(url, player)
  expect([own.statusCode, own.headers['content-type']]).toEqual([200, 'image/png'])
  expect(await sharp(own.rawPayload).metadata()).toMatchObject({ format: 'png', width: 40, height: 40 })
  expect((await read(url, null)).statusCode).toBe(401)
  expect((await read(url, other)).statusCode).toBe(404)
})

test('an upload that was never sent leaves the bucket after a day, and one in a message stays', async () => {
  const [sent, unsent] = [await upload(await png(4)), await upload(await png(5))]
  const keyOf = (url: string) => url.split('/').at(-1) ?? ''
  await db.query(`update uploads set used_at = clock_timestamp() where storage_key <> $1`, [keyOf(unsent)])
  await db.query(`update uploads set created_at = created_at - interval '25 hours'`)
  expect(await sweepUploads(db, storage)).toBe(1)
  expect([(await read(sent, player)).statusCode, (await read(unsent, player)).statusCode]).toEqual([200, 404])
  expect(stored().some((name) => name.includes(keyOf(unsent)))).toBe(false)
  expect(stored().some((name) => name.includes(keyOf(sent)))).toBe(true)
})

test('a key that the bucket does not know, or a bucket that is not there, fails the upload and nothing is stored', async () => {
  const before = stored()
  const wrongKey = await openFileStorage({ ...settings, s3SecretAccessKey: 'another' })
  await expect(wrongKey.put('a.png', new Uint8Array(3))).rejects.toThrow()
  const noBucket = await openFileStorage({ ...settings, s3Bucket: 'absent' })
  await expect(noBucket.put('a.png', new Uint8Array(3))).rejects.toThrow()
  expect(stored()).toEqual(before)
})
