import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { repeating, type Stop } from './jobs.ts'

/** A crowd has gone when this many sockets have closed, and no more than a quarter is left. */
const CROWD = 1_000
const LEFT = 1 / 4
const LOOK_EVERY_MS = 2_000

/**
 * Gives memory back to the operating system once a crowd of sockets has gone. V8 collects the old part of its heap as
 * it grows; while few calls run it does not grow, and the crowd's memory stays allocated: 250 MB after 5,000 sockets,
 * even two minutes later (docs/benchmarks.md, fault 13). Nothing is done for a crowd that is still here or still
 * leaving: a collection takes the longer the more is alive.
 * @param count open sockets at the moment
 * @returns a function that stops it
 */
export function giveBackAfterCrowds(count: () => number, onFailure: (error: unknown) => void): Stop {
  const hasGone = createCrowdWatch()
  return repeating(LOOK_EVERY_MS, async () => (hasGone(count()) ? await giveBack() : undefined), onFailure)
}

/**
 * Creates the function that is called with the number of open sockets now and then, and returns true once for each
 * crowd that has gone.
 */
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
 * A collection as V8 makes it when the system is short of memory, the only one after which it unmaps its empty pages.
 * With 75 MB alive it takes 50 ms of this thread, and as much longer as V8's helpers wait for a core: 0.4 to 0.7 s on two
 * cores with twelve programs for them.
 */
export async function giveBack(): Promise<void> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as NodeJS.GCFunction
  await collect({ type: 'major', flavor: 'last-resort', execution: 'async' })
}
