import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { repeating, type Stop } from './jobs.ts'

// A crowd of sockets has left when the number of open sockets is at least CROWD below its peak, at most the share LEFT
// of the peak, and no longer falling.
const CROWD = 1_000
const LEFT = 1 / 4
const LOOK_EVERY_MS = 2_000

/** Gives memory back to the operating system once a crowd of sockets has left (docs/benchmarks.md, fault 13). */
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

/** Collects garbage as V8 does when memory is short, because V8 then also unmaps empty pages. */
export async function giveBack(): Promise<void> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as NodeJS.GCFunction
  await collect({ type: 'major', flavor: 'last-resort', execution: 'async' })
}
