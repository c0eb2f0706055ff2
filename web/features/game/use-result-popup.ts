import { useEffect, useState } from 'react'
import type { RoundType } from '#domain/game/calendar.ts'
import { deviceNowMs, serverNowMs } from '#web/platform/server-time.ts'
import { addShownBetIds, readShownBetIds, readSignedInAtMs, writeSignedInAtMs } from '#web/platform/storage.ts'
import type { GameBet } from './api.ts'
import { dueResult } from './latest-result.ts'

export type ResultPopup = {
  readonly bet: GameBet | null
  readonly close: () => void
  /** True while no result of these bets is shown here, nor about to be. */
  readonly isQuiet: boolean
}

/**
 * Opens the result of the latest bet once per browser, in the visible tab (spec §4).
 * @param isStanding while the last picture stands still no result counts as shown: the page may be left before it is
 */
export function useResultPopup(
  bets: readonly GameBet[] | undefined,
  type: RoundType,
  isStanding: boolean,
): ResultPopup {
  const [bet, setBet] = useState<GameBet | null>(null)
  const [lookedAt, setLookedAt] = useState<readonly GameBet[]>()
  useEffect(() => {
    if (bets === undefined || isStanding) return
    const look = async () => {
      if (document.visibilityState !== 'visible') return
      const due = findDue(bets, type)
      if (due !== null && (await claim(due.id))) setBet(due)
      setLookedAt(bets)
    }
    const lookAgain = () => void look()
    lookAgain()
    document.addEventListener('visibilitychange', lookAgain)
    return () => document.removeEventListener('visibilitychange', lookAgain)
  }, [bets, type, isStanding])
  return { bet, close: () => setBet(null), isQuiet: bet === null && bets !== undefined && lookedAt === bets }
}

function findDue(bets: readonly GameBet[], type: RoundType): GameBet | null {
  let signedInAtDeviceMs = readSignedInAtMs()
  if (signedInAtDeviceMs === null) {
    // The token came without a sign-in on this device: bets that are settled by now count as shown.
    signedInAtDeviceMs = deviceNowMs()
    writeSignedInAtMs(signedInAtDeviceMs)
  }
  const toServerMs = serverNowMs() - deviceNowMs()
  return dueResult(bets, type, { shownIds: readShownBetIds(), signedInAtMs: signedInAtDeviceMs + toServerMs })
}

/** Tabs are separate processes: a stored value may reach another tab only after this time. */
const storageLagMs = 3_000

/** Whether this tab may open the popup: of two tabs that receive a result at once, only one may. */
function claim(betId: string): Promise<boolean> {
  const take = () => {
    if (readShownBetIds().includes(betId)) return false
    addShownBetIds([betId])
    return true
  }
  // Browsers have no locks on plain http; two tabs that check at the same moment may then both open the popup.
  if (!('locks' in navigator)) return Promise.resolve(take())
  return new Promise((resolve) => {
    void navigator.locks.request(`result-popup ${betId}`, { ifAvailable: true }, async (lock) => {
      const isOurs = lock !== null && take()
      resolve(isOurs)
      if (isOurs) await new Promise((done) => setTimeout(done, storageLagMs))
    })
  })
}
