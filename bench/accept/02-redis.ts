import { setTimeout as sleep } from 'node:timers/promises'
import { COUNT } from '../../scripts/cluster/parts.ts'
import type { AttackLine } from '../attacks/report.ts'
import { openCluster } from './cluster-world.ts'
import { compareWritten, startWriters } from './writers.ts'

const WRITERS = 20
/** A command without an answer is given up after 1 s (server/platform/redis.ts), for all calls together. */
const LONGEST_MS = 2_500

/** Redis' master dies, then all of Redis hangs: no money call may be refused for it, or wait for long. */
export async function redisAway(isShort: boolean): Promise<AttackLine[]> {
  const world = await openCluster()
  const redis = Array.from({ length: COUNT }, (_, nth) => `redis${nth + 1}`)
  try {
    const writers = await startWriters(world.url, world.db, WRITERS)
    await sleep(2_000)
    process.kill(world.member('redis1').pid, 'SIGKILL')
    await sleep(isShort ? 8_000 : 12_000)
    const promoted = await Promise.all(redis.slice(1).map((name) => world.redisRole(name)))
    world.revive()
    await sleep(1_000)
    const killed = { ...writers.answers() }
    for (const name of redis) process.kill(world.member(name).pid, 'SIGSTOP')
    await sleep(isShort ? 6_000 : 60_000)
    for (const name of redis) process.kill(world.member(name).pid, 'SIGCONT')
    await sleep(2_000)
    const written = await writers.stop()
    const { lost, doubled } = await compareWritten(world.db, written)
    const refused = (answers: Readonly<Record<number, number>>) =>
      Object.entries(answers).reduce((all, [status, n]) => all + (['200', '201'].includes(status) ? 0 : n), 0)
    const calls = Object.values(written.answers).reduce((all, n) => all + n, 0)
    return [
      line('masters that the Sentinels made of two replicas', promoted.filter((role) => role === 'master').length, 1),
      line(`${calls} money calls: refused or lost while the master was away`, refused(killed), 0),
      line('the same while all of Redis hung', refused(written.answers) - refused(killed), 0),
      line('acknowledged writes that are lost', lost, 0),
      line('written twice', doubled, 0),
      {
        what: 'the longest money call',
        seen: `${Math.round(written.longestMs)} ms`,
        bar: `≤ ${LONGEST_MS} ms`,
        isMet: written.longestMs <= LONGEST_MS,
      },
    ]
  } finally {
    await world.stop()
  }
}

const line = (what: string, seen: number, bar: number): AttackLine => ({
  what,
  seen: String(seen),
  bar: String(bar),
  isMet: seen === bar,
})
