import { randomBytes } from 'node:crypto'
import { FILES_PATH, type Upload } from '#contract/files.ts'
import type { Admission, Subject } from '#domain/identity/permissions.ts'
import { lockSubject } from '#server/platform/http/auth.ts'
import type { Database, Tx } from '#server/platform/database/db.ts'
import { isRefused, type RefusedBy } from '#server/platform/http/errors.ts'
import { newId } from '#server/platform/process/ids.ts'
import { type ImageMime, readImage } from './read-image.ts'
import type { FileStorage } from './storage.ts'

const EXTENSIONS: Readonly<Record<ImageMime, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/gif': 'gif',
  'image/webp': 'webp',
}

/** A stored file's key: 24 random bytes, which can't be guessed, and the extension of its type. */
export const STORAGE_KEY = /^[A-Za-z0-9_-]{32}\.(jpg|png|gif|webp)$/

/**
 * Checks, rewrites and stores an image that a user uploaded. The user is judged again at the end: the image may have
 * come slowly (rules §4.1). Rejects when `signal` aborts before it is stored.
 */
export async function storeUpload(
  db: Database,
  storage: FileStorage,
  { subject, admission }: { readonly subject: Subject; readonly admission: Admission },
  bytes: Uint8Array,
  signal?: AbortSignal,
): Promise<Upload | RefusedBy<'uploadFile'>> {
  const image = await readImage(subject.userId, bytes, signal)
  if (isRefused(image)) return image
  signal?.throwIfAborted()
  const key = `${randomBytes(24).toString('base64url')}.${EXTENSIONS[image.mime]}`
  // The file is stored before its row: a row without a file would be a broken image for ever, while a file without a
  // row is unreachable.
  await storage.put(key, image.bytes)
  const { mime, width, height, thumbhash } = image
  const size = image.bytes.length
  const refused = await db.tx(async (tx) => {
    const current = await lockSubject(tx, subject, admission)
    if (isRefused(current)) return current
    await tx.query(
      `insert into uploads (id, owner_id, storage_key, mime, width, height, bytes, thumbhash)
       values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [newId(), subject.userId, key, mime, width, height, size, thumbhash],
    )
    return null
  })
  if (refused !== null) {
    await storage.remove(key)
    return refused
  }
  return { url: FILES_PATH + key, mime, width, height, bytes: size, thumbhash }
}

/**
 * Attaches an upload of the sender to a message; null when the address names no upload of the sender. From then on the
 * file is kept: the sweep deletes only uploads that no message shows.
 */
export async function useUpload(
  tx: Tx,
  ownerId: string,
  url: string,
): Promise<{ width: number; height: number; thumbhash: string } | null> {
  const key = url.startsWith(FILES_PATH) ? url.slice(FILES_PATH.length) : ''
  if (!STORAGE_KEY.test(key)) return null
  const { rows } = await tx.query<{ width: number; height: number; thumbhash: string }>(
    `update uploads set used_at = coalesce(used_at, clock_timestamp()) where storage_key = $1 and owner_id = $2
     returning width, height, thumbhash`,
    [key, ownerId],
  )
  return rows[0] ?? null
}
