import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BarLine } from '../report.ts'
import type { ClusterWorld } from './cluster-world.ts'
import { makeOwnServer } from '#testing/machines/process.ts'

/** Registrations per address and hour (rules §4). */
const ALLOWED = 10
const TRIES = ALLOWED + 2

/** Two more processes of a cluster, with the limits that an installation has. */
export interface LimitedProcesses {
  /** Registers from an address at the first process, then at the second, and judges who was let in at each. */
  register(what: string, address: string, expected: readonly [number, number]): Promise<BarLine>
  stop(): Promise<void>
}

export async function startLimitedProcesses(world: ClusterWorld): Promise<LimitedProcesses> {
  const folder = await mkdtemp(join(tmpdir(), 'kim-phien-limits-'))
  const { PORT: _, ...env } = world.member('process1').launch.env ?? {}
  const own = { ...env, DATA_DIR: folder, RATE_LIMIT_FACTOR: '1' }
  const servers = [await makeOwnServer(folder, own), await makeOwnServer(folder, own)]
  const stop = async () => {
    await Promise.all(servers.map((one) => one.kill()))
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await Promise.all(servers.map((one) => one.start()))
  } catch (error) {
    await stop()
    throw error
  }
  return {
    async register(what, address, expected) {
      const seen: string[] = []
      for (const { url } of servers) {
        const statuses: number[] = []
        for (let n = 0; n < TRIES; n++) statuses.push(await registerFrom(url, address))
        seen.push(inWords(statuses))
      }
      const bar = expected.map((taken) => inWords(Array.from({ length: TRIES }, (_one, n) => (n < taken ? 200 : 429))))
      return { what, seen: seen.join('; '), bar: bar.join('; '), isMet: seen.join() === bar.join() }
    },
    stop,
  }
}

/** Registers a newcomer from an address, which the request names as a proxy would; returns the status. */
async function registerFrom(url: string, address: string): Promise<number> {
  const password = randomBytes(12).toString('hex')
  const username = `r${randomBytes(6).toString('hex')}`
  const answer = await fetch(`${url}/api/v1/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
    body: JSON.stringify({ username, password, rePassword: password, code: 'KIMPHIEN' }),
  })
  await answer.arrayBuffer()
  return answer.status
}

/** Statuses in their order, each with how often it came in a row: `10 × 200, 2 × 429`. */
function inWords(statuses: readonly number[]): string {
  const runs: Array<{ status: number; times: number }> = []
  for (const status of statuses) {
    const last = runs.at(-1)
    if (last?.status === status) last.times++
    else runs.push({ status, times: 1 })
  }
  return runs.map(({ status, times }) => `${times} × ${status}`).join(', ')
}
