import { createSignal } from '#web/platform/signal.ts'

/**
 * The page's side of the service worker: registers it once, and notifies the listeners when a newer version of the
 * product waits, or was taken in another page. The page is never reloaded without a press: the player may be in the
 * middle of a round.
 */

/** A page that stays open for days checks for an update at most this often, when it becomes visible. */
const askEveryMs = 3_600_000

let waiting: ServiceWorker | null = null
let isBehind = false
let isWatching = false
const changed = createSignal()

/** Whether a newer version than this page's is on this device. */
export function hasUpdate(): boolean {
  return waiting !== null || isBehind
}

/** Calls back when `hasUpdate` changed. */
export const onUpdateFound = changed.listen

/** Activates the waiting version and reloads this page as soon as it is active. Other open pages keep running. */
export function takeUpdate(): void {
  const reload = () => globalThis.location.reload()
  // Another page had it activated, or a version that is newer still replaced it.
  if (waiting?.state !== 'installed') return reload()
  waiting.addEventListener('statechange', reload, { once: true })
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker takes no origin, only windows do.
  waiting.postMessage('take-over')
}

/**
 * Registers the service worker. Where service workers are unavailable (plain http, a private window) the product works
 * without one.
 */
export function watchForUpdates(): void {
  if (isWatching || !('serviceWorker' in navigator)) return
  isWatching = true
  navigator.serviceWorker
    .register('/sw.js', { updateViaCache: 'none' })
    .then(follow)
    .catch(() => {})
}

/**
 * This page is behind if the version that controls it starts with another script. A new controller alone does not tell:
 * it may be the page's first one, or have the same files.
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
    // Without a controller this is the first version, so there is no update to announce.
    waiting = navigator.serviceWorker.controller === null ? null : registration.waiting
    changed.tell()
  }
  look()
  // It may have been found before this page was opened; another page may have it activated.
  for (const worker of [registration.installing, registration.waiting]) worker?.addEventListener('statechange', look)
  registration.addEventListener('updatefound', () => {
    registration.installing?.addEventListener('statechange', look)
  })
  const judge = () => void compare().catch(() => {})
  // An update may have been taken before this began. Pages of the back office come from the server, not the worker.
  if (!globalThis.location.pathname.startsWith('/admin')) judge()
  navigator.serviceWorker.addEventListener('controllerchange', judge)
  let askedAtMs = performance.now()
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible' || performance.now() - askedAtMs < askEveryMs) return
    askedAtMs = performance.now()
    registration.update().catch(() => {})
  })
}
