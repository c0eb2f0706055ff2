import { useState } from 'react'
import type { Coin } from '#contract/market.ts'
import { readStarredCoins, writeStarredCoins } from '#web/platform/storage.ts'

/** The coins with a star first, each group in the order of the market cap. */
export const starredFirst = (coins: readonly Coin[], starred: ReadonlySet<string>): readonly Coin[] => [
  ...coins.filter(({ id }) => starred.has(id)),
  ...coins.filter(({ id }) => !starred.has(id)),
]

/** The ids of the starred coins, kept on this device, and the function that adds or removes one. */
export function useStarredCoins(): readonly [ReadonlySet<string>, (coinId: string) => void] {
  const [starred, setStarred] = useState(() => new Set(readStarredCoins()))
  const toggle = (coinId: string) => {
    // Another tab may have added one.
    const next = new Set(readStarredCoins())
    if (!next.delete(coinId)) next.add(coinId)
    writeStarredCoins([...next])
    setStarred(next)
  }
  return [starred, toggle]
}
