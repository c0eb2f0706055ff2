import { useEffect, useRef, useState } from 'react'
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
 * @param isStanding while the last picture stands still the result is this tab's, but does not count as shown: the page may be
 *   left before it is
 */
export function useResultPopup(
  bets: readonly GameBet[] | undefined,
  type: RoundType,
  isStanding: boolean,
): ResultPopup {
  const [bet, setBet] = useState<GameBet | null>(null)
  const [lookedAt, setLookedAt] = useState<readonly GameBet[]>()
  const leaving = useRef<AbortController>(null)
  useEffect(() => {
    const controller = (leaving.current = new AbortController())
    return () => controller.abort()
  }, [])
  useEffect(() => {
    if (bets === undefined) return
    const look = async () => {
      if (document.visibilityState !== 'visible') return
      const due = findDue(bets, type)
      if (due !== null && (await claim(due.id, leaving.current?.signal))) setBet(due)
      setLookedAt(bets)
    }
    const lookAgain = () => void look()
    lookAgain()
    document.addEventListener('visibilitychange', lookAgain)
    return () => document.removeEventListener('visibilitychange', lookAgain)
  }, [bets, type])
  useEffect(() => {
    if (bet !== null && !isStanding) addShownBetIds([bet.id])
  }, [bet, isStanding])
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

/** A picture stands still, then the result is stored as shown, which may reach another tab, a process of its own, only later. */
const claimedMs = 5_000

/**
 * Whether this tab may open the popup: of two tabs that receive a result at once, only one may.
 * @param left aborted when the screen is left: the result is another one's unless it was shown
 */
async function claim(betId: string, left?: AbortSignal): Promise<boolean> {
  const isOpen = () => !readShownBetIds().includes(betId)
  // Browsers have no locks on plain http; two tabs that check at the same moment may then both open the popup.
  if (!('locks' in navigator)) return isOpen()
  return new Promise((resolve) => {
    void navigator.locks.request(`result-popup ${betId}`, { ifAvailable: true }, async (lock) => {
      const isOurs = lock !== null && isOpen()
      resolve(isOurs)
      if (!isOurs) return
      await new Promise<void>((done) => {
        setTimeout(done, claimedMs)
        left?.addEventListener('abort', () => isOpen() && done())
      })
    })
  })
}
