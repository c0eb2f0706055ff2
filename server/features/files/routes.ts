import multipart from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { fileEndpoints, UPLOAD_BYTES_MAX } from '#contract/files.ts'
import type { Subject } from '#domain/identity/permissions.ts'
import type { Database } from '#server/platform/database/db.ts'
import { isRefused, refuse } from '#server/platform/http/errors.ts'
import { createFairQueue, QUEUE_FULL } from '#server/platform/http/fair-queue.ts'
import { type Api, FileAnswer, ImageAnswer } from '#server/platform/http/http.ts'
import type { RateLimits } from '#server/platform/http/rate-limits.ts'
import { mayRead } from './may-read.ts'
import { refuseWaiting } from './read-image.ts'
import { storeUpload, type UploadedFile } from './store-upload.ts'
import type { FileStorage } from './storage.ts'

export interface FilesDeps {
  readonly db: Database
  readonly storage: FileStorage
  readonly limits: RateLimits
}

const UPLOADS_PER_MINUTE = 20
const UPLOADS_PER_DAY = 300
/** At most this many uploads may be in progress, per user and in all: each keeps its file in memory. */
const UPLOADS_AT_ONCE = 4
const UPLOADS_AT_ONCE_OF_ALL = 32

export function registerFileRoutes(api: Api, { db, storage, limits }: FilesDeps): void {
  const ofMinute = limits.limit('upload', UPLOADS_PER_MINUTE, 60)
  const ofDay = limits.limit('upload-day', UPLOADS_PER_DAY, 86_400)
  void api.app.register(multipart, {
    limits: { fileSize: UPLOAD_BYTES_MAX, files: 1, fields: 0, parts: 1, headerPairs: 20 },
  })

  // This queue only limits the number of uploads: if it is full, a new upload can displace another user's upload. With
  // a limit on `concurrent`, the new upload would have to wait until the displaced one has ended.
  const places = createFairQueue({
    concurrent: Number.POSITIVE_INFINITY,
    keyMax: UPLOADS_AT_ONCE,
    max: UPLOADS_AT_ONCE_OF_ALL,
  })

  const takeUpload = async (subject: Subject, request: FastifyRequest, signal: AbortSignal) => {
    const waitS = await ofMinute.take(subject.userId)
    if (waitS !== null) return refuse('TOO_MANY_REQUESTS', undefined, waitS)
    const dayWaitS = await ofDay.take(subject.userId)
    if (dayWaitS !== null) return refuse('UPLOADS_OF_DAY', undefined, dayWaitS)
    if (!request.isMultipart()) return refuse('FILE_MISSING')
    const read = await readFile(request, signal)
    const by = { subject, admission: fileEndpoints.uploadFile }
    return 'bytes' in read ? storeUpload(db, storage, by, read, signal) : refuse(read.refusal)
  }

  api.handle(fileEndpoints.uploadFile, ({ subject, request }) =>
    whileConnected(request, async (signal) => {
      try {
        const upload = await places.run(subject.userId, 1, (given) => takeUpload(subject, request, given), signal)
        return upload === QUEUE_FULL ? refuseWaiting() : upload
      } catch (error) {
        if (signal.aborted) return refuseWaiting()
        throw error
      }
    }),
  )

  api.handle(fileEndpoints.readUpload, async ({ subject, params: { key } }) => {
    const upload = await mayRead(db, subject, key)
    if (isRefused(upload)) return upload
    const stream = await storage.open(key)
    if (stream === null) return refuse('NOT_FOUND')
    const { mime, name } = upload
    return name === null ? new ImageAnswer(stream, mime) : new FileAnswer(stream, mime, name)
  })
}

type Read = UploadedFile | { readonly refusal: 'FILE_MISSING' | 'IMAGE_TOO_LARGE' }

/** Gives `work` a signal that aborts only if the client disconnects. Fastify's aborts once the body is read, too. */
async function whileConnected<T>({ raw: { socket } }: FastifyRequest, work: (signal: AbortSignal) => Promise<T>) {
  const controller = new AbortController()
  const abort = () => controller.abort()
  socket.once('close', abort)
  try {
    return await work(controller.signal)
  } finally {
    socket.off('close', abort)
  }
}

/** Reads the only file of the form, and refuses a file that turns out to be longer than `UPLOAD_BYTES_MAX`. */
async function readFile(request: FastifyRequest, signal: AbortSignal): Promise<Read> {
  try {
    const file = await request.file()
    if (file === undefined || file.fieldname !== 'file') {
      file?.file.resume()
      return { refusal: 'FILE_MISSING' }
    }
    const chunks: Buffer[] = []
    signal.addEventListener('abort', () => chunks.splice(0), { once: true })
    for await (const chunk of file.file as AsyncIterable<Buffer>) if (!signal.aborted) chunks.push(chunk)
    return file.file.truncated
      ? { refusal: 'IMAGE_TOO_LARGE' }
      : { bytes: Buffer.concat(chunks), name: file.filename ?? '' }
  } catch {
    return { refusal: 'FILE_MISSING' }
  }
}
