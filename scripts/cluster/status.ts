import { Redis } from 'ioredis'
import { HOST, portsFrom } from './parts.ts'
import { isRunning, type Member } from './processes.ts'
import type { Secrets, State } from './state.ts'

export interface PartStatus {
  readonly name: string
  readonly pid: string
  readonly says: string
  readonly isWell: boolean
}

const PATIENCE_MS = 3_000

/** Asks every part what it is at the moment. A part that hangs is asked for three seconds. */
export async function readStatus(state: State, secrets: Secrets): Promise<PartStatus[]> {
  const ports = portsFrom(state.basePort)
  return Promise.all(
    state.members.map(async (member): Promise<PartStatus> => {
      const shared = { name: member.name, pid: String(member.pid) }
      if (!isRunning(member)) return { ...shared, says: 'does not run', isWell: false }
      try {
        return { ...shared, says: await ask(member, ports, secrets), isWell: true }
      } catch (error) {
        return { ...shared, says: `runs, and does not answer: ${(error as Error).message}`, isWell: false }
      }
    }),
  )
}

async function ask({ name }: Member, ports: ReturnType<typeof portsFrom>, { redis }: Secrets): Promise<string> {
  const [, kind = '', place = '1'] = /^([a-z]+?)(\d*)$/.exec(name) ?? []
  const nth = Number(place) - 1
  switch (kind) {
    case 'etcd': {
      const health = await get(`http://${HOST}:${ports.etcd(nth)}/health`)
      return `health ${(JSON.parse(health) as { health: string }).health}`
    }
    case 'pg': {
      const {
        state,
        role,
        sync_standby: isSync,
      } = JSON.parse(await get(`http://${HOST}:${ports.patroni(nth)}/patroni`)) as {
        state: string
        role: string
        sync_standby?: boolean
      }
      return `${role === 'master' ? 'primary' : role}${isSync === true ? ', synchronous' : ''}, ${state}`
    }
    case 'redis': {
      const [role = ''] = (await askRedis(ports.redis(nth), redis, 'role')) as string[]
      return role === 'slave' ? 'replica' : role
    }
    case 'sentinel': {
      const found = await askRedis(ports.sentinel(nth), redis, 'sentinel', 'get-master-addr-by-name', 'kim-phien')
      return `the master is ${(found as string[]).join(':')}`
    }
    case 'haproxy': {
      const lines = (await get(`http://${HOST}:${ports.haproxyStats}/;csv`)).split('\n').map((line) => line.split(','))
      return lines
        .filter(([, server = '']) => /^(pg|process)\d$/.test(server))
        .map((columns) => `${columns[1]} ${columns[17]}`)
        .join(', ')
    }
    default: {
      const answer = await fetch(`http://${HOST}:${ports.process(nth)}/readyz`, {
        signal: AbortSignal.timeout(PATIENCE_MS),
      })
      const { status, checks } = (await answer.json()) as { status: string; checks: Record<string, string> }
      if (!answer.ok) throw new Error(`${status}: ${JSON.stringify(checks)}`)
      return `ready: ${Object.entries(checks)
        .map(([what, is]) => `${what} ${is}`)
        .join(', ')}`
    }
  }
}

async function get(url: string): Promise<string> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS) })
  return answer.text()
}

/** Sends one command to a Redis or a Sentinel of the cluster. */
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
