import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'
import { beforeEach, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { pushEndpoints, pushMessages } from '#contract/push.ts'

/** The service worker, run as it is with a browser of the test around it. */

const source = readFileSync(new URL('service-worker.js', import.meta.url), 'utf8')
const origin = 'https://kim.example'

type Page = { url: string; focused: boolean; visibilityState: string; isListening: boolean }

let pages: Page[]
let log: string[]
let shown: Array<readonly [title: string, options: Record<string, unknown>]>
let sent: Array<readonly [address: string, init: RequestInit]>
let send: (name: string, event: object) => Promise<void>

beforeEach(() => {
  pages = []
  log = []
  shown = []
  sent = []
  const handlers = new Map<string, (event: object) => void>()
  const asClient = (page: Page) => ({
    ...page,
    focus: async () => void log.push(`focus ${page.url}`),
    navigate: async (href: string) => void log.push(`navigate ${page.url} to ${href}`),
    postMessage: ({ open }: { open: string }, [port]: [MessagePort]) => {
      log.push(`ask ${page.url} to open ${open}`)
      if (page.isListening) port.postMessage('opened')
    },
  })
  const self = {
    location: { origin },
    addEventListener: (name: string, handler: (event: object) => void) => handlers.set(name, handler),
    clients: {
      matchAll: async () => pages.map(asClient),
      openWindow: async (href: string) => void log.push(`window ${href}`),
    },
    registration: {
      showNotification: async (title: string, options: Record<string, unknown>) => void shown.push([title, options]),
      pushManager: { subscribe: async () => subscription('fresh') },
    },
  }
  const fetch = async (address: string, init: RequestInit) => void sent.push([address, init])
  runInNewContext(source, { self, fetch, URL, Set, Promise, JSON, MessageChannel, setTimeout, version: '1', files: [] })
  send = async (name, event) => {
    let work: Promise<void> | undefined
    handlers.get(name)?.({ ...event, waitUntil: (promise: Promise<void>) => (work = promise) })
    await work
  }
})

const subscription = (name: string) => ({
  endpoint: `https://push.example.com/${name}`,
  options: {},
  toJSON: () => ({
    endpoint: `https://push.example.com/${name}`,
    expirationTime: null,
    keys: { p256dh: `p256dh of ${name}`, auth: `auth of ${name}` },
  }),
})
const page = (path: string, fields: Partial<Page> = {}): Page => ({
  url: origin + path,
  focused: false,
  visibilityState: 'hidden',
  isListening: true,
  ...fields,
})
const press = (path: string) =>
  send('notificationclick', { notification: { close: () => log.push('close'), data: { path } } })

describe('a push', () => {
  const message = pushMessages['care-replied']
  const arrive = () => send('push', { data: { json: () => ({ ...message }) } })

  test('shows what the server wrote, under its tag', async () => {
    await arrive()
    const { title, body, tag, path } = message
    expect(shown).toEqual([[title, expect.objectContaining({ body, tag, data: { path }, silent: false })]])
  })

  test('makes no sound for whoever looks at the page', async () => {
    pages = [page('/'), page('/game/60s', { visibilityState: 'visible' })]
    await arrive()
    expect(shown[0]?.[1]).toMatchObject({ silent: true })
  })
})

describe('a press on a notification', () => {
  test('opens its path in a new window where no page is open', async () => {
    await press('/transaction')
    expect(log).toEqual(['close', `window ${origin}/transaction`])
  })

  test('goes there in the page in front, without a reload', async () => {
    pages = [page('/account'), page('/game/60s', { focused: true })]
    await press('/support')
    expect(log).toEqual(['close', `focus ${origin}/game/60s`, `ask ${origin}/game/60s to open /support`])
  })

  test('loads the path in a page that does not answer', async () => {
    pages = [page('/login', { isListening: false })]
    await press('/support')
    expect(log.at(-1)).toBe(`navigate ${origin}/login to ${origin}/support`)
  })

  test('leaves the back office alone', async () => {
    pages = [page('/admin/users', { focused: true })]
    await press('/support')
    expect(log).toEqual(['close', `window ${origin}/support`])
  })

  test.each(['https://evil.example/', '//evil.example/x', 'javascript:alert(1)'])('never leads to %s', async (path) => {
    pages = [page('/')]
    await press(path)
    expect(log).toEqual(['close'])
  })
})

describe('a subscription that the browser replaced', () => {
  const bodyOf = () => {
    const [address, init] = sent[0] ?? []
    return { address, body: z.decode(pushEndpoints.renewSubscription.body, JSON.parse(init?.body as string)) }
  }
  const renewed = (name: string) => ({
    address: pushEndpoints.renewSubscription.path,
    body: {
      endpoint: `https://push.example.com/${name}`,
      p256dh: `p256dh of ${name}`,
      authSecret: `auth of ${name}`,
      oldEndpoint: 'https://push.example.com/old',
      oldAuthSecret: 'auth of old',
    },
  })

  test('is named to the server, as the contract says', async () => {
    await send('pushsubscriptionchange', { oldSubscription: subscription('old'), newSubscription: subscription('new') })
    expect(bodyOf()).toEqual(renewed('new'))
  })

  test('or only took away: a new one is made', async () => {
    await send('pushsubscriptionchange', { oldSubscription: subscription('old'), newSubscription: null })
    expect(bodyOf()).toEqual(renewed('fresh'))
  })

  test('without a word about the old one: the next page tells the server', async () => {
    await send('pushsubscriptionchange', { oldSubscription: null, newSubscription: subscription('new') })
    expect(sent).toEqual([])
  })
})

describe('the versions on a device', () => {
  let stored: Map<string, Map<string, Response>>
  const cacheOf = (name: string) => {
    const entries = stored.get(name) ?? new Map<string, Response>()
    stored.set(name, entries)
    return {
      match: async (path: string) => entries.get(path)?.clone(),
      put: async (path: string, response: Response) => void entries.set(path, response),
    }
  }
  const caches = {
    open: async (name: string) => cacheOf(name),
    keys: async () => [...stored.keys()],
    delete: async (name: string) => stored.delete(name),
    match: async (path: string) =>
      [...stored.values()]
        .find((entries) => entries.has(path))
        ?.get(path)
        ?.clone(),
  }
  /** A worker whose version has one file, named after it. The server has only the newest one's. */
  const workerOf = (version: string) => {
    const handlers = new Map<string, (event: object) => void>()
    const self = {
      location: { origin },
      addEventListener: (name: string, handler: (event: object) => void) => handlers.set(name, handler),
      clients: { claim: async () => {} },
    }
    const fetch = async (path: string) => new Response(path, { status: path.includes(version) ? 200 : 404 })
    const files = [`/assets/late-${version}.js`]
    runInNewContext(source, { self, caches, fetch, URL, Set, Promise, Response, version, files })
    const run = async (name: string) => {
      let work: Promise<void> | undefined
      handlers.get(name)?.({ waitUntil: (promise: Promise<void>) => (work = promise) })
      await work
    }
    return { install: () => run('install'), activate: () => run('activate') }
  }
  const find = async (version: string) => {
    const worker = workerOf(version)
    await worker.install()
    return worker
  }
  const take = async (version: string) => (await find(version)).activate()
  const versions = () => [...stored.keys()].filter((name) => name.startsWith('kim-phien-')).toSorted()

  beforeEach(() => {
    stored = new Map()
  })

  test('are the active one and the one that was active before it, not one that nobody took', async () => {
    await take('v1')
    await find('v2')
    await take('v3')
    expect(versions()).toEqual(['kim-phien-v1', 'kim-phien-v3'])
    await find('v4')
    await take('v5')
    expect(versions()).toEqual(['kim-phien-v3', 'kim-phien-v5'])
  })

  test('are the same after the way back to a version that is still there', async () => {
    await take('v1')
    await take('v2')
    await take('v1')
    await find('v3')
    await take('v4')
    expect(versions()).toEqual(['kim-phien-v1', 'kim-phien-v4'])
  })

  test('all stay when the one before noted nothing, and when only the worker itself changed', async () => {
    for (const version of ['v1', 'v2']) await find(version)
    await take('v3')
    expect(versions()).toEqual(['kim-phien-v1', 'kim-phien-v2', 'kim-phien-v3'])
    await take('v4')
    await take('v4')
    expect(versions()).toEqual(['kim-phien-v3', 'kim-phien-v4'])
  })
})
