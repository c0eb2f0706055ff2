import { afterEach, expect, test, vi } from 'vitest'
import { SCREEN_PATHS } from '#contract/screen-paths.ts'
import { makeRouter } from './routes.tsx'

test('the server knows every path of the router, and no other', () => {
  // A path of an area and of its first screen are one.
  const paths = Object.keys(makeRouter().routesByPath).map((path) => path.replace(/(.)\/$/, '$1'))
  expect(paths.length).toBeGreaterThan(20)
  expect([...new Set(paths)].toSorted()).toEqual([...SCREEN_PATHS].toSorted())
})

afterEach(() => {
  vi.restoreAllMocks()
  globalThis.history.replaceState(null, '', '/')
})

test('a pressed link is where a visitor arrives after signing in, also on a page that the back button led to', async () => {
  vi.spyOn(performance, 'getEntriesByType').mockReturnValue([{ type: 'back_forward' }] as never)
  vi.resetModules()
  const entry = (key: string) => ({ key, __TSR_key: key, __TSR_index: 1 })
  globalThis.history.replaceState(entry('of who was here before'), '', '/bank')
  const router = (await import('./routes.tsx')).makeRouter()
  const wanted = async () => {
    await router.load()
    await vi.waitFor(() => expect(router.state).toMatchObject({ isLoading: false, location: { pathname: '/login' } }))
    const state: object = router.state.location.state
    return 'returnTo' in state ? state.returnTo : undefined
  }
  expect(await wanted()).toBeUndefined()
  router.history.push('/account')
  expect(await wanted()).toBe('/account')
  // Also within the page the buttons lead to what may be another user's.
  globalThis.history.replaceState(entry('another of theirs'), '', '/bank')
  globalThis.dispatchEvent(new PopStateEvent('popstate'))
  expect(await wanted()).toBeUndefined()
})
