import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { readIfThere, replaceFile } from '#server/platform/process/durable-file.ts'

/** The file in DATA_DIR with notes of how much of the disk is used, one for each day, oldest first. */
export const DISK_FILE = 'disk-used'
const DAY_MS = 86_400_000
const KEPT = 8
/** Growth is computed over at least this many days, because a single day can be unusual. */
const LEAST_DAYS = 3

const notedDisk = z.array(z.object({ atMs: z.number(), usedBytes: z.number() }))
export type NotedDisk = z.output<typeof notedDisk>

export function readNotedDisk(folder: string): NotedDisk {
  try {
    return notedDisk.parse(JSON.parse(readIfThere(join(folder, DISK_FILE)) ?? '[]'))
  } catch {
    return []
  }
}

export async function noteDisk(folder: string, nowMs: number): Promise<void> {
  // Drops notes with a time in the future, made while the clock was ahead, because they would prevent further notes.
  const noted = readNotedDisk(folder).filter(({ atMs }) => atMs <= nowMs)
  if (nowMs - (noted.at(-1)?.atMs ?? 0) < DAY_MS) return
  const { bavail, bsize, blocks } = await statfs(folder)
  const all = [...noted, { atMs: nowMs, usedBytes: (blocks - bavail) * bsize }]
  await replaceFile(join(folder, DISK_FILE), JSON.stringify(all.slice(-KEPT)))
}

/** Returns the growth in bytes per day since the oldest note; null if the oldest note is less than three days old. */
export function growthOf([oldest]: NotedDisk, now: NotedDisk[number]): number | null {
  const days = oldest === undefined ? 0 : (now.atMs - oldest.atMs) / DAY_MS
  return oldest === undefined || days < LEAST_DAYS ? null : Math.round((now.usedBytes - oldest.usedBytes) / days)
}

export const daysLeft = (freeBytes: number, growthBytes: number | null): number | null =>
  growthBytes === null || growthBytes <= 0 ? null : Math.floor(freeBytes / growthBytes)
