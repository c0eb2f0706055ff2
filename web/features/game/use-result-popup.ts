import { useEffect, useRef, useState } from 'react'
import type { RoundType } from '#domain/game/calendar.ts'
import { deviceNowMs, toServerMs } from '#web/platform/server-time.ts'
import { addShownBetIds, readShownBetIds, readSignedInAtMs, writeSignedInAtMs } from '#web/platform/storage.ts'
import type { GameBet } from './api.ts'

type ShownResults = {
  /** The ids of bets whose popup has opened in this browser (spec §4.5). */
  readonly shownIds: readonly string[]
  /** When this browser signed in, in server time. Bets that were settled earlier count as shown (rules §2.10). */
  readonly signedInAtMs: number
}

/** Returns the latest bet if it is settled, of this type, and not shown yet (spec §4.5). @param bets newest first */
export function dueResult(bets: readonly GameBet[], type: RoundType, shown: ShownResults): GameBet | null {
  const latest = bets[0]
  if (latest === undefined || latest.status === 'open' || latest.round.type !== type) return null
  if (latest.settledAtMs === null || latest.settledAtMs <= shown.signedInAtMs) return null
  return shown.shownIds.includes(latest.id) ? null : latest
}

export type ResultPopup = ReturnType<typeof useResultPopup>

/**
 * Opens the result of the latest bet once per browser, in a visible tab (spec §4.5).
 * @param isStanding true while the settled bet stays on screen before the popup. Its result does not count as shown yet
 */
export function useResultPopup(bets: readonly GameBet[] | undefined, type: RoundType, isStanding: boolean) {
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
    // Looks in a later task: React's strict mode mounts twice, and the first mount's lock would block the second.
    const timer = setTimeout(lookAgain)
    document.addEventListener('visibilitychange', lookAgain)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', lookAgain)
    }
  }, [bets, type])
  useEffect(() => {
    if (bet !== null && !isStanding) addShownBetIds([bet.id])
  }, [bet, isStanding])
  return {
    bet,
    close: () => setBet(null),
    /** True while no popup is open and no bet of `bets` is about to open one. */
    isQuiet: bet === null && bets !== undefined && lookedAt === bets,
  }
}

function findDue(bets: readonly GameBet[], type: RoundType): GameBet | null {
  let signedInAtDeviceMs = readSignedInAtMs()
  if (signedInAtDeviceMs === null) {
    // Without a stored time of the sign-in, all bets that are settled by now count as shown.
    signedInAtDeviceMs = deviceNowMs()
    writeSignedInAtMs(signedInAtDeviceMs)
  }
  return dueResult(bets, type, { shownIds: readShownBetIds(), signedInAtMs: toServerMs(signedInAtDeviceMs) })
}

/** A tab keeps its claim to a bet's popup (`claim`) this long. By then the popup has opened and is stored as shown. */
const claimedMs = 5_000

/**
 * Returns whether this tab may open the popup: of several tabs, the first one to ask may.
 * @param left aborted when the player leaves the screen. If the popup was not shown by then, the claim ends
 */
async function claim(betId: string, left?: AbortSignal): Promise<boolean> {
  const isOpen = () => !readShownBetIds().includes(betId)
  // Browsers offer locks only in secure contexts. Elsewhere, two tabs may both open the popup.
  if (!('locks' in navigator)) return isOpen()
  return new Promise((resolve) => {
    void navigator.locks.request(`result-popup ${betId}`, { ifAvailable: true }, async (lock) => {
      const isOurs = lock !== null && isOpen() && left?.aborted !== true
      resolve(isOurs)
      if (!isOurs) return
      await new Promise<void>((done) => {
        setTimeout(done, claimedMs)
        left?.addEventListener('abort', () => isOpen() && done())
      })
    })
  })
}
