import { existsSync, readFileSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

const MEMORY = '/dev/shm'
const ROOM_BYTES = 4 * 2 ** 30

/**
 * Returns the folder in which tests make their folders: /dev/shm, which is in memory, if it has room and programs may
 * run from it, otherwise the system's temporary folder. A server's first start is slow on a disk.
 */
export function folderOfTests(): string {
  if (!existsSync(MEMORY) || / \/dev\/shm \S+ \S*noexec/.test(readFileSync('/proc/mounts', 'utf8'))) return tmpdir()
  const { bavail, bsize } = statfsSync(MEMORY)
  return bavail * bsize > ROOM_BYTES ? MEMORY : tmpdir()
}
