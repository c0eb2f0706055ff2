import { setTimeout as sleep } from 'node:timers/promises'
import { COUNT } from '../../scripts/cluster/parts.ts'
import { waitFor } from '#testing/time/until.ts'
import { type BarLine, exactly, withinS } from '../report.ts'
import { openCluster } from './cluster-world.ts'
import { openHintProbe } from './hint-probe.ts'
import { startLimitedProcesses } from './lone-limits.ts'
import { startTalkers } from './talkers.ts'
import { compareWritten, startWriters } from './writers.ts'

const WRITERS = 20
const CONVERSATIONS = 6
/** A command without an answer is given up after 1 s (server/platform/sockets/redis.ts), for all calls together. */
const LONGEST_MS = 2_500
/**
 * A connection to Redis is tried every 2 s; 3 s later sockets that may have missed an event are closed, over 2 s
 * (server/platform/sockets/socket-relay.ts), and their clients connect again within 1.5 s and ask.
 */
const AGAIN_S = 10
const PROMOTED_WITHIN_MS = 30_000

/**
 * Redis' master dies, then all of Redis hangs: no money call may be refused for it, or wait for long; nothing said in chat
 * is lost; every process counts limits alone; afterwards processes hear each other again.
 */
export async function redisAway(isShort: boolean): Promise<BarLine[]> {
  const world = await openCluster()
  const stops: Array<() => unknown> = []
  const redis = Array.from({ length: COUNT }, (_, nth) => `redis${nth + 1}`)
  try {
    const limited = await startLimitedProcesses(world)
    stops.push(() => limited.stop())
    const probe = await openHintProbe(world)
    stops.push(() => probe.close())
    const talkers = await startTalkers(world, CONVERSATIONS)
    const writers = await startWriters(world.url, world.db, WRITERS)
    const again = () => Promise.all([talkers.caughtUp(), probe.heardAfterMs()])
    const heardMs = await probe.heardAfterMs()
    const shared = await limited.register(
      'registrations from an address at two processes, with Redis',
      '203.0.113.1',
      [10, 0],
    )

    // A Sentinel that changes a Redis' role closes its connections, the one that asks as well.
    const roles = () => Promise.all(redis.slice(1).map((name) => world.redisRole(name).catch(() => null)))
    const killedMs = performance.now()
    process.kill(world.member('redis1').pid, 'SIGKILL')
    if ((await waitFor(async () => (await roles()).includes('master'), PROMOTED_WITHIN_MS)) === null)
      throw new Error('The Sentinels have promoted no replica.')
    const [afterKill, heardAfterKillMs] = await again()
    await sleep(Math.max(0, killedMs + (isShort ? 8_000 : 12_000) - performance.now()))
    const promoted = await roles()
    world.revive()
    await sleep(1_000)
    const killed = { ...writers.answers() }

    for (const name of redis) process.kill(world.member(name).pid, 'SIGSTOP')
    const [lone] = await Promise.all([
      limited.register('the same while all of Redis hung', '203.0.113.2', [10, 10]),
      sleep(isShort ? 6_000 : 60_000),
    ])
    for (const name of redis) process.kill(world.member(name).pid, 'SIGCONT')
    const [afterHang, heardAfterHangMs] = await again()
    const said = await talkers.stop()
    const written = await writers.stop()
    const { lost, doubled } = await compareWritten(world.db, written)
    const refused = (answers: Readonly<Record<number, number>>) =>
      Object.entries(answers).reduce((all, [status, n]) => all + (['200', '201'].includes(status) ? 0 : n), 0)
    const calls = Object.values(written.answers).reduce((all, n) => all + n, 0)
    const caughtUp = (when: string, { behind, afterMs }: typeof afterKill): BarLine => ({
      // If no list was behind, the processes would have heard each other all the time, and nothing would be proved.
      ...withinS(`${behind} of ${said.pages} lists of chat behind ${when}: caught up after`, afterMs, AGAIN_S),
      isMet: behind > 0 && afterMs <= AGAIN_S * 1_000,
    })
    return [
      exactly(
        'masters that the Sentinels made of two replicas',
        promoted.filter((role) => role === 'master').length,
        1,
      ),
      exactly(`${calls} money calls: refused or lost while the master was away`, refused(killed), 0),
      exactly('the same while all of Redis hung', refused(written.answers) - refused(killed), 0),
      exactly('acknowledged writes that are lost', lost, 0),
      exactly('written twice', doubled, 0),
      {
        what: 'the longest money call',
        seen: `${Math.round(written.longestMs)} ms`,
        bar: `≤ ${LONGEST_MS} ms`,
        isMet: written.longestMs <= LONGEST_MS,
      },
      exactly(`${said.sent} messages of chat between processes: lost`, said.lost, 0),
      exactly('the same: stored twice', said.doubled, 0),
      exactly('the same: stored in another order', said.disordered, 0),
      exactly(`${said.pages} lists of chat: unlike the database at the end`, said.differing, 0),
      caughtUp('after the promotion', afterKill),
      caughtUp('when Redis answered again', afterHang),
      withinS('events of each process heard at both others, before', heardMs, AGAIN_S),
      withinS('the same after the promotion', heardAfterKillMs, AGAIN_S),
      withinS('the same when Redis answered again', heardAfterHangMs, AGAIN_S),
      shared,
      lone,
    ]
  } finally {
    for (const stop of stops) await stop()
    await world.stop()
  }
}
