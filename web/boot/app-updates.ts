import { createSignal } from '#web/platform/signal.ts'

/**
 * The page's side of the service worker: registers it once, and notifies the listeners when a newer version of the
 * product waits. The page is never reloaded without a press: the player may be in the middle of a round.
 */

/** A page that stays open for days checks for an update at most this often, when it becomes visible. */
const askEveryMs = 3_600_000

let waiting: ServiceWorker | null = null
let isTakingOver = false
let isWatching = false
const changed = createSignal()

/** Whether a newer version is on this device and waits. */
export function hasUpdate(): boolean {
  return waiting !== null
}

/** Calls back when `hasUpdate` changed. */
export const onUpdateFound = changed.listen

/** Activates the waiting version and reloads this page. Other open pages keep running. */
export function takeUpdate(): void {
  isTakingOver = true
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker takes no origin, only windows do.
  waiting?.postMessage('take-over')
}

/**
 * Registers the service worker. Where service workers are unavailable (plain http, a private window) the product works
 * without one.
 */
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
    // Without a controller this is the first version, so there is no update to announce.
    waiting = navigator.serviceWorker.controller === null ? null : registration.waiting
    changed.tell()
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
