import { createSignal } from '#web/platform/signal.ts'

/** Follows the service worker's updates. A reload is left to the user, since a round may be running. */

const askEveryMs = 3_600_000

let waiting: ServiceWorker | null = null
let isBehind = false
let isWatching = false
const changed = createSignal()

export const hasUpdate = (): boolean => waiting !== null || isBehind

export const onUpdateFound = changed.listen

/** Activates the waiting version, if there is one, then reloads this page, and no other page. */
export function takeUpdate(): void {
  const reload = () => globalThis.location.reload()
  // No version waits, for example because another page has activated the waiting version.
  if (waiting?.state !== 'installed') return reload()
  waiting.addEventListener('statechange', reload, { once: true })
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker takes no origin, only windows do.
  waiting.postMessage('take-over')
}

export function watchForUpdates(): void {
  if (isWatching || !('serviceWorker' in navigator)) return
  isWatching = true
  navigator.serviceWorker
    .register('/sw.js', { updateViaCache: 'none' })
    .then(follow)
    .catch(() => {})
}

/**
 * Sets `isBehind`: true if the controlling worker's version has another entry script than this page. A new controller
 * alone does not prove that: it may be the page's first, or have the same entry script.
 */
async function compare(): Promise<void> {
  if (navigator.serviceWorker.controller === null) return
  const index = await fetch('/index.html')
  const entry = document.querySelector('script[type=module]')?.getAttribute('src') ?? ''
  isBehind = index.ok && !(await index.text()).includes(entry)
  changed.tell()
}

function follow(registration: ServiceWorkerRegistration): void {
  const look = () => {
    // Without a controller, the waiting version is the first version, so there is no update.
    waiting = navigator.serviceWorker.controller === null ? null : registration.waiting
    changed.tell()
  }
  look()
  // Another page may activate workers that exist already. For these, no `updatefound` event comes.
  for (const worker of [registration.installing, registration.waiting]) worker?.addEventListener('statechange', look)
  registration.addEventListener('updatefound', () => {
    registration.installing?.addEventListener('statechange', look)
  })
  const judge = () => void compare().catch(() => {})
  // An update may have been activated before this code ran. The back office needs no comparison, because its pages come
  // from the server, not from the worker.
  if (!globalThis.location.pathname.startsWith('/admin')) judge()
  navigator.serviceWorker.addEventListener('controllerchange', judge)
  let askedAtMs = performance.now()
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible' || performance.now() - askedAtMs < askEveryMs) return
    askedAtMs = performance.now()
    registration.update().catch(() => {})
  })
}
