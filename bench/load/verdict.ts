export type Written = 'bet' | 'message'

/** An act that the server acknowledged, with the id of its row and its player. */
export interface Acknowledged {
  readonly what: Written
  readonly id: string
  readonly playerId: string
  /** The id that the client gave the message; null for a bet, whose row has none. */
  readonly clientId: string | null
}

/** A bet or message of one of the run's players that was stored during the run and exists after it. */
export interface Stored extends Acknowledged {}

/** The number of a player's acts that never got an answer. Each of them may have been done or not. */
export interface Undecided {
  readonly what: Written
  readonly playerId: string
  readonly count: number
}

export interface Verdict {
  readonly acknowledged: number
  readonly found: number
  /** Acknowledged acts without a row. A row of another player, another client id, or another act does not count. */
  readonly lost: readonly Acknowledged[]
  /** The number of stored rows that belong to no acknowledged or undecided act. */
  readonly twice: number
}

/** Compares the acknowledged acts with the stored rows. */
export function judge(
  acknowledged: readonly Acknowledged[],
  stored: readonly Stored[],
  undecided: readonly Undecided[],
): Verdict {
  const rows = new Map(stored.map((row) => [`${row.what} ${row.id}`, row]))
  const taken = new Set<string>()
  const lost: Acknowledged[] = []
  const spare = new Map<string, number>()
  const spend = (what: Written, playerId: string, count: number) => {
    const key = `${what} ${playerId}`
    spare.set(key, (spare.get(key) ?? 0) + count)
  }
  for (const row of stored) spend(row.what, row.playerId, 1)
  for (const one of acknowledged) {
    const key = `${one.what} ${one.id}`
    const row = rows.get(key)
    if (row === undefined || taken.has(key) || row.playerId !== one.playerId || row.clientId !== one.clientId)
      lost.push(one)
    else {
      taken.add(key)
      spend(one.what, one.playerId, -1)
    }
  }
  for (const { what, playerId, count } of undecided) spend(what, playerId, -count)
  return {
    acknowledged: acknowledged.length,
    found: taken.size,
    lost,
    twice: [...spare.values()].reduce((sum, left) => sum + Math.max(0, left), 0),
  }
}

/** Returns the run's last line, such as `acknowledged 20, found 20, lost 0, twice 0`. */
export const verdictLine = ({ acknowledged, found, lost, twice }: Verdict): string =>
  `acknowledged ${acknowledged}, found ${found}, lost ${lost.length}, twice ${twice}`

/** Returns true if nothing was lost or stored twice, and at most `maxErrors` answers were unexpected. */
export const isRight = ({ lost, twice }: Verdict, unexpected: number, maxErrors: number): boolean =>
  lost.length === 0 && twice === 0 && unexpected <= maxErrors
