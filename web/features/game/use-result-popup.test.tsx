import { locks } from 'node:worker_threads'
import { renderHook, waitFor } from '@testing-library/react'
import { expect, test, describe } from 'vitest'
import { writeSignedInAtMs } from '#web/platform/storage.ts'
import { aWonBet, aBet, opensAtMs } from '#web/testing/game.ts'
import { useResultPopup, dueResult } from './use-result-popup.ts'

/** Locks of a browser, which this DOM has not. `before` delays their grant. */
function offerLocks(before?: () => Promise<void>): void {
  const request = async (name: string, options: object, work: (lock: object | null) => unknown) => {
    await before?.()
    return locks.request(name, options, work)
  }
  Object.defineProperty(navigator, 'locks', { value: { request }, configurable: true })
}

test('a popup opens although strict mode mounts the screen twice, as in development', async () => {
  offerLocks()
  writeSignedInAtMs(0)
  const bets = [aWonBet({ id: 'strict' })]
  const { result } = renderHook(() => useResultPopup(bets, '30s', true), { reactStrictMode: true })
  await waitFor(() => expect(result.current.bet).toBe(bets[0]))
})

test('a player who leaves before the claim is granted sees the popup on the next screen', async () => {
  const [asked, granted] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  offerLocks(() => {
    asked.resolve()
    return granted.promise
  })
  writeSignedInAtMs(0)
  const bets = [aWonBet()]
  const open = () => renderHook(() => useResultPopup(bets, '30s', true))
  const { unmount } = open()
  await asked.promise
  unmount()
  granted.resolve()
  await granted.promise
  const isFree = () => locks.request('result-popup bet-1', { ifAvailable: true }, (lock) => lock !== null)
  await waitFor(async () => expect(await isFree()).toBe(true))
  const { result } = open()
  await waitFor(() => expect(result.current.bet).toBe(bets[0]))
})

const shown = { shownIds: [], signedInAtMs: opensAtMs }

describe('the result popup that is due (spec §4)', () => {
  test('is the latest bet once it is settled', () => {
    expect(dueResult([aWonBet()], '30s', shown)?.id).toBe('bet-1')
    expect(dueResult([aBet()], '30s', shown)).toBeNull()
    expect(dueResult([], '30s', shown)).toBeNull()
  })

  test.each(['won', 'lost', 'voided'] as const)('is due for a bet that was %s', (status) => {
    expect(dueResult([aWonBet({ status })], '30s', shown)).not.toBeNull()
  })

  test('is limited to the selected type', () => {
    expect(dueResult([aWonBet()], '60s', shown)).toBeNull()
  })

  test('is never due twice', () => {
    expect(dueResult([aWonBet()], '30s', { ...shown, shownIds: ['bet-1'] })).toBeNull()
  })

  test('is not an older bet’s while a newer one is open', () => {
    expect(dueResult([aBet({ id: 'bet-2' }), aWonBet()], '30s', shown)).toBeNull()
  })

  test('is not that of a bet settled before this sign-in (rules §2)', () => {
    const settledAtMs = aWonBet().settledAtMs ?? 0
    expect(dueResult([aWonBet()], '30s', { ...shown, signedInAtMs: settledAtMs })).toBeNull()
    expect(dueResult([aWonBet()], '30s', { ...shown, signedInAtMs: settledAtMs - 1 })).not.toBeNull()
  })
})
