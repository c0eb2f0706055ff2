import { afterEach, beforeEach, expect, test, vi } from 'vitest'

/** A page that runs version 1, in a browser of the test whose other pages find and take updates. */

class Worker extends EventTarget {
  state = 'installed'
  postMessage = vi.fn<(message: string) => void>()
  becomes(state: string) {
    this.state = state
    this.dispatchEvent(new Event('statechange'))
  }
}

const registration = Object.assign(new EventTarget(), { installing: null, waiting: null as Worker | null })
const container = Object.assign(new EventTarget(), {
  controller: null as object | null,
  register: async () => registration,
})
const reload = vi.fn<() => void>()
/** What the bar was told, each time. */
let heard: boolean[]
/** The version that the controlling worker, or without one the server, answers with. */
let answered: number
let updates: typeof import('./app-updates.ts')

beforeEach(async () => {
  vi.resetModules()
  vi.clearAllMocks()
  updates = await import('./app-updates.ts')
  heard = []
  updates.onUpdateFound(() => heard.push(updates.hasUpdate()))
  answered = 1
  registration.waiting = null
  container.controller = {}
  vi.stubGlobal('navigator', { serviceWorker: container })
  vi.stubGlobal('location', { reload, pathname: '/' })
  vi.stubGlobal('fetch', async () => new Response(`<script type="module" src="/assets/index-${answered}.js"></script>`))
  vi.stubGlobal('document', {
    addEventListener: () => {},
    querySelector: () => ({ getAttribute: () => '/assets/index-1.js' }),
  })
})
afterEach(() => vi.unstubAllGlobals())

/** Until what was begun has told the listeners, or would have. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 10))
const watch = () => {
  updates.watchForUpdates()
  return settle()
}
/** Another page takes the waiting version, whose files are those of the build `build`. */
const takeElsewhere = (build: number) => {
  const taken = registration.waiting
  registration.waiting = null
  taken?.becomes('activating')
  answered = build
  container.controller = taken
  container.dispatchEvent(new Event('controllerchange'))
  return settle()
}

test('a page whose update was taken in another one still offers it, and a press reloads the page', async () => {
  registration.waiting = new Worker()
  await watch()
  expect(heard.at(-1)).toBe(true)
  await takeElsewhere(2)
  expect(heard.at(-1)).toBe(true)
  updates.takeUpdate()
  expect(reload).toHaveBeenCalledOnce()
})

test('a page is behind also if the update was taken before it watched', async () => {
  answered = 2
  await watch()
  expect(heard.at(-1)).toBe(true)
})

test('a page of the back office, which the server sends, may be newer than the worker', async () => {
  vi.stubGlobal('location', { reload, pathname: '/admin/users' })
  answered = 2
  await watch()
  expect(heard.at(-1)).toBe(false)
})

test('a page that runs the version that was taken is not behind', async () => {
  registration.waiting = new Worker()
  await watch()
  await takeElsewhere(1)
  expect(heard.at(-1)).toBe(false)
})

test('the first version that takes control of its page is no update', async () => {
  container.controller = null
  registration.waiting = new Worker()
  await watch()
  expect(heard.at(-1)).toBe(false)
  await takeElsewhere(1)
  expect(heard.at(-1)).toBe(false)
})

test('a page that no worker controls is not compared: a reload would bring nothing newer', async () => {
  container.controller = null
  answered = 2
  await watch()
  expect(heard.at(-1)).toBe(false)
})
