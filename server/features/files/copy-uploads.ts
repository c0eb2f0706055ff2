import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import type { Queryable } from '#server/platform/database/db.ts'
import type { FileStorage } from './storage.ts'

const PAGE = 200
const AT_ONCE = 8

export interface CopiedUploads {
  /** Uploads whose file is in the new storage now. If the old storage has the file, too, both are equal. */
  readonly files: number
  readonly already: number
  readonly bytes: number
  readonly missing: number
}

/**
 * Copies the files of all uploads to another storage, and reads each written file back to compare it. A file that the
 * other storage already has with the same content is skipped, so an interrupted copy can simply be started again.
 * @param from is only read
 * @param onPage called after each page of uploads with the number of files so far
 * @throws Error if the new storage does not return a written file with the same content
 */
export async function copyUploads(
  db: Queryable,
  from: FileStorage,
  to: FileStorage,
  onPage: (files: number) => void = () => {},
): Promise<CopiedUploads> {
  const done = { files: 0, already: 0, bytes: 0, missing: 0 }
  const copyOne = async (key: string): Promise<void> => {
    const [own, theirs] = [await read(from, key), await read(to, key)]
    if (own === null && theirs === null) {
      done.missing++
      return
    }
    const isThere = theirs !== null && (own === null || digest(own) === digest(theirs))
    if (own !== null && !isThere) {
      await to.put(key, own)
      const written = await read(to, key)
      if (written === null || digest(written) !== digest(own))
        throw new Error(`The upload ${key} was written, and read back as another one.`)
    }
    done.files++
    done.already += Number(isThere)
    done.bytes += (own ?? theirs)?.length ?? 0
  }
  for (let after = ''; ;) {
    const { rows } = await db.query<{ key: string }>(
      `select storage_key as key from uploads where storage_key collate "C" > $1
        order by storage_key collate "C" limit ${PAGE}`,
      [after],
    )
    for (let first = 0; first < rows.length; first += AT_ONCE)
      await Promise.all(rows.slice(first, first + AT_ONCE).map(({ key }) => copyOne(key)))
    if (rows.length > 0) onPage(done.files)
    if (rows.length < PAGE) return done
    after = rows.at(-1)?.key ?? ''
  }
}

async function read(storage: FileStorage, key: string): Promise<Buffer | null> {
  const stream = await storage.open(key)
  return stream === null ? null : await buffer(stream)
}

const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
