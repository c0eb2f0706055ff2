import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { signedIn } from '#server/platform/http/auth.ts'
import type { Database } from '#server/platform/database/db.ts'
import { newId } from '#server/platform/process/ids.ts'
import { ACCOUNT_CHANGES, countRows } from '#testing/play/account-changes.ts'
import { buildTestApp, type TestApp } from '#testing/app/app.ts'
import { bareToken } from '#testing/app/chat-client.ts'
import { createPlayers, type TestPlayer } from '#testing/play/rounds.ts'
import { pdfOf } from '#testing/attack/pdf.ts'
import { hostileFiles } from '#testing/attack/hostile-files.ts'
import { openTestDatabase } from '#testing/database/test-database.ts'
import { type FileStorage, openFileStorage } from './storage.ts'
import { storeUpload, useUpload } from './store-upload.ts'
import { sweepUploads } from './sweep-uploads.ts'

let db: Database
let app: TestApp
let player: TestPlayer
let other: TestPlayer
let holder: TestPlayer
let colleague: TestPlayer
let dataDir: string

beforeAll(async () => {
  db = await openTestDatabase('embedded')
  dataDir = await mkdtemp(join(tmpdir(), 'kim-phien-files-'))
  app = await buildTestApp(db, { dataDir })
  ;[player, other] = await createPlayers(db, 2)
  ;[holder, colleague] = await createPlayers(db, 2, { role: 'admin', prefix: 'a' })
})
afterAll(async () => {
  await app.close()
  await db.close()
  await rm(dataDir, { recursive: true })
})

const upload = async (
  bytes: Uint8Array,
  { field = 'file', name = 'a.png', type = 'image/png', as = player, to = app } = {},
) => {
  const boundary = 'xxBOUNDARYxx'
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="${field}"; filename="${name}"\r\nContent-Type: ${type}\r\n\r\n`
  const response = await to.http.inject({
    method: 'POST',
    url: '/api/v1/file-upload',
    headers: {
      authorization: as.bearer,
      'content-type': `multipart/form-data; boundary=${boundary}`,
    },
    payload: Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  })
  const body = response.json<{ code?: string; message?: string; data: Record<string, unknown> }>()
  return { status: response.statusCode, headers: response.headers, body }
}
const fetchFile = (url: unknown, as: TestPlayer | null = player, more: Record<string, string> = {}) =>
  app.http.inject({
    method: 'GET',
    url: String(url),
    headers: { ...(as === null ? {} : { authorization: as.bearer }), ...more },
  })
const plainPng = (side: number) =>
  sharp({ create: { width: side, height: side, channels: 3, background: 'blue' } })
    .png()
    .toBuffer()

test('a form with files is refused by every other route', async () => {
  for (const url of ['/api/v1/history', '/api/v1/bank', '/api/v1/auth/logout']) {
    const response = await app.http.inject({
      method: 'POST',
      url,
      headers: { authorization: player.bearer, 'content-type': 'multipart/form-data; boundary=x' },
      payload: '--x\r\nContent-Disposition: form-data; name="score"\r\n\r\n1\r\n--x--\r\n',
    })
    expect([url, response.statusCode, response.json<{ code: string }>().code]).toEqual([url, 415, 'UNSUPPORTED_TYPE'])
  }
})

test('an image is rotated, rewritten without EXIF, measured, and served only as an image', async () => {
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
    'cache-control': 'private, no-store',
  })
  expect(served.rawPayload.includes('secret place')).toBe(false)
  const meta = await sharp(served.rawPayload).metadata()
  expect([meta.exif, meta.width, meta.height]).toEqual([undefined, body.data['width'], body.data['height']])
})

test('a phone’s largest photo is turned and made smaller, and a picture with fewer pixels is not', async () => {
  const photo = await sharp({ create: { width: 8_064, height: 6_048, channels: 3, background: 'teal' } })
    .jpeg()
    .withMetadata({ orientation: 6 })
    .toBuffer()
  const { status, body } = await upload(photo)
  expect([status, body.data['width'], body.data['height']]).toEqual([200, 3_000, 4_000])
  const meta = await sharp((await fetchFile(body.data['url'])).rawPayload).metadata()
  expect([meta.width, meta.height, meta.orientation]).toEqual([3_000, 4_000, undefined])
  // Read for its long side: a page that somebody scrolled through.
  const page = await sharp({ create: { width: 1_080, height: 8_000, channels: 3, background: 'white' } })
    .png()
    .toBuffer()
  const kept = await upload(page)
  expect([kept.body.data['width'], kept.body.data['height']]).toEqual([1_080, 8_000])
})

test('a photo that has to be decoded as a whole may have no more pixels than other pictures', async () => {
  const progressive = await sharp({ create: { width: 8_064, height: 6_048, channels: 3, background: 'teal' } })
    .jpeg({ progressive: true })
    .toBuffer()
  expect((await upload(progressive)).body.code).toBe('IMAGE_DIMENSIONS')
})

test('an address that was never issued holds nothing', async () => {
  for (const key of ['x'.repeat(32) + '.png', '../audit.key', '..%2faudit.key', 'a'])
    expect([key, (await fetchFile(`/api/v1/files/${key}`)).statusCode]).toEqual([key, 404])
  expect((await fetchFile('/api/v1/files/%00.png')).statusCode).toBe(422)
})

describe('an image can be read by anybody who may read a message that shows it', () => {
  /** Creates a conversation of the player with an admin and sends an image in it. */
  const sendImage = async (admin = holder, sender = player): Promise<{ conversationId: string; url: string }> => {
    const uploaded = await upload(await plainPng(4), { as: sender })
    const url = String(uploaded.body.data['url'])
    const opened = await app.call('POST', '/api/v1/chat/conversations', {
      token: bareToken(player),
      body: { participantId: admin.id },
    })
    const conversationId = (opened.body.data as { _id: string })._id
    await db.tx((tx) => useUpload(tx, sender.id, 'image', url))
    await db.query(
      `with c as (update conversations set last_seq = last_seq + 1 where id = $1 returning last_seq)
       insert into messages (conversation_id, seq, id, sender_id, client_id, kind, content, search_key, image_width,
         image_height, image_thumbhash)
       select $1, last_seq, $2, $3, $5, 'image', $4, '', 4, 4, '' from c`,
      [conversationId, newId(), sender.id, url, newId()],
    )
    return { conversationId, url }
  }
  const statusFor = async (url: string, as: TestPlayer | null): Promise<number> => (await fetchFile(url, as)).statusCode
  const looks = async () =>
    (await db.query(`select actor, act, target, after from audit_log where act = 'chat.read' order by seq`)).rows

  test('both participants can, other players and strangers can’t, other staff can and are in the audit log', async () => {
    const { conversationId, url } = await sendImage()
    expect([await statusFor(url, player), await statusFor(url, holder)]).toEqual([200, 200])
    expect([await statusFor(url, other), await statusFor(url, null)]).toEqual([404, 401])
    expect(await looks()).toEqual([])
    expect(await statusFor(url, colleague)).toBe(200)
    const look = { actor: colleague.id, act: 'chat.read', target: `conversation:${conversationId}` }
    expect(await looks()).toEqual([{ ...look, after: { image: url.split('/').at(-1) } }])
    // An image that staff sent follows the same rule.
    const ofStaff = await sendImage(holder, holder)
    expect([await statusFor(ofStaff.url, player), await statusFor(ofStaff.url, other)]).toEqual([200, 404])
  })

  test('before a message shows it, only its owner can read it', async () => {
    const url = String((await upload(await plainPng(4))).body.data['url'])
    const readers = [player, other, holder, colleague]
    expect(await Promise.all(readers.map((as) => statusFor(url, as)))).toEqual([200, 404, 404, 404])
  })

  test('a participant who deleted the conversation can’t read it any more; the other can', async () => {
    const { conversationId, url } = await sendImage()
    const hide = (as: TestPlayer) =>
      app.call('DELETE', `/api/v1/chat/conversations/${conversationId}`, { token: bareToken(as) })
    expect((await hide(player)).status).toBe(200)
    expect([await statusFor(url, player), await statusFor(url, holder)]).toEqual([404, 200])
    // The same image again, in a message after the deletion.
    await db.query(
      `with c as (update conversations set last_seq = last_seq + 1 where id = $1 returning last_seq)
       insert into messages select conversation_id, c.last_seq, $2, sender_id, $4, kind, content, search_key,
         image_width, image_height, image_thumbhash from messages, c where content = $3`,
      [conversationId, newId(), url, newId()],
    )
    expect(await statusFor(url, player)).toBe(200)
  })

  test('once its sender took it back, nobody can; where another message shows it, its readers can', async () => {
    const { conversationId, url } = await sendImage()
    const { rows } = await app.call('GET', `/api/v1/chat/conversations/${conversationId}/messages`, {
      token: bareToken(player),
    })
    const id = String(rows[0]?.['_id'])
    const taken = await app.call('DELETE', `/api/v1/chat/messages/${id}`, { token: bareToken(player) })
    expect(taken.body.data).toMatchObject({ isRetracted: true, content: '', image: null })
    const readers = [player, holder, colleague, other]
    expect(await Promise.all(readers.map((as) => statusFor(url, as)))).toEqual([404, 404, 404, 404])
    const kept = await db.query(`select before from audit_log where act = 'chat.retract'`)
    expect(kept.rows).toEqual([{ before: { image: url.split('/').at(-1) } }])
    await db.query(
      `with c as (update conversations set last_seq = last_seq + 1 where id = $1 returning last_seq)
       insert into messages select conversation_id, c.last_seq, $2, sender_id, $4, kind, content, search_key,
         image_width, image_height, image_thumbhash from messages, c where content = $3`,
      [conversationId, newId(), url, newId()],
    )
    expect(await statusFor(url, holder)).toBe(200)
  })

  test('after a hand-over the new holder can read it, and the previous one only as other staff can', async () => {
    const { conversationId, url } = await sendImage()
    const claimed = await app.call('POST', `/api/v1/chat/conversations/${conversationId}/holder`, {
      token: bareToken(colleague),
      body: { from: holder.id, to: colleague.id },
    })
    expect(claimed.status).toBe(200)
    const before = (await looks()).length
    expect([await statusFor(url, player), await statusFor(url, colleague)]).toEqual([200, 200])
    expect(await looks()).toHaveLength(before)
    expect(await statusFor(url, holder)).toBe(200)
    expect((await looks()).at(-1)).toMatchObject({ actor: holder.id, target: `conversation:${conversationId}` })
    // A former holder who is no longer an admin has no access.
    await db.query(`update users set role = 'player' where id = $1`, [holder.id])
    expect(await statusFor(url, holder)).toBe(404)
    await db.query(`update users set role = 'admin', capabilities = '{money,care,rounds,users,owner}' where id = $1`, [
      holder.id,
    ])
  })

  test('frozen, signed-out and deleted accounts are treated as for messages', async () => {
    const { conversationId, url } = await sendImage()
    const both = async (as: TestPlayer) => [
      await statusFor(url, as),
      (await app.call('GET', `/api/v1/chat/conversations/${conversationId}/messages`, { token: bareToken(as) })).status,
    ]
    await db.query('update users set is_frozen = true where id = any($1::uuid[])', [[player.id, colleague.id]])
    expect([await both(player), await both(colleague)]).toEqual([
      [403, 403],
      [403, 403],
    ])
    await db.query('update users set is_frozen = false')
    expect((await app.call('POST', '/api/v1/auth/logout', { token: bareToken(holder) })).status).toBe(200)
    expect(await both(holder)).toEqual([401, 401])
    await db.query('update users set deleted_at = clock_timestamp() where id = $1', [player.id])
    expect(await both(player)).toEqual([401, 401])
    await db.query('update users set deleted_at = null where id = $1', [player.id])
    await db.query('update sessions set ended_at = null, end_reason = null where user_id = $1', [holder.id])
  })

  test('no answer may be cached, for any address', async () => {
    const { url } = await sendImage()
    const asked = [
      fetchFile(url),
      fetchFile(url, null),
      fetchFile(url, other),
      fetchFile(url, player, { range: 'bytes=0-3', 'if-none-match': '*' }),
      fetchFile(`${url}?token=${bareToken(player)}`, null),
      app.http.inject({ method: 'HEAD', url }),
      app.http.inject({ method: 'HEAD', url, headers: { authorization: player.bearer } }),
    ]
    const answers = await Promise.all(asked)
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 401, 404, 200, 401, 401, 200])
    expect([answers.at(-1)?.body, answers.at(-1)?.headers['content-length']]).toEqual(['', undefined])
    for (const { headers } of answers) expect(headers['cache-control']).toMatch(/^(private, )?no-store$/)
  })
})

describe('many at once', () => {
  test('uploads of one account beyond its limit are refused with a time to retry, and another account’s is stored', async () => {
    const large = await plainPng(6_000)
    const flood = Array.from({ length: 10 }, () => upload(large))
    const small = await upload(await plainPng(20), { as: other })
    expect(small.status).toBe(200)
    const answers = await Promise.all(flood)
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused.length).toBeGreaterThanOrEqual(6)
    for (const { headers, body } of refused) {
      expect(headers['retry-after']).toBe('5')
      expect(body.code).toBe('IMAGES_WAITING')
    }
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(answers.length - refused.length)
    expect((await upload(await plainPng(20))).status).toBe(200)
  })

  test('what a day may have is refused with the hours to wait, a minute’s with its seconds', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    // One a minute, three a day.
    const strict = await buildTestApp(db, { dataDir, settings: { rateLimitFactor: 0.01 } })
    try {
      const answers: unknown[] = []
      for (const minute of [0, 0, 2, 4, 6]) {
        vi.advanceTimersByTime(minute === 0 ? 0 : 120_000)
        const { status, body } = await upload(await plainPng(4), { to: strict })
        answers.push(status === 200 ? 200 : body.code)
        if (status !== 200) answers.push(body.message)
      }
      expect(answers).toEqual([
        200,
        'TOO_MANY_REQUESTS',
        'Bạn thao tác quá nhanh. Vui lòng thử lại sau 60 giây',
        200,
        200,
        'UPLOADS_OF_DAY',
        'Bạn đã gửi quá nhiều file trong 24 giờ. Vui lòng thử lại sau 24 giờ',
      ])
    } finally {
      vi.useRealTimers()
      await strict.close()
    }
  })

  test('a waiting image is not decoded after its client disconnected', async () => {
    await app.http.listen({ port: 0, host: '127.0.0.1' })
    const address = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}/api/v1/file-upload`
    const large = await plainPng(6_000)
    const gone = new AbortController()
    const sent = Array.from({ length: 3 }, async () => {
      const body = new FormData()
      body.append('file', new Blob([new Uint8Array(large)]))
      const headers = { authorization: colleague.bearer }
      return (await fetch(address, { method: 'POST', headers, body, signal: gone.signal })).status
    })
    const stored = async () => (await db.query('select 1 from uploads where owner_id = $1', [colleague.id])).rowCount
    await Promise.race(sent)
    gone.abort()
    await Promise.allSettled(sent)
    // Decoded after any of those that were still waiting.
    expect((await upload(await plainPng(6_000), { as: other })).status).toBe(200)
    expect(await stored()).toBeLessThan(3)
  })
})

test('a form without its file, and a request without a token', async () => {
  expect((await upload(new Uint8Array(8), { field: 'other' })).body.code).toBe('FILE_MISSING')
  const json = await app.call('POST', '/api/v1/file-upload', { token: bareToken(player), body: {} })
  expect(json.body.code).toBe('FILE_MISSING')
  expect((await app.http.inject({ method: 'POST', url: '/api/v1/file-upload' })).statusCode).toBe(401)
})

describe('hostile files', () => {
  test('each gets its verdict, within 2 s', async () => {
    const files = await hostileFiles()
    expect(files).toHaveLength(76)
    for (const { name, bytes, verdict } of files) {
      const startedMs = performance.now()
      const { status, body } = await upload(bytes)
      expect([name, status === 200 ? 'OK' : body.code]).toEqual([name, verdict])
      expect([name, performance.now() - startedMs < 2_000]).toEqual([name, true])
    }
  })
})

test.each(ACCOUNT_CHANGES)(
  'whoever is %s once the image has come stores none, and no file is left',
  async (_, change, code) => {
    const [who] = await createPlayers(db, 1)
    const subject = (await signedIn(db, who.token))?.subject ?? null
    if (subject === null) throw new Error('the session is dead')
    const kept = new Set<string>()
    const storage = {
      put: async (key: string) => void kept.add(key),
      open: () => Promise.resolve(null),
      remove: async (key: string) => void kept.delete(key),
    }
    const png = async () => ({ bytes: await plainPng(4), name: 'a.png' })
    const by = { subject, admission: { access: 'player', asStaff: 'staff:care' } } as const
    expect(await storeUpload(db, storage, by, await png())).toMatchObject({ mime: 'image/png' })
    const before = [await countRows(db, 'uploads'), kept.size]
    await db.query(change, [who.id])
    expect(await storeUpload(db, storage, by, await png())).toMatchObject({ code })
    expect([await countRows(db, 'uploads'), kept.size]).toEqual(before)
  },
)

test('an upload that was never sent is deleted after a day; an image in a message stays', async () => {
  const png = await plainPng(4)
  const [sent, ...unsent] = [
    (await upload(png)).body.data['url'],
    (await upload(png)).body.data['url'],
    (await upload(pdfOf())).body.data['url'],
  ]
  const key = (url: unknown) => String(url).split('/').at(-1) ?? ''
  await db.query(`update uploads set created_at = created_at - interval '25 hours'`)
  await db.query('update uploads set used_at = clock_timestamp() where storage_key <> all ($1::text[])', [
    unsent.map(key),
  ])
  const storage = await openFileStorage({
    dataDir,
    s3Bucket: null,
    s3Region: '',
    s3Endpoint: null,
    s3AccessKeyId: null,
    s3SecretAccessKey: null,
  })
  expect(await sweepUploads(db, storage)).toBe(2)
  const statuses = await Promise.all([sent, ...unsent].map(async (url) => (await fetchFile(url)).statusCode))
  expect(statuses).toEqual([200, 404, 404])
})

describe('no file outlives its row', () => {
  /** Storage in memory that fails for the keys of `stuck`. */
  const createStorage = () => {
    const kept = new Set<string>()
    const stuck = new Set<string>()
    const fail = (key: string) => (stuck.has(key) ? Promise.reject(new Error('503 Slow Down')) : Promise.resolve())
    const storage = {
      put: async (key: string) => void kept.add(key),
      open: () => Promise.resolve(null),
      remove: (key: string) => fail(key).then(() => void kept.delete(key)),
    }
    return { kept, stuck, storage }
  }
  const store = async (storage: FileStorage, by: Database = db) => {
    const subject = (await signedIn(db, other.token))?.subject ?? null
    if (subject === null) throw new Error('the session is dead')
    const png = { bytes: await plainPng(4), name: 'a.png' }
    const stored = await storeUpload(by, storage, { subject, admission: { access: 'player' } }, png)
    return 'url' in stored ? stored.url : ''
  }
  const keyOf = (url: string) => url.split('/').at(-1) ?? ''
  const rowsOf = async (urls: readonly string[]) =>
    (await db.query('select 1 from uploads where storage_key = any($1::text[])', [urls.map(keyOf)])).rowCount
  const send = (url: string) => db.tx((tx) => useUpload(tx, other.id, 'image', url))
  const age = (hours: number) =>
    db.query(`update uploads set created_at = clock_timestamp() - $1::int * interval '1 hour'`, [hours])
  beforeEach(() => db.query('delete from uploads where used_at is null'))

  test('a file that can’t be removed keeps its row for the next sweep, and the others go', async () => {
    const { kept, stuck, storage } = createStorage()
    const urls = [await store(storage), await store(storage), await store(storage)]
    await age(25)
    stuck.add(keyOf(urls[1] ?? ''))
    await expect(sweepUploads(db, storage)).rejects.toThrow('1 of 3 files could not be removed')
    expect([[...kept], await rowsOf(urls)]).toEqual([[...stuck], 1])
    expect(await send(urls[1] ?? '')).toBeNull()
    stuck.clear()
    expect([await sweepUploads(db, storage), kept.size, await rowsOf(urls)]).toEqual([1, 0, 0])
  })

  test('however many can’t be removed, all others go in one sweep', async () => {
    const { stuck, storage } = createStorage()
    await store(storage)
    await age(25)
    const keyAt = (at: number) => `0-${String(at).padStart(3, '0')}.png`
    await db.query(
      `insert into uploads select (jsonb_populate_record(one, jsonb_build_object('id', gen_random_uuid(), 'storage_key', key))).*
        from uploads one, unnest($1::text[]) key where one.used_at is null`,
      [Array.from({ length: 450 }, (_, at) => keyAt(at))],
    )
    for (let at = 0; at < 201; at++) stuck.add(keyAt(at))
    await expect(sweepUploads(db, storage)).rejects.toThrow('201 of 451 files could not be removed')
    const { rows } = await db.query('select storage_key from uploads where used_at is null order by 1')
    expect(rows.map((row) => row['storage_key'])).toEqual([...stuck])
  })

  test('a message that is sent while its file is removed is refused; one sent within the day keeps it', async () => {
    const { kept, storage } = createStorage()
    const [late, intime] = [await store(storage), await store(storage)]
    await age(23)
    expect(await send(intime)).not.toBeNull()
    await age(25)
    const sent: unknown[] = []
    const slow = {
      ...storage,
      remove: async (key: string) => void sent.push(await send(late), await storage.remove(key)),
    }
    expect(await sweepUploads(db, slow)).toBe(1)
    expect([sent[0], [...kept]]).toEqual([null, [keyOf(intime)]])
    // The same picture in one more message, long after the first.
    expect(await send(intime)).not.toBeNull()
  })

  test('what fails while it is stored leaves no file without a row', async () => {
    const { kept, storage } = createStorage()
    const failing: Database = { ...db, tx: () => Promise.reject(new Error('The database is gone')) }
    await expect(store(storage, failing)).rejects.toThrow('The database is gone')
    expect(kept.size).toBe(0)
    // The file may be there although its storing failed.
    const put = (key: string) => storage.put(key).then(() => Promise.reject(new Error('No answer')))
    await expect(store({ ...storage, put })).rejects.toThrow('No answer')
    await age(25)
    expect([kept.size, await sweepUploads(db, storage), kept.size]).toEqual([1, 1, 0])
  })
})

test('decoders of other image types are never reached, whichever operation asks for them', async () => {
  const avif = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
    .avif()
    .toBuffer()
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>')
  for (const bytes of [avif, svg]) await expect(sharp(bytes).metadata()).rejects.toThrow('unsupported image format')
})
