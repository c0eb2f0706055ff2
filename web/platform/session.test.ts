import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keptStore } from '#web/testing/kept-store.ts'

let local: ReturnType<typeof keptStore>
let tab: ReturnType<typeof keptStore>

beforeEach(() => {
  local = keptStore()
  tab = keptStore()
  vi.stubGlobal('localStorage', local)
  vi.stubGlobal('sessionStorage', tab)
})

afterEach(() => {
  vi.unstubAllGlobals()
})

/** A new page on the same device: new modules, a new document. */
async function openPage() {
  vi.resetModules()
  const listeners: (readonly [string, (event: object) => void])[] = []
  const listen = (name: string, listener: (event: object) => void) => void listeners.push([name, listener])
  const happens = (name: string, event: object = {}) => {
    for (const [heard, listener] of listeners) if (heard === name) listener(event)
  }
  const root = { hidden: false }
  const went: string[] = []
  vi.stubGlobal('document', { documentElement: root, addEventListener: listen, readyState: 'complete' })
  vi.stubGlobal('addEventListener', listen)
  vi.stubGlobal('requestAnimationFrame', (draw: () => void) => setTimeout(draw))
  vi.stubGlobal('location', {
    replace: (to: string) => {
      went.push(to)
      happens('pagehide')
    },
  })
  const session = await import('./session.ts')
  const storage = await import('./storage.ts')
  const tabStorage = await import('./tab-storage.ts')
  const entries = await import('./user-entries.ts')
  session.followSession()
  return { session, storage, tabStorage, entries, happens, root, went }
}

test('logout forgets the user at once, and leaves the page when the server has answered', async () => {
  const page = await openPage()
  page.storage.writeAccessToken('of an')
  await page.entries.keepEntry('unsent', 'an', { id: '1' })
  tab.kept.set('scroll positions', '{"/transaction?request=1":0}')
  let answer = (): void => {}
  const left = page.session.forgetUserAndLeave(new Promise<void>((resolve) => (answer = resolve)))
  expect([...local.kept, ...tab.kept]).toEqual([])
  await vi.waitFor(async () => expect(await page.entries.countUnsent('an')).toBe(0))
  // Calls that fail meanwhile because the token is gone do not leave the page earlier.
  page.session.leaveIfOver()
  page.session.endSession()
  expect(page.went).toEqual([])
  answer()
  await left
  expect([page.went, page.root.hidden]).toEqual([['/'], true])
})

test('the router’s storage on pagehide is cleared afterwards', async () => {
  const page = await openPage()
  page.storage.writeAccessToken('of an')
  vi.stubGlobal('location', {
    replace: () => {
      tab.kept.set('scroll positions', '{}')
      page.happens('pagehide')
    },
  })
  await page.session.forgetUserAndLeave(Promise.resolve())
  expect([...tab.kept]).toEqual([])
})

test('after the server ended a session the sign-in form shows a notice once', async () => {
  const page = await openPage()
  page.storage.writeAccessToken('of an')
  page.session.endSession()
  page.session.endSession()
  expect([page.went, page.root.hidden, page.storage.readAccessToken()]).toEqual([['/'], true, null])
  const next = await openPage()
  expect([next.session.hasSession(), next.tabStorage.takeSessionEndedNotice()]).toEqual([false, true])
  expect(next.tabStorage.takeSessionEndedNotice()).toBe(false)
})

test.each([
  ['signed out', null],
  ['signed in as another', 'of binh'],
])('a tab leaves when another one is %s', async (_, token) => {
  const page = await openPage()
  page.storage.writeAccessToken('of an')
  const elsewhere = () => (token === null ? local.kept.clear() : local.kept.set('access_token', token))
  page.happens('storage', { key: 'theme' })
  page.happens('visibilitychange')
  expect(page.went).toEqual([])
  elsewhere()
  page.happens('storage', { key: token === null ? null : 'access_token' })
  expect([page.went, page.root.hidden]).toEqual([['/'], true])
})

test('a page from the browser’s back-forward cache shows nothing of a session that is over', async () => {
  const page = await openPage()
  page.storage.writeAccessToken('of an')
  page.happens('pageshow', { persisted: true })
  expect(page.went).toEqual([])
  await page.session.forgetUserAndLeave(Promise.resolve())
  page.happens('pageshow', { persisted: true })
  expect([page.went, page.root.hidden]).toEqual([['/', '/'], true])
})

test('after a token was removed by hand the next session check leaves the page', async () => {
  const page = await openPage()
  page.storage.writeAccessToken('of an')
  expect(page.session.hasSession()).toBe(true)
  local.kept.delete('access_token')
  expect(page.session.hasSession()).toBe(false)
  expect(page.went).toEqual(['/'])
})

test('the tab with the sign-in form stays when another one signs in', async () => {
  const page = await openPage()
  expect(page.session.hasSession()).toBe(false)
  local.kept.set('access_token', 'of an')
  page.happens('storage', { key: 'access_token' })
  expect(page.went).toEqual([])
})

test('the signed-in user claims the device: data of others is deleted, their own stays', async () => {
  const first = await openPage()
  first.storage.writeAccessToken('of an')
  first.storage.addShownBetIds(['bet'])
  first.session.claimDevice('an')
  await vi.waitFor(() => expect(first.storage.readOwner()).toBe('an'))
  expect(first.storage.readShownBetIds()).toEqual(['bet'])
  first.session.endSession()

  const again = await openPage()
  again.storage.writeAccessToken('of an again')
  again.session.claimDevice('an')
  expect(again.storage.readShownBetIds()).toEqual(['bet'])
  again.session.endSession()

  const other = await openPage()
  other.storage.writeAccessToken('of binh')
  await other.entries.keepEntry('unsent', 'an', { id: '1' })
  await other.entries.keepEntry('unsent', 'binh', { id: '2' })
  other.session.claimDevice('binh')
  expect(other.storage.readShownBetIds()).toEqual([])
  await vi.waitFor(() => expect(other.storage.readOwner()).toBe('binh'))
  expect([await other.entries.countUnsent('an'), await other.entries.countUnsent('binh')]).toEqual([0, 1])
  expect(other.storage.readAccessToken()).toBe('of binh')
})
