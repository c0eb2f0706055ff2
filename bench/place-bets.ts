import { points } from '#domain/money.ts'
import { bookKeyOf } from '#server/features/book/index.ts'
import { createBetPlacer } from '#server/features/game/index.ts'
import { claimOf } from '#server/features/wallet/index.ts'
import type { Database } from '#server/platform/database/db.ts'
import { newId } from '#server/platform/process/ids.ts'
import { encodeBet, fixedPrices, noHints } from '#testing/play/rounds.ts'
import { parsedTokenOf, ROUND_ID, STAKE_POINTS } from './world.ts'

const SIGNER = bookKeyOf(new Uint8Array(32).fill(7)).signerOf('kim-phien/bench')

/** Places one bet for each player within this process, with `inFlight` bets at a time. Returns the bets per second. */
export async function runPlacer(
  db: Database,
  players: readonly number[],
  inFlight: number,
  roundId = ROUND_ID,
): Promise<number> {
  const prices = fixedPrices(() => 2_000_000)
  const placeBet = createBetPlacer({ db, prices, hints: noHints, promiseSigner: () => SIGNER }, encodeBet)
  const calls = players.map((n) => {
    const wish = { roundId, stakeMinor: points(STAKE_POINTS), direction: 'up', seenBasis: 'PRICE' } as const
    return { ...wish, token: parsedTokenOf(n), claim: claimOf(`key-${n}`, wish) }
  })
  let next = 0
  const startedAt = performance.now()
  await Promise.all(
    Array.from({ length: inFlight }, async () => {
      for (let call = calls[next++]; call !== undefined; call = calls[next++]) {
        const answer = await placeBet({ ...call, betId: newId() })
        if (!answer.ok) throw new Error(`A bet was refused: ${answer.refusal}`)
      }
    }),
  )
  return (players.length / (performance.now() - startedAt)) * 1000
}
