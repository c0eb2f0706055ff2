import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '#server/platform/db.ts'
import { buildTestApp, type TestApp } from '#server/testing/app.ts'
import { bareToken } from '#server/testing/chat-client.ts'
import { createPlayers, type TestPlayer } from '#server/testing/game-world.ts'
import { hostileFiles } from '#server/testing/hostile-files.ts'
import { openTestDatabase } from '#server/testing/test-database.ts'
import { openFileStorage } from './storage.ts'
import { sweepUploads } from './sweep-uploads.ts'

let db: Database
let app: TestApp
let player: TestPlayer
let dataDir: string

beforeAll(async () => {
  db = await openTestDatabase('embedded')
  dataDir = await mkdtemp(join(tmpdir(), 'kim-phien-files-'))
  app = await buildTestApp(db, { dataDir })
  ;[player] = (await createPlayers(db, 1)) as [TestPlayer]
})
afterAll(async () => {
  await app.close()
  await db.close()
  await rm(dataDir, { recursive: true })
})

const upload = async (bytes: Uint8Array, { field = 'file', name = 'a.png', type = 'image/png' } = {}) => {
  const boundary = 'xxBOUNDARYxx'
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="${field}"; filename="${name}"\r\nContent-Type: ${type}\r\n\r\n`
  const response = await app.http.inject({
    method: 'POST',
    url: '/api/v1/file-upload',
    headers: {
      authorization: player.bearer,
      'content-type': `multipart/form-data; boundary=${boundary}`,
    },
    payload: Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  })
  return { status: response.statusCode, body: response.json<{ code?: string; data: Record<string, unknown> }>() }
}
const fetchFile = (url: unknown) => app.http.inject({ method: 'GET', url: String(url) })

test('an image is turned, rewritten without EXIF, measured, and served as nothing but an image', async () => {
  const photo = await sharp({ create: { width: 40, height: 20, channels: 3, background: 'red' } })
    .jpeg()
    .withExif({ IFD0: { Copyright: 'secret place', Orientation: '6' } })
    .toBuffer()
  const { status, body } = await upload(photo, { name: 'evil.html', type: 'text/html' })
  expect(status).toBe(200)
  expect(body.data).toMatchObject({ mime: 'image/jpeg', thumbhash: expect.stringMatching(/^[\w+/]+=*$/) })
  expect(body.data['url']).toMatch(/^\/api\/v1\/files\/[\w-]{32}\.jpg$/)
  const served = await fetchFile(body.data['url'])
  expect(served.headers).toMatchObject({
    'content-type': 'image/jpeg',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'cache-control': 'public, max-age=31536000, immutable',
  })
  expect(served.rawPayload.includes('secret place')).toBe(false)
  const meta = await sharp(served.rawPayload).metadata()
  expect([meta.exif, meta.width, meta.height]).toEqual([undefined, body.data['width'], body.data['height']])
})

test('an address that nobody was given holds nothing', async () => {
  for (const key of ['x'.repeat(32) + '.png', '../audit.key', '..%2faudit.key', 'a', '%00.png'])
    expect([key, (await fetchFile(`/api/v1/files/${key}`)).statusCode]).toEqual([
      key,
      expect.toSatisfy((s) => s === 404 || s === 400),
    ])
})

test('a form without its file, or somebody without a token', async () => {
  expect((await upload(new Uint8Array(8), { field: 'other' })).body.code).toBe('FILE_MISSING')
  const json = await app.call('POST', '/api/v1/file-upload', { token: bareToken(player), body: {} })
  expect(json.body.code).toBe('FILE_MISSING')
  expect((await app.http.inject({ method: 'POST', url: '/api/v1/file-upload' })).statusCode).toBe(401)
})

describe('hostile files', () => {
  test('each gets its verdict, within 2 s', async () => {
    const files = await hostileFiles()
    expect(files).toHaveLength(60)
    for (const { name, bytes, verdict } of files) {
      const startedMs = performance.now()
      const { status, body } = await upload(bytes)
      expect([name, status === 200 ? 'OK' : body.code]).toEqual([name, verdict])
      expect([name, performance.now() - startedMs < 2_000]).toEqual([name, true])
    }
  }, 120_000)
})

test('what nobody sent is thrown away after a day; what a message shows stays', async () => {
  const png = await sharp({ create: { width: 4, height: 4, channels: 3, background: 'blue' } })
    .png()
    .toBuffer()
  const [sent, unsent] = [(await upload(png)).body.data['url'], (await upload(png)).body.data['url']]
  const key = (url: unknown) => String(url).split('/').at(-1) ?? ''
  await db.query(`update uploads set created_at = created_at - interval '25 hours'`)
  await db.query('update uploads set used_at = clock_timestamp() where storage_key <> $1', [key(unsent)])
  const storage = await openFileStorage({
    dataDir,
    s3Bucket: null,
    s3Region: '',
    s3Endpoint: null,
    s3AccessKeyId: null,
    s3SecretAccessKey: null,
  })
  expect(await sweepUploads(db, storage)).toBe(1)
  expect([(await fetchFile(sent)).statusCode, (await fetchFile(unsent)).statusCode]).toEqual([200, 404])
})
