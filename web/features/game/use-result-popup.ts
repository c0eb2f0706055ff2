import { useEffect, useState } from 'react'
import type { RoundType } from '#domain/game/calendar.ts'
import { deviceNowMs, serverNowMs } from '#web/platform/server-time.ts'
import { addShownBetIds, readShownBetIds, readSignedInAtMs, writeSignedInAtMs } from '#web/platform/storage.ts'
import type { GameBet } from './api.ts'
import { dueResult } from './latest-result.ts'

export type ResultPopup = { readonly bet: GameBet | null; readonly close: () => void }

/** Opens the result of the latest bet once in this browser, in the tab that is looked at (spec §4). */
export function useResultPopup(bets: readonly GameBet[] | undefined, type: RoundType): ResultPopup {
  const [bet, setBet] = useState<GameBet | null>(null)
  useEffect(() => {
    if (bets === undefined) return
    const look = () => {
      if (document.visibilityState !== 'visible') return
      const due = findDue(bets, type)
      if (due !== null) void claim(due.id).then((isOurs) => isOurs && setBet(due))
    }
    look()
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [bets, type])
  return { bet, close: () => setBet(null) }
}

function findDue(bets: readonly GameBet[], type: RoundType): GameBet | null {
  let signedInAtDeviceMs = readSignedInAtMs()
  if (signedInAtDeviceMs === null) {
    // A token that came without a sign-in here: what is settled by now is old news.
    signedInAtDeviceMs = deviceNowMs()
    writeSignedInAtMs(signedInAtDeviceMs)
  }
  const toServerMs = serverNowMs() - deviceNowMs()
  return dueResult(bets, type, { shownIds: readShownBetIds(), signedInAtMs: signedInAtDeviceMs + toServerMs })
}

/** Tabs are separate processes: what one has stored, another may not see before this time has passed. */
const storageLagMs = 3_000

/** Whether this tab is the one to show it: two tabs that learn of a result at once must not both. */
function claim(betId: string): Promise<boolean> {
  const take = () => {
    if (readShownBetIds().includes(betId)) return false
    addShownBetIds([betId])
    return true
  }
  // Browsers have no locks on plain http; there two tabs that look in the same moment may both show it.
  if (!('locks' in navigator)) return Promise.resolve(take())
  return new Promise((resolve) => {
    void navigator.locks.request(`result-popup ${betId}`, { ifAvailable: true }, async (lock) => {
      const isOurs = lock !== null && take()
      resolve(isOurs)
      if (isOurs) await new Promise((done) => setTimeout(done, storageLagMs))
    })
  })
}
