import { Redis } from 'ioredis'
import { HOST, type Ports, portsFrom } from './parts.ts'
import { isRunning, type Member } from './processes.ts'
import type { Secrets, State } from './state.ts'
import { postmasterOf } from './stop.ts'

export interface PartStatus {
  readonly name: string
  /** The pid of the process. For Patroni, the pid of its PostgreSQL follows if one runs. */
  readonly pid: string
  readonly says: string
  readonly isWell: boolean
}

const PATIENCE_MS = 3_000

/** Asks every part for its state. A part that does not answer within `PATIENCE_MS` gets `isWell: false`. */
export async function readStatus(folder: string, state: State, secrets: Secrets): Promise<PartStatus[]> {
  const ports = portsFrom(state.basePort)
  return Promise.all(
    state.members.map(async (member): Promise<PartStatus> => {
      const postmaster = postmasterOf(folder, member.name)
      // Both pids are shown: a Patroni that is killed leaves its PostgreSQL running.
      const shared = { name: member.name, pid: [member.pid, ...(postmaster ? [postmaster.pid] : [])].join(' ') }
      if (!isRunning(member)) return { ...shared, says: 'does not run', isWell: false }
      try {
        return { ...shared, ...(await ask(member, ports, secrets)) }
      } catch (error) {
        return { ...shared, says: `runs, and does not answer: ${(error as Error).message}`, isWell: false }
      }
    }),
  )
}

type Answer = Pick<PartStatus, 'says' | 'isWell'>

async function ask({ name }: Member, ports: Ports, { redis }: Secrets): Promise<Answer> {
  const [, kind = '', place = '1'] = /^([a-z]+?)(\d*)$/.exec(name) ?? []
  const nth = Number(place) - 1
  switch (kind) {
    case 'etcd': {
      const { health } = JSON.parse(await get(`http://${HOST}:${ports.etcd(nth)}/health`)) as { health: string }
      return health === 'true' ? { says: 'well', isWell: true } : { says: 'without a majority', isWell: false }
    }
    case 'pg': {
      const text = await get(`http://${HOST}:${ports.patroni(nth)}/patroni`)
      const { state, role, ...more } = JSON.parse(text) as { state: string; role: string; sync_standby?: boolean }
      const called = role === 'master' ? 'primary' : `${more.sync_standby === true ? 'synchronous ' : ''}standby`
      return { says: `${called}, ${state}`, isWell: state === 'running' || state === 'streaming' }
    }
    case 'redis': {
      const [role = ''] = (await askRedis(ports.redis(nth), redis, 'role')) as string[]
      return { says: role === 'slave' ? 'replica' : role, isWell: true }
    }
    case 'sentinel': {
      const found = await askRedis(ports.sentinel(nth), redis, 'sentinel', 'get-master-addr-by-name', 'kim-phien')
      return { says: `the master is ${(found as string[]).join(':')}`, isWell: true }
    }
    case 'haproxy': {
      return readHaproxy(await get(`http://${HOST}:${ports.haproxyStats}/;csv`))
    }
    default: {
      const answer = await fetch(`http://${HOST}:${ports.process(nth)}/readyz`, {
        signal: AbortSignal.timeout(PATIENCE_MS),
      })
      const { status, checks } = (await answer.json()) as { status: string; checks: Record<string, string> }
      const parts = Object.entries(checks).map(([what, is]) => `${what} ${is}`)
      return { says: `${answer.ok ? 'ready' : `not ready (${status})`}: ${parts.join(', ')}`, isWell: answer.ok }
    }
  }
}

/** Reads HAProxy's statistics. HAProxy has to route to exactly one PostgreSQL server, since standbys take no writes. */
export function readHaproxy(csv: string): Answer {
  const rows = csv.split('\n').map((line) => line.split(','))
  const of = (backend: string) =>
    rows
      .filter(([proxy, server = '']) => proxy === backend && /\d$/.test(server))
      .map((columns) => ({ server: columns[1] ?? '', isUp: /^UP\b/.test(columns[17] ?? '') }))
  const [postgres, processes] = [of('postgres'), of('processes')]
  const names = (servers: typeof postgres) => servers.map(({ server }) => server).join(', ') || 'nowhere'
  const up = (servers: typeof postgres) => servers.filter(({ isUp }) => isUp)
  return {
    says: `leads to ${names(up(postgres))} and to ${names(up(processes))}`,
    isWell: up(postgres).length === 1 && processes.every(({ isUp }) => isUp),
  }
}

async function get(url: string): Promise<string> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS) })
  return answer.text()
}

export async function askRedis(port: number, password: string, ...command: [string, ...string[]]): Promise<unknown> {
  const redis = new Redis({
    ...{ host: HOST, port, password, lazyConnect: true, connectTimeout: PATIENCE_MS },
    ...{ commandTimeout: PATIENCE_MS, retryStrategy: () => null },
  })
  redis.on('error', () => {})
  try {
    await redis.connect()
    return await redis.call(...command)
  } finally {
    redis.disconnect()
  }
}
