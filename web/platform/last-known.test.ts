import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { keptStore } from '#web/testing/kept-store.ts'

const store = keptStore()
const { kept } = store
let known: typeof import('./last-known.ts')
let storage: typeof import('./storage.ts')
let cache: (typeof import('./query-client.ts'))['queryClient']
let build = 'main-1.js'

/** A page just loaded, with what the browser kept. */
async function aPage(): Promise<void> {
  vi.resetModules()
  known = await import('./last-known.ts')
  storage = await import('./storage.ts')
  cache = (await import('./query-client.ts')).queryClient
}

beforeEach(async () => {
  vi.useFakeTimers({ now: 1_000_000 })
  kept.clear()
  build = 'main-1.js'
  vi.stubGlobal('localStorage', store)
  const page = new EventTarget()
  vi.stubGlobal('document', Object.assign(page, { visibilityState: 'visible', querySelector: () => ({ src: build }) }))
  await aPage()
  storage.writeAccessToken('token')
  storage.writeSignedInAtMs(7)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const me = { id: 'u', balanceMinor: 100_050n }

describe('what was last known', () => {
  test('is there after a start without a server, with its age', async () => {
    const stop = known.keepLastKnown()
    cache.setQueryData(['me'], me)
    cache.setQueryData(['current-round', '30s'], { kind: 'round' })
    cache.setQueryData(['admin', 'users'], ['not kept'])
    await vi.advanceTimersByTimeAsync(10_000)
    stop()
    await aPage()
    known.restoreLastKnown()
    expect(cache.getQueryData(['me'])).toEqual(me)
    expect(cache.getQueryState(['me'])?.dataUpdatedAt).toBe(1_000_000)
    expect(cache.getQueryData(['current-round', '30s'])).toEqual({ kind: 'round' })
    expect(cache.getQueryData(['admin', 'users'])).toBeUndefined()
  })

  test('stays through a page that shows other screens', async () => {
    cache.setQueryData(['me'], me)
    cache.setQueryData(['candles', 'simulated'], { candles: [1] })
    known.keepLastKnown()()
    await aPage()
    cache.setQueryData(['me'], { ...me, balanceMinor: 5n })
    known.keepLastKnown()()
    await aPage()
    known.restoreLastKnown()
    expect(cache.getQueryData(['me'])).toEqual({ ...me, balanceMinor: 5n })
    expect(cache.getQueryData(['candles', 'simulated'])).toEqual({ candles: [1] })
  })

  test('replaces no answer of this page', async () => {
    cache.setQueryData(['me'], me)
    known.keepLastKnown()()
    await aPage()
    cache.setQueryData(['me'], { ...me, balanceMinor: 1n })
    known.restoreLastKnown()
    expect(cache.getQueryData(['me'])).toEqual({ ...me, balanceMinor: 1n })
  })

  test.each([
    ['another sign-in', () => storage.writeSignedInAtMs(8)],
    ['a sign-in on another tab', () => void storage.writeAccessToken('another')],
    ['another build', () => void (build = 'main-2.js')],
    ['a session that the server ended', () => storage.endStoredSession()],
    ['a logout', () => storage.clearStorage()],
    ['text that nobody can read', () => storage.writeLastKnown('{')],
  ])('is gone after %s', async (_, change) => {
    cache.setQueryData(['me'], me)
    known.keepLastKnown()()
    change()
    await aPage()
    known.restoreLastKnown()
    expect(cache.getQueryData(['me'])).toBeUndefined()
  })
})
