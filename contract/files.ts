import * as z from 'zod/mini'
import { text } from './codecs.ts'
import { endpoint } from './endpoint.ts'

/** A stored file. `url` is a path on the API's host, which `readUpload` serves. */
export const upload = z.object({
  url: text,
  mime: z.enum(['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'application/pdf']),
  bytes: z.int(),
  ...{ width: z.optional(z.int()), height: z.optional(z.int()), thumbhash: z.optional(text) },
  name: z.optional(text),
})
export type Upload = z.output<typeof upload>

export const UPLOAD_BYTES_MAX = 5 * 1024 * 1024
export const UPLOAD_WITHIN_MS = 120_000
export const UPLOAD_SIDE_MAX = 8_192
export const UPLOAD_PIXELS_MAX = 40_000_000
/**
 * The pixel limit of JPEGs that are not progressive. It is higher than `UPLOAD_PIXELS_MAX`, because these JPEGs are
 * decoded row by row, in little memory (rules §7.7).
 */
export const PHOTO_PIXELS_MAX = 51_000_000
export const PIXELS_KEPT_MAX = 12_000_000
export const UPLOAD_FRAMES_MAX = 120
export const FILES_PATH = '/api/v1/files/'

export const fileEndpoints = {
  /** The body is a multipart form with the field `file`. */
  uploadFile: endpoint('POST', '/api/v1/file-upload', 'player', {
    asStaff: 'staff:care',
    isUpload: true,
    data: upload,
    refusals: [
      ...['FILE_MISSING', 'IMAGE_TOO_LARGE', 'IMAGE_TYPE', 'IMAGE_BROKEN', 'IMAGE_DIMENSIONS', 'IMAGES_WAITING'],
      ...['PDF_TYPE', 'PDF_BROKEN', 'UPLOADS_OF_DAY'],
    ] as const,
    summary: 'Store a picture or a PDF to be sent in a message',
  }),
  /** Answers those who may read a message with the file and, before the file is sent, its owner (rules §7.7). */
  readUpload: endpoint('GET', '/api/v1/files/{key}', 'player', {
    asStaff: 'staff:care',
    params: z.object({ key: text }),
    isImage: true,
    refusals: ['NOT_FOUND'],
    summary: 'Read a picture or a PDF of a message',
  }),
} as const
