import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openFileStorage, type FileStorage } from './storage.ts'

const asked: string[] = []
/** An S3 bucket with one file, which refuses unsigned requests. */
const bucket = createServer(({ method = '', url = '', headers }, response) => {
  const path = url.split('?')[0] ?? ''
  asked.push(`${method} ${path}`)
  const isSigned = headers.authorization?.startsWith('AWS4-HMAC-SHA256 Credential=who/') === true
  if (path === '/pictures/never.png') return
  if (!isSigned) response.writeHead(403).end()
  else if (path !== '/pictures/there.png') response.writeHead(404).end()
  else response.writeHead(200, { 'content-length': 5 }).end(method === 'HEAD' ? undefined : 'bytes')
})
let storage: FileStorage

beforeAll(async () => {
  await new Promise<void>((resolve) => bucket.listen(0, '127.0.0.1', resolve))
  storage = await openFileStorage({
    dataDir: '/nowhere',
    s3Bucket: 'pictures',
    s3Region: 'us-east-1',
    s3Endpoint: `http://127.0.0.1:${(bucket.address() as AddressInfo).port}`,
    s3AccessKeyId: 'who',
    s3SecretAccessKey: 'secret',
  })
})
afterAll(() => {
  bucket.closeAllConnections()
  bucket.close()
})

test('a file in a bucket is streamed through this server', async () => {
  const stream = await storage.open('there.png')
  expect(stream === null ? null : await text(stream)).toBe('bytes')
  expect(await storage.open('absent.png')).toBeNull()
  expect(asked).toEqual(['HEAD /pictures/there.png', 'GET /pictures/there.png', 'HEAD /pictures/absent.png'])
})

test('a bucket that does not answer ends a call', async () => {
  // A minute of waiting lasts a moment.
  const { setTimeout } = globalThis
  vi.spyOn(globalThis, 'setTimeout').mockImplementation((work, ms = 0) => setTimeout(work, ms / 1_000))
  const opening = storage.open('never.png').finally(() => vi.restoreAllMocks())
  await expect(opening).rejects.toThrow(/Unable to check existence/)
})
