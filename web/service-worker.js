/* global version, files -- written before this by scripts/service-worker-plugin.ts. */

/**
 * Caches the player's app on the device, so that it opens without a network, and a running page finds all of its files
 * after the server was updated. It never handles /api, /admin or any path that is not in its list.
 *
 * A new version waits until no page uses the old one, or until the user asks for it. The version that was active
 * before stays cached beside it, since a page that is still open may request its files.
 */

const prefix = 'kim-phien-'
const cacheName = prefix + version
const kept = new Set(files)
const index = '/index.html'

/** Paths that only the server answers, although browsers navigate to them. */
const serversOwn = /^\/(?:api|admin|docs|log|metrics|livez|readyz|socket\.io)(?:\/|$)/

self.addEventListener('install', (event) => {
  event.waitUntil(fill())
})

/**
 * Files with a hash in their name are copied from the previous version or from the browser's own cache; the others are
 * fetched anew. Two at a time: a browser opens six connections to a server, and the page needs some of them.
 */
async function fill() {
  const cache = await caches.open(cacheName)
  const left = [...files]
  const work = async () => {
    for (let path = left.shift(); path !== undefined; path = left.shift()) {
      const isHashed = path.startsWith('/assets/')
      const known = isHashed ? await caches.match(path) : undefined
      const response = known ?? (await fetch(path, { cache: isHashed ? 'default' : 'no-cache' }))
      if (!response.ok) throw new Error(`${path}: ${response.status}`)
      await cache.put(path, response)
    }
  }
  await Promise.all([work(), work()])
}

self.addEventListener('activate', (event) => {
  event.waitUntil(tidy().then(() => self.clients.claim()))
})

/**
 * Deletes all versions but this one and the one that was active before it. Their order does not tell which that was:
 * a version may be found and never taken. So each one leaves its name in a cache that is no version's.
 */
async function tidy() {
  const note = await caches.open('active-version')
  const before = await (await note.match('/active-version'))?.text()
  await note.put('/active-version', new Response(cacheName))
  // The active worker left no note, or was of this version itself: pages may use any of the others.
  if (before === undefined || before === cacheName) return
  const old = (name) => name.startsWith(prefix) && name !== cacheName && name !== before
  await Promise.all((await caches.keys()).filter(old).map((name) => caches.delete(name)))
}

self.addEventListener('message', (event) => {
  if (event.data === 'take-over') self.skipWaiting()
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (request.method !== 'GET' || url.origin !== self.location.origin) return
  if (request.mode === 'navigate') {
    if (!serversOwn.test(url.pathname)) event.respondWith(answer(index, request))
  } else if (kept.has(url.pathname) || url.pathname.startsWith('/assets/')) {
    event.respondWith(answer(url.pathname, request))
  }
})

/*
 * Pushes (rules §6.9). A message is shown as the server wrote it: { title, body, path, tag } of contract/push.ts.
 */

self.addEventListener('push', (event) => {
  event.waitUntil(show(event.data.json()))
})

/** Whoever looks at a page of ours has its news there, and hears no second sound. */
async function show({ title, body, path, tag }) {
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const silent = pages.some(({ visibilityState }) => visibilityState === 'visible')
  await self.registration.showNotification(title, {
    body,
    tag,
    silent,
    lang: 'vi',
    icon: '/icon-192.png',
    data: { path },
  })
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(open(event.notification.data.path))
})

/** Goes to a path of our own: in a page that is open already, else in a new one. */
async function open(path) {
  const { href, origin } = new URL(path, self.location.origin)
  if (origin !== self.location.origin) return
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const pages = windows.filter(({ url }) => !serversOwn.test(new URL(url).pathname))
  const page = pages.find(({ focused }) => focused) ?? pages[0]
  if (page === undefined) {
    await self.clients.openWindow(href)
    return
  }
  await page.focus()
  if (!(await isOpenedBy(page, path))) await page.navigate(href).catch(() => self.clients.openWindow(href))
}

/** Whether a page goes there by itself, without a reload: one that is still loading or signed out does not. */
function isOpenedBy(page, path) {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.addEventListener('message', () => resolve(true))
    port1.start()
    setTimeout(() => resolve(false), 500)
    page.postMessage({ open: path }, [port2])
  })
}

self.addEventListener('pushsubscriptionchange', (event) => {
  event.waitUntil(renew(event.oldSubscription, event.newSubscription))
})

/** The browser replaced its subscription. Where it does not tell the old one, the next page tells the server. */
async function renew(old, replacement) {
  if (!old) return
  const fresh = replacement ?? (await self.registration.pushManager.subscribe(old.options))
  const { endpoint, keys } = fresh.toJSON()
  const { p256dh, auth } = keys
  const body = { endpoint, p256dh, auth, oldEndpoint: old.endpoint, oldAuth: old.toJSON().keys.auth }
  const headers = { 'content-type': 'application/json' }
  await fetch('/api/v1/push/renewal', { method: 'POST', headers, body: JSON.stringify(body) })
}

/** Answers from this version, else from the previous one, else from the network. */
async function answer(path, request) {
  const own = await (await caches.open(cacheName)).match(path)
  return own ?? (await caches.match(path)) ?? fetch(request)
}
