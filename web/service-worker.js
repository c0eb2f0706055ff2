/* global version, files -- scripts/service-worker-plugin.ts defines them above this code. */

/**
 * Caches the player's app on the device, so that the app opens without a network and a running page finds all its files
 * after an update of the server. The worker answers navigations to the app, and GET requests for `files` and for paths
 * below /assets/. The browser sends all other requests to the server, such as those to /api and /admin.
 *
 * A new version waits until no page uses the old one, or until the user asks for it. The version that was active before
 * stays cached, too, since a page that is still open may request files of that version.
 */

const prefix = 'kim-phien-'
const cacheName = prefix + version
const kept = new Set(files)
const index = '/index.html'

/** Paths that only the server answers. Browsers navigate to them, too, and must not get the app from the worker. */
const serversOwn = /^\/(?:api|admin|docs|log|metrics|livez|readyz|socket\.io)(?:\/|$)/

self.addEventListener('install', (event) => {
  event.waitUntil(fill())
})

/**
 * Fills this version's cache. A file with a hash in its name is taken from the cache of another version or from the
 * browser's own cache if possible; any other file is checked with the server. Only two files are fetched at a time: a
 * browser opens six connections to a server, and the page needs some of them.
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
 * Deletes the caches of all versions except this version and the one that was active before. The order of the caches
 * does not show which version was active, since a version may be downloaded and never activated. So each version stores
 * its name in a separate cache when it becomes active.
 */
async function tidy() {
  const note = await caches.open('active-version')
  const before = await (await note.match('/active-version'))?.text()
  await note.put('/active-version', new Response(cacheName))
  // If no version has stored its name, or this version already has, open pages may use any version, so delete none.
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

/** Shows a notification, silently while a page of ours is visible, because that page shows the news itself. */
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

/**
 * Opens a path of our own origin: in a player's page that is open already, otherwise in a new page. Ignores other
 * origins.
 */
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

/**
 * Asks a page to go to the path without a reload. Resolves with false if the page does not answer within half a second,
 * for example because it is still loading or signed out.
 */
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

/**
 * Reports to the server that the browser replaced its push subscription. Subscribes anew if the browser has not.
 * If the browser does not name the old subscription, the next page of a signed-in player reports the new one.
 */
async function renew(old, replacement) {
  if (!old) return
  const fresh = replacement ?? (await self.registration.pushManager.subscribe(old.options))
  const { endpoint, keys } = fresh.toJSON()
  const { p256dh, auth } = keys
  const body = { endpoint, p256dh, auth, oldEndpoint: old.endpoint, oldAuth: old.toJSON().keys.auth }
  const headers = { 'content-type': 'application/json' }
  await fetch('/api/v1/push/renewal', { method: 'POST', headers, body: JSON.stringify(body) })
}

/**
 * Answers from the cache of this version if the file is there, otherwise from the cache of another version, otherwise
 * from the network.
 */
async function answer(path, request) {
  const own = await (await caches.open(cacheName)).match(path)
  return own ?? (await caches.match(path)) ?? fetch(request)
}
