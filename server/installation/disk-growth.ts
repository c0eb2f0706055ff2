import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { readIfThere, replaceFile } from '#server/platform/process/durable-file.ts'

/** The file in DATA_DIR that says how much of its disk was used on each of the last days, the oldest first. */
const FILE = 'disk-used'
const DAY_MS = 86_400_000
/** A week and its end. */
const KEPT = 8
/** Less says little: a new installation fills its first backups, and one day is not like another. */
const LEAST_DAYS = 3

const notedDisk = z.array(z.object({ atMs: z.number(), usedBytes: z.number() }))
export type NotedDisk = z.output<typeof notedDisk>

/** What was noted of the disk of a folder; nothing where the file is missing or is none of ours. */
export function readNotedDisk(folder: string): NotedDisk {
  try {
    return notedDisk.parse(JSON.parse(readIfThere(join(folder, FILE)) ?? '[]'))
  } catch {
    return []
  }
}

/** Notes how much of a folder's disk is used, once a day. */
export async function noteDisk(folder: string, nowMs: number): Promise<void> {
  const noted = readNotedDisk(folder)
  if (nowMs - (noted.at(-1)?.atMs ?? 0) < DAY_MS) return
  const { bavail, bsize, blocks } = await statfs(folder)
  const all = [...noted, { atMs: nowMs, usedBytes: (blocks - bavail) * bsize }]
  await replaceFile(join(folder, FILE), JSON.stringify(all.slice(-KEPT)))
}

/** By how many bytes a day it filled since the oldest note; null before there are three days to judge by. */
export function growthOf([oldest]: NotedDisk, now: NotedDisk[number]): number | null {
  const days = oldest === undefined ? 0 : (now.atMs - oldest.atMs) / DAY_MS
  return oldest === undefined || days < LEAST_DAYS ? null : Math.round((now.usedBytes - oldest.usedBytes) / days)
}

/** Whole days until the disk is full; null where its growth is not known, or it does not grow. */
export const daysLeft = (freeBytes: number, growthBytes: number | null): number | null =>
  growthBytes === null || growthBytes <= 0 ? null : Math.floor(freeBytes / growthBytes)
