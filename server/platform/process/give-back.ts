import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { repeating, type Stop } from './jobs.ts'

/** A crowd has gone when this many sockets have closed, and no more than a quarter is left. */
const CROWD = 1_000
const LEFT = 1 / 4
const LOOK_EVERY_MS = 2_000

/**
 * Gives memory back to the operating system once a crowd of sockets has gone. V8 collects the old part of its heap as
 * it grows; while few calls run it does not: 250 MB stay after 5,000 sockets (docs/benchmarks.md, fault 13). Not while
 * a crowd is still here or leaving: a collection takes the longer the more is alive.
 */
export function giveBackAfterCrowds(count: () => number, onFailure: (error: unknown) => void): Stop {
  const hasGone = createCrowdWatch()
  return repeating(LOOK_EVERY_MS, async () => (hasGone(count()) ? await giveBack() : undefined), onFailure)
}

export function createCrowdWatch(): (open: number) => boolean {
  let most = 0
  let before = 0
  return (open) => {
    most = Math.max(most, open)
    const isOver = most - open >= CROWD && open <= most * LEFT && open >= before
    before = open
    if (isOver) most = open
    return isOver
  }
}

/**
 * As V8 collects when the system is short of memory, the only way in which it unmaps its empty pages. With 75 MB alive
 * it takes 50 ms of this thread, and as much longer as V8's helpers wait for a core: 0.4 to 0.7 s on two cores with
 * twelve programs for them.
 */
export async function giveBack(): Promise<void> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as NodeJS.GCFunction
  await collect({ type: 'major', flavor: 'last-resort', execution: 'async' })
}
