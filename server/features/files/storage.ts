import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { Disk } from 'flydrive'
import { FSDriver } from 'flydrive/drivers/fs'

export interface StorageSettings {
  readonly dataDir: string
  readonly s3Bucket: string | null
  readonly s3Region: string
  readonly s3Endpoint: string | null
  readonly s3AccessKeyId: string | null
  readonly s3SecretAccessKey: string | null
}

/** Storage of uploaded files. Clients read files only through the server, which checks permissions. */
export interface FileStorage {
  put(key: string, bytes: Uint8Array): Promise<void>
  /** Returns null if no file has this key. */
  open(key: string): Promise<Readable | null>
  remove(key: string): Promise<void>
}

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
  // The S3 driver is slow to load, so it is loaded only if there is a bucket.
  const { S3Driver } = await import('flydrive/drivers/s3')
  return new S3Driver({
    bucket: s3Bucket,
    region: s3Region,
    visibility: 'private',
    supportsACL: false,
    // Limits of each attempt, in ms. Without these limits, the server could wait for ever.
    requestHandler: { connectionTimeout: 3_000, requestTimeout: 60_000, throwOnRequestTimeout: true },
    ...(s3Endpoint === null ? {} : { endpoint: s3Endpoint, forcePathStyle: true }),
    ...(s3AccessKeyId === null || s3SecretAccessKey === null
      ? {}
      : { credentials: { accessKeyId: s3AccessKeyId, secretAccessKey: s3SecretAccessKey } }),
  })
}
