import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { verifyLedger } from '#server/features/wallet/index.ts'
import { COUNT, HOST } from '../../scripts/cluster/parts.ts'
import { until } from '#testing/time/until.ts'
import { type BarLine, exactly } from '../report.ts'
import type { ClusterWorld } from './cluster-world.ts'
import { openCluster } from './cluster-world.ts'
import { compareWritten, startWriters, type Written } from './writers.ts'

const WRITERS = 50
const AGAIN_MS = 15_000
const FROZEN_MS = 30_000
const GIVEN_UP_MS = 90_000

/** The act on the primary, or on the etcd that leads. */
type Fault = 'kill' | 'freeze' | 'kill etcd' | 'freeze etcd'

/**
 * Writes to every server that accepts a write, as long as it runs: a write that two primaries accepted is lost with one
 * of them.
 */
function startProbe({ ports, secrets }: ClusterWorld) {
  const taken: string[] = []
  let isOver = false
  const probing = Promise.all(
    Array.from({ length: COUNT }, async (_, nth) => {
      for (let n = 0; !isOver; n++) {
        const client = new pg.Client({
          ...{ host: HOST, port: ports.postgres(nth), user: 'postgres', password: secrets.superuser },
          ...{ database: 'postgres', connectionTimeoutMillis: 1_000, query_timeout: 2_000 },
        })
        client.on('error', () => {})
        const key = `${nth}-${n}`
        try {
          await client.connect()
          // A standby refuses this write.
          await client.query('insert into probe (key) values ($1)', [key])
          taken.push(key)
        } catch {
          // The probe's server is away, or takes no writes.
        } finally {
          void client.end().catch(() => {})
        }
        await sleep(100)
      }
    }),
  )
  return {
    async stop(): Promise<readonly string[]> {
      isOver = true
      await probing
      return taken
    },
  }
}

/** The primary dies, or hangs, under 50 writers; etcd's leader dies. */
export async function failover(isShort: boolean): Promise<BarLine[]> {
  const world = await openCluster()
  const seen: Written[] = []
  const againMs: number[] = []
  const lines: BarLine[] = []
  try {
    await asSuperuser(world, 'create table probe (key text primary key)')
    const probe = startProbe(world)
    const faults: readonly Fault[] = isShort
      ? ['kill']
      : [...Array.from({ length: 20 }, () => 'kill' as const), 'freeze', 'freeze etcd', 'kill etcd']
    for (const [nth, fault] of faults.entries()) {
      const writers = await startWriters(world.url, world.db, WRITERS)
      await sleep(3_000)
      const old = await world.primary()
      if (old === null) throw new Error('There is no primary to take away.')
      const isOfEtcd = fault === 'kill etcd' || fault === 'freeze etcd'
      const pids = isOfEtcd ? [await etcdLeaderPid(world)] : world.postgresPids(old)
      const isFrozen = fault === 'freeze' || fault === 'freeze etcd'
      const beganMs = performance.now()
      for (const pid of pids) process.kill(pid, isFrozen ? 'SIGSTOP' : 'SIGKILL')
      // etcd elects another leader by itself; the primary stays.
      const promotedMs = isOfEtcd ? performance.now() : await promotion(world, old)
      // Waits for an acknowledgement that was made after the promotion.
      await until('it has healed', GIVEN_UP_MS, () => writers.lastMs() > promotedMs)
      againMs.push(writers.lastMs() - promotedMs)
      process.stderr.write(
        `  ${nth + 1} ${fault}: promoted after ${((promotedMs - beganMs) / 1000).toFixed(1)} s, money again ${((againMs.at(-1) ?? 0) / 1000).toFixed(1)} s later\n`,
      )
      await sleep(isFrozen ? Math.max(2_000, FROZEN_MS - (performance.now() - beganMs)) : 2_000)
      if (isFrozen) {
        for (const pid of pids) process.kill(pid, 'SIGCONT')
        // A process that was frozen goes on in its old state, and must not be believed.
        await sleep(5_000)
      }
      seen.push(await writers.stop())
      if (!isShort) await restore(world, old, isOfEtcd)
    }
    const taken = await probe.stop()
    const { rows } = await asSuperuser<{ key: string }>(world, 'select key from probe')
    const kept = new Set(rows.map(({ key }) => key))
    const lostProbes = taken.filter((key) => !kept.has(key)).length
    const compared = await Promise.all(seen.map((written) => compareWritten(world.db, written)))
    const sum = (of: 'lost' | 'doubled') => compared.reduce((all, one) => all + one[of], 0)
    const acknowledged = seen.reduce((all, { filed, cancelled }) => all + filed.length + cancelled.length, 0)
    const ledger = await verifyLedger(world.db, true)
    const longest = Math.max(...againMs)
    lines.push(
      exactly(`${acknowledged} acknowledged writes over ${faults.length} failures: lost`, sum('lost'), 0),
      exactly('the same: written twice', sum('doubled'), 0),
      exactly(`${taken.length} writes taken by any server directly: lost`, lostProbes, 0),
      exactly('differences in the ledger', ledger.findings.length, 0),
      {
        what: 'money again after the promotion',
        seen: `${(longest / 1000).toFixed(1)} s at most`,
        bar: `≤ ${AGAIN_MS / 1000} s`,
        isMet: longest <= AGAIN_MS,
      },
    )
  } finally {
    await world.stop()
  }
  return lines
}

/** The etcd that leads the others says so of itself. */
async function etcdLeaderPid(world: ClusterWorld): Promise<number> {
  for (let nth = 0; nth < COUNT; nth++) {
    const answer = await fetch(`http://${HOST}:${world.ports.etcd(nth)}/v3/maintenance/status`, {
      method: 'POST',
      body: '{}',
    })
    const { header, leader } = (await answer.json()) as { header: { member_id: string }; leader: string }
    if (header.member_id === leader) return world.member(`etcd${nth + 1}`).pid
  }
  throw new Error('No etcd leads.')
}

/** When another server was the primary, by `performance.now()`. */
async function promotion(world: ClusterWorld, old: number): Promise<number> {
  await until('it has healed', GIVEN_UP_MS, async () => {
    const now = await world.primary()
    return now !== null && now !== old
  })
  return performance.now()
}

/** Starts the killed processes again, and waits until the server that was taken away follows the new primary. */
async function restore(world: ClusterWorld, nth: number, isPrimary: boolean): Promise<void> {
  world.revive()
  if (isPrimary) return
  await until('it has healed', GIVEN_UP_MS, async () => {
    const answer = await fetch(`http://${HOST}:${world.ports.patroni(nth)}/replica`).catch(() => null)
    return answer?.ok === true
  })
}

async function asSuperuser<R extends pg.QueryResultRow>(
  { ports, secrets }: ClusterWorld,
  text: string,
): Promise<pg.QueryResult<R>> {
  const client = new pg.Client({
    ...{ host: HOST, port: ports.haproxyPostgres, user: 'postgres', password: secrets.superuser, database: 'postgres' },
  })
  await client.connect()
  try {
    return await client.query<R>(text)
  } finally {
    await client.end()
  }
}
