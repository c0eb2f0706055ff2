import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { Disk } from 'flydrive'
import { FSDriver } from 'flydrive/drivers/fs'

export interface StorageSettings {
  /** Folder of the local disk's uploads. */
  readonly dataDir: string
  /** Null keeps them on the local disk. */
  readonly s3Bucket: string | null
  readonly s3Region: string
  /** Of a store that is not Amazon's. */
  readonly s3Endpoint: string | null
  readonly s3AccessKeyId: string | null
  readonly s3SecretAccessKey: string | null
}

/** Where uploads are kept. Nobody reads them but through the server, which judges who may. */
export interface FileStorage {
  put(key: string, bytes: Uint8Array): Promise<void>
  /** Null when there is none under this key. Read piece by piece, so that a slow reader takes no memory. */
  open(key: string): Promise<Readable | null>
  remove(key: string): Promise<void>
}

/** The local disk, or an S3 bucket where one is set: several machines need the latter, or a shared folder. */
export async function openFileStorage(settings: StorageSettings): Promise<FileStorage> {
  const disk = new Disk(await driverOf(settings))
  return {
    put: (key, bytes) => disk.put(key, bytes),
    async open(key) {
      return (await disk.exists(key)) ? disk.getStream(key) : null
    },
    remove: (key) => disk.delete(key),
  }
}

async function driverOf(settings: StorageSettings) {
  const { dataDir, s3Bucket, s3Region, s3Endpoint, s3AccessKeyId, s3SecretAccessKey } = settings
  if (s3Bucket === null) return new FSDriver({ location: join(dataDir, 'uploads'), visibility: 'private' })
  // Only here: it is the larger part of a start's time, and most installations have no bucket.
  const { S3Driver } = await import('flydrive/drivers/s3')
  return new S3Driver({
    bucket: s3Bucket,
    region: s3Region,
    visibility: 'private',
    supportsACL: false,
    ...(s3Endpoint === null ? {} : { endpoint: s3Endpoint, forcePathStyle: true }),
    ...(s3AccessKeyId === null || s3SecretAccessKey === null
      ? {}
      : { credentials: { accessKeyId: s3AccessKeyId, secretAccessKey: s3SecretAccessKey } }),
  })
}
