import { existsSync, readFileSync, readlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { COUNT } from './parts.ts'
import { end, isRunning, type Member, startOf } from './processes.ts'
import { readState, writeState } from './state.ts'

/** A process that still runs this long after SIGTERM is killed. Patroni takes long: it ends its PostgreSQL first. */
const PATIENCE_MS = 20_000
/** Each part ends before the parts that it uses. */
const ORDER = ['process', 'haproxy', 'pg', 'sentinel', 'redis', 'etcd']

/** Ends the processes that the folder's state file names, and returns their number. */
export async function stopCluster(folder: string): Promise<number> {
  const state = readState(folder)
  const running = state?.members.filter(isRunning) ?? []
  if (state === null) return 0
  let count = 0
  for (const prefix of ORDER) {
    const group = running.filter(({ name }) => name.startsWith(prefix))
    // The PostgreSQL of a killed Patroni may still run, and no state file names it.
    const servers = prefix === 'pg' ? postmasters(folder) : []
    count += group.length
    await end([...group, ...servers], PATIENCE_MS)
  }
  writeState(folder, { ...state, members: [] })
  return count
}

const postmasters = (folder: string) =>
  Array.from({ length: COUNT }, (_, nth) => postmasterOf(folder, `pg${nth + 1}`)).filter((one) => one !== null)

function folderOf(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    // The process has ended meanwhile, or is another user's.
    return null
  }
}

export function postmasterOf(folder: string, name: string): Pick<Member, 'pid' | 'startedAt'> | null {
  const file = join(folder, name, 'data', 'postmaster.pid')
  if (!existsSync(file)) return null
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0])
  const startedAt = startOf(pid)
  const isOurs = startedAt !== null && folderOf(pid) === dirname(file)
  return isOurs ? { pid, startedAt } : null
}
