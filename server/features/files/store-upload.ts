import { randomBytes } from 'node:crypto'
import { FILES_PATH, type Upload } from '#contract/files.ts'
import type { ImageFacts } from '#domain/chat/conversation.ts'
import type { Admission, Subject } from '#domain/identity/permissions.ts'
import { actingOnce } from '#server/platform/http/acting.ts'
import type { Database, Tx } from '#server/platform/database/db.ts'
import { isRefused, type RefusedBy, refuse } from '#server/platform/http/errors.ts'
import { newId } from '#server/platform/process/ids.ts'
import { readImage } from './read-image.ts'
import { isPdf, PDF_MIME, readPdf } from './read-pdf.ts'
import type { FileStorage } from './storage.ts'

const EXTENSIONS: Readonly<Record<Upload['mime'], string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/gif': 'gif',
  'image/webp': 'webp',
  [PDF_MIME]: 'pdf',
}

/** A file must be sent within this time after its upload. The sweep deletes unsent files ten minutes later or more. */
export const SENDABLE_HOURS = 24

/** A storage key: 24 random bytes, which can't be guessed, and the extension of the type. */
export const STORAGE_KEY = /^[A-Za-z0-9_-]{32}\.(jpg|png|gif|webp|pdf)$/

export interface UploadedFile {
  readonly bytes: Uint8Array
  readonly name: string
}

async function readFile(ownerId: string, { bytes, name }: UploadedFile, signal?: AbortSignal) {
  if (isPdf(bytes)) return readPdf(bytes, name)
  const image = await readImage(ownerId, bytes, signal)
  return isRefused(image) && image.code === 'IMAGE_TYPE' && /\.pdf$/i.test(name) ? refuse('PDF_TYPE') : image
}

/**
 * Checks and stores an uploaded file. The upload may take long, so the user's access is checked again before the file
 * is stored (rules §4.1). Rejects if `signal` aborts before the check of the file is done.
 */
export async function storeUpload(
  db: Database,
  storage: FileStorage,
  { subject, admission }: { readonly subject: Subject; readonly admission: Admission },
  uploaded: UploadedFile,
  signal?: AbortSignal,
): Promise<Upload | RefusedBy<'uploadFile'>> {
  const file = await readFile(subject.userId, uploaded, signal)
  if (isRefused(file)) return file
  signal?.throwIfAborted()
  const key = `${randomBytes(24).toString('base64url')}.${EXTENSIONS[file.mime]}`
  const { bytes, ...facts } = file
  const { mime, width, height, thumbhash, name }: Omit<Upload, 'url' | 'bytes'> = facts
  const refused = await actingOnce(db, subject, admission, async (tx) => {
    await tx.query(
      `insert into uploads (id, owner_id, storage_key, mime, width, height, bytes, thumbhash, name)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [
        newId(),
        subject.userId,
        key,
        mime,
        width ?? null,
        height ?? null,
        bytes.length,
        thumbhash ?? null,
        name ?? null,
      ],
    )
    return null
  })
  if (refused !== null) return refused
  // The row is written first: if `put` fails, the sweep finds the row, and deletes what was stored.
  await storage.put(key, bytes)
  return { url: FILES_PATH + key, ...facts, bytes: bytes.length }
}

/**
 * Marks an upload as sent, so that the sweep keeps it. Returns null if the sender has no upload of this kind with this
 * `url`, or if the upload is older than `SENDABLE_HOURS` and was never sent.
 */
export async function useUpload(tx: Tx, ownerId: string, kind: 'image' | 'file', url: string) {
  const key = url.startsWith(FILES_PATH) ? url.slice(FILES_PATH.length) : ''
  if (!STORAGE_KEY.test(key)) return null
  const { rows } = await tx.query<{ [Fact in keyof ImageFacts]: ImageFacts[Fact] } & { name: string | null }>(
    `update uploads set used_at = coalesce(used_at, clock_timestamp())
      where storage_key = $1 and owner_id = $2 and (name is not null) = $3
        and (used_at is not null or created_at > clock_timestamp() - interval '${SENDABLE_HOURS} hours')
      returning width, height, thumbhash, name`,
    [key, ownerId, kind === 'file'],
  )
  if (rows[0] === undefined) return null
  const { name, ...image } = rows[0]
  return name === null ? { image, file: null } : { image: null, file: { key, name } }
}
