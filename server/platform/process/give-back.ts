import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { repeating, type Stop } from './jobs.ts'

/** A crowd has gone when at least CROWD sockets closed, at most LEFT of the peak are open, and no more are closing. */
const CROWD = 1_000
const LEFT = 1 / 4
const LOOK_EVERY_MS = 2_000

/**
 * Gives memory back to the operating system once a crowd of sockets has gone. V8 collects old objects only as its heap
 * grows, so 256 MiB would stay after 5,000 sockets (docs/benchmarks.md, fault 13). Earlier, while many of the sockets
 * are open, a collection would take longer, because more objects are alive.
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
 * Collects garbage as V8 does when memory is short, because only then does V8 unmap its empty pages. With 75 MB of live
 * objects this takes 50 ms of this thread, or 0.4 to 0.7 s when twelve programs compete for two cores.
 */
export async function giveBack(): Promise<void> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as NodeJS.GCFunction
  await collect({ type: 'major', flavor: 'last-resort', execution: 'async' })
}
