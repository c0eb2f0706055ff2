import { refuse } from '#server/platform/http/errors.ts'

export interface Asker {
  /** True for a known device or a live session. Their tasks wait in one `Lane`, all other tasks in another. */
  readonly isKnown: boolean
  readonly address: string
  readonly account: string
}

export interface PasswordQueueLimits {
  /** `atOnce` tasks run at the same time. Up to `perAddress` tasks of an address and `perLane` of a lane may wait. */
  readonly atOnce: number
  readonly perAddress: number
  readonly perLane: number
}

export interface PasswordQueue {
  /**
   * Runs the task when its turn comes.
   * @throws Refused TOO_MANY_REQUESTS when too many tasks wait: either immediately, or later when an address or an
   * account with fewer waiting tasks needs the place
   */
  run<T>(asker: Asker, work: () => Promise<T>): Promise<T>
}

const RETRY_AFTER_S = 5

interface Waiting {
  start(): void
  refuse(): void
}

/** Waiting tasks of one address, by account. The first account in the map has the next turn. */
interface AddressLine {
  size: number
  readonly accounts: Map<string, Waiting[]>
}

/** Waiting tasks of one lane, by address. The first address in the map has the next turn. */
interface Lane {
  size: number
  readonly lines: Map<string, AddressLine>
}

/**
 * Creates a queue whose turns alternate between the two lanes, within a lane between addresses, and within an address
 * between accounts, so that many attempts from one address do not take the turns of other addresses.
 */
export function createPasswordQueue({ atOnce, perAddress, perLane }: PasswordQueueLimits): PasswordQueue {
  const known: Lane = { size: 0, lines: new Map() }
  const others: Lane = { size: 0, lines: new Map() }
  let running = 0
  let isKnownNext = true

  /**
   * Queues a task. If the asker's address has no room, refuses the newest task of the account that has the most tasks
   * at this address. If the lane has no room, refuses a task of the address that has the most tasks in the lane.
   * Returns false and changes nothing if that account or address has fewer than two tasks more than the asker's own.
   */
  function enqueue(lane: Lane, { address, account }: Asker, waiting: Waiting): boolean {
    const own = lane.lines.get(address)
    if (own !== undefined && own.size >= perAddress) {
      const ahead = own.accounts.get(account)?.length ?? 0
      if (!dropFrom(lane, address, own, ahead)) return false
    } else if (lane.size >= perLane) {
      const [longest, line] = longestOf(lane.lines, ({ size }) => size)
      if (longest === null || line.size < (own?.size ?? 0) + 2) return false
      dropFrom(lane, longest, line, -1)
    }
    const line = lane.lines.get(address) ?? { size: 0, accounts: new Map<string, Waiting[]>() }
    const waitingHere = line.accounts.get(account) ?? []
    waitingHere.push(waiting)
    line.accounts.set(account, waitingHere)
    line.size++
    lane.lines.set(address, line)
    lane.size++
    return true
  }

  function next(): Waiting | null {
    const lane = (isKnownNext && known.size > 0) || others.size === 0 ? known : others
    isKnownNext = lane !== known
    const [address, line] = firstOf(lane.lines)
    if (address === null) return null
    const [account, waiting] = firstOf(line.accounts)
    if (account === null) return null
    const first = waiting.shift() ?? null
    // The account and the address that had this turn move to the end of their maps.
    line.accounts.delete(account)
    if (waiting.length > 0) line.accounts.set(account, waiting)
    lane.lines.delete(address)
    line.size--
    lane.size--
    if (line.size > 0) lane.lines.set(address, line)
    return first
  }

  return {
    async run(asker, work) {
      if (running < atOnce) running++
      else
        await new Promise<void>((resolve, reject) => {
          const tooMany = () => reject(refuse('TOO_MANY_REQUESTS', undefined, RETRY_AFTER_S))
          if (!enqueue(asker.isKnown ? known : others, asker, { start: resolve, refuse: tooMany })) tooMany()
        })
      try {
        return await work()
      } finally {
        // The place goes to the next waiting task in the same step, so that a task that arrives now can't overtake.
        const following = next()
        if (following === null) running--
        else following.start()
      }
    },
  }
}

/**
 * Refuses the newest task of the account with the most waiting tasks at this address, if that account has at least
 * `ahead + 2` tasks. Returns whether a task was refused.
 * @param ahead the number of waiting tasks of the asker's own account; -1 to refuse a task in any case
 */
function dropFrom(lane: Lane, address: string, line: AddressLine, ahead: number): boolean {
  const [account, waiting] = longestOf(line.accounts, ({ length }) => length)
  if (account === null || waiting.length < ahead + 2) return false
  waiting.pop()?.refuse()
  if (waiting.length === 0) line.accounts.delete(account)
  line.size--
  lane.size--
  if (line.size === 0) lane.lines.delete(address)
  return true
}

function firstOf<V>(map: ReadonlyMap<string, V>): readonly [string, V] | readonly [null, null] {
  const { value } = map.entries().next()
  return value ?? [null, null]
}

function longestOf<V>(
  map: ReadonlyMap<string, V>,
  lengthOf: (value: V) => number,
): readonly [string, V] | readonly [null, null] {
  let longest: readonly [string, V] | readonly [null, null] = [null, null]
  let length = 0
  for (const entry of map)
    if (lengthOf(entry[1]) > length) {
      longest = entry
      length = lengthOf(entry[1])
    }
  return longest
}
