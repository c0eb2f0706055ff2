/**
 * The service worker from the page's side: it is registered once, and a newer version of the product that waits is told
 * to whoever listens. Nothing is ever reloaded unasked: a page may be in the middle of a round.
 */

/** A page that stays open for days asks this often, when it is looked at. */
const askEveryMs = 3_600_000

let waiting: ServiceWorker | null = null
let isTakingOver = false
let isWatching = false
const listeners = new Set<() => void>()

/** Whether a newer version is on this device and waits. */
export function hasUpdate(): boolean {
  return waiting !== null
}

/** Calls back when `hasUpdate` changed. Returns the function that stops it. */
export function onUpdateFound(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Turns this page to the newer version: it takes over and the page is loaded anew. Other pages go on as they are. */
export function takeUpdate(): void {
  isTakingOver = true
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker takes no origin, only windows do.
  waiting?.postMessage('take-over')
}

/** Registers the service worker. Where there is none (plain http, a private window) the product works without. */
export function watchForUpdates(): void {
  if (isWatching || !('serviceWorker' in navigator)) return
  isWatching = true
  navigator.serviceWorker.addEventListener('controllerchange', () => {
    if (isTakingOver) globalThis.location.reload()
  })
  navigator.serviceWorker
    .register('/sw.js', { updateViaCache: 'none' })
    .then(follow)
    .catch(() => {})
}

function follow(registration: ServiceWorkerRegistration): void {
  const look = () => {
    // Without a controller this is the first version, which nobody has to be told of.
    waiting = navigator.serviceWorker.controller === null ? null : registration.waiting
    for (const listener of listeners) listener()
  }
  look()
  registration.addEventListener('updatefound', () => {
    registration.installing?.addEventListener('statechange', look)
  })
  let askedAtMs = performance.now()
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible' || performance.now() - askedAtMs < askEveryMs) return
    askedAtMs = performance.now()
    registration.update().catch(() => {})
  })
}
