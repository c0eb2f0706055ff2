import { chmodSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '#server/platform/database/db.ts'
import { openNative } from '#server/platform/database/native.ts'
import { COUNT, HOST, type Ports, portsFrom } from '../../scripts/cluster/parts.ts'
import { isRunning, type Member } from '../../scripts/cluster/processes.ts'
import { missingPackages, revive, startCluster } from '../../scripts/cluster/start.ts'
import { databaseUrl, readState, readStoredSecrets, type Secrets } from '../../scripts/cluster/state.ts'
import { askRedis } from '../../scripts/cluster/status.ts'
import { stopCluster } from '../../scripts/cluster/stop.ts'

/** A cluster of `npm run cluster` in a folder of its own. */
export interface ClusterWorld {
  readonly ports: Ports
  readonly secrets: Secrets
  /** The web, through HAProxy. */
  readonly url: string
  /** The database, through HAProxy. */
  readonly db: Database
  member(name: string): Member
  /** The processes of the PostgreSQL server in this place: Patroni's and the server's own. */
  postgresPids(nth: number): number[]
  /** The place of the primary, as Patroni says it; null while none is. */
  primary(): Promise<number | null>
  /** The role that a Redis reports for itself: master or slave. */
  redisRole(name: string): Promise<string>
  /** Starts every process again that does not run. */
  revive(): void
  stop(): Promise<void>
}

const BASE_PORT = 7_600

/** Starts one; throws with the `apt-get` line where something is missing. */
export async function openCluster(): Promise<ClusterWorld> {
  const missing = missingPackages()
  if (missing !== null) throw new Error(`This fault needs programs that are not here: ${missing}`)
  // The limits on sign-ins and calls are not measured here.
  process.env['RATE_LIMIT_FACTOR'] = '1000'
  const folder = await mkdtemp(join(tmpdir(), 'kim-phien-cluster-'))
  // PostgreSQL's user has to reach its own folder within.
  chmodSync(folder, 0o755)
  await startCluster(folder, BASE_PORT, () => {})
  const ports = portsFrom(BASE_PORT)
  const secrets = readStoredSecrets(folder)
  const db = openNative({ url: databaseUrl(ports.haproxyPostgres, secrets), max: 4 })
  function member(name: string): Member {
    const found = readState(folder)?.members.find((one) => one.name === name)
    if (found === undefined || !isRunning(found)) throw new Error(`${name} does not run`)
    return found
  }
  return {
    ports,
    secrets,
    url: `http://${HOST}:${ports.haproxyWeb}`,
    db,
    member,
    postgresPids(nth) {
      const file = join(folder, `pg${nth + 1}`, 'data', 'postmaster.pid')
      return [member(`pg${nth + 1}`).pid, Number(readFileSync(file, 'utf8').split('\n')[0])]
    },
    async primary() {
      const asked = Array.from({ length: COUNT }, async (_, nth) => {
        const answer = await fetch(`http://${HOST}:${ports.patroni(nth)}/primary`, {
          signal: AbortSignal.timeout(1_000),
        })
        return answer.ok ? nth : null
      })
      const found = await Promise.all(asked.map((one) => one.catch(() => null)))
      return found.find((nth) => nth !== null) ?? null
    },
    async redisRole(name) {
      const [role] = (await askRedis(ports.redis(Number(name.slice(-1)) - 1), secrets.redis, 'role')) as [string]
      return role
    },
    revive: () => void revive(folder),
    async stop() {
      await db.close()
      await stopCluster(folder)
      await rm(folder, { recursive: true, force: true })
    },
  }
}
