import multipart from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { FILES_PATH, fileEndpoints, UPLOAD_BYTES_MAX } from '#contract/files.ts'
import type { Database } from '#server/platform/db.ts'
import { refuse } from '#server/platform/errors.ts'
import { type Api, sendRefused } from '#server/platform/http.ts'
import type { RateLimits } from '#server/platform/rate-limits.ts'
import { STORAGE_KEY, storeUpload } from './store-upload.ts'
import type { FileStorage } from './storage.ts'

export interface FilesDeps {
  readonly db: Database
  readonly storage: FileStorage
  readonly limits: RateLimits
  readonly rateLimitFactor: number
}

/** Uploads of one user in a minute. */
const UPLOADS_PER_MINUTE = 20
const YEAR_S = 365 * 24 * 3600

const MIME_OF: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
}

/** Uploads of spec §7, and the images themselves. */
export function registerFileRoutes(api: Api, { db, storage, limits, rateLimitFactor }: FilesDeps): void {
  const limit = limits.limit('upload', Math.max(1, Math.round(UPLOADS_PER_MINUTE * rateLimitFactor)), 60)
  void api.app.register(multipart, {
    limits: { fileSize: UPLOAD_BYTES_MAX, files: 1, fields: 0, parts: 1, headerPairs: 20 },
  })

  api.handle(fileEndpoints.uploadFile, async ({ subject, request }) => {
    const waitS = await limit.take(subject.userId)
    if (waitS !== null) return refuse('TOO_MANY_REQUESTS', undefined, waitS)
    if (!request.isMultipart()) return refuse('FILE_MISSING')
    const read = await readFile(request)
    return 'bytes' in read ? storeUpload(db, storage, subject.userId, read.bytes) : refuse(read.refusal)
  })

  api.app.get<{ Params: { key: string } }>(`${FILES_PATH}:key`, async (request, reply) => {
    const { key } = request.params
    const extension = STORAGE_KEY.exec(key)?.[1]
    const bytes = extension === undefined ? null : await storage.get(key)
    if (bytes === null || extension === undefined) return sendRefused(reply, refuse('NOT_FOUND'))
    return reply
      .headers({
        'content-type': MIME_OF[extension] ?? 'application/octet-stream',
        'content-length': bytes.length,
        'content-disposition': 'inline',
        'content-security-policy': `default-src 'none'; sandbox`,
        'cross-origin-resource-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
        'cache-control': `public, max-age=${YEAR_S}, immutable`,
      })
      .send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  })
}

type Read = { readonly bytes: Uint8Array } | { readonly refusal: 'FILE_MISSING' | 'IMAGE_TOO_LARGE' }

/** The bytes of the form's one file. The stream is cut off where it passes the limit, whatever its length claimed. */
async function readFile(request: FastifyRequest): Promise<Read> {
  try {
    const file = await request.file()
    if (file === undefined || file.fieldname !== 'file') {
      file?.file.resume()
      return { refusal: 'FILE_MISSING' }
    }
    const bytes = await file.toBuffer()
    // Told apart from the error: the last bytes may be read before the limit is noticed.
    return file.file.truncated ? { refusal: 'IMAGE_TOO_LARGE' } : { bytes }
  } catch (error) {
    const code = (error as { code?: unknown }).code
    return { refusal: code === 'FST_REQ_FILE_TOO_LARGE' ? 'IMAGE_TOO_LARGE' : 'FILE_MISSING' }
  }
}
