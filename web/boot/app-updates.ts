import { createSignal } from '#web/platform/signal.ts'

/**
 * The page's side of the service worker. It never reloads a page without a press: the player may be in the middle of a
 * round.
 */

const askEveryMs = 3_600_000

let waiting: ServiceWorker | null = null
let isBehind = false
let isWatching = false
const changed = createSignal()

export function hasUpdate(): boolean {
  return waiting !== null || isBehind
}

export const onUpdateFound = changed.listen

/** Reloads this page as soon as the waiting version is active. Other open pages keep running. */
export function takeUpdate(): void {
  const reload = () => globalThis.location.reload()
  // Another page had it activated, or a version that is newer still replaced it.
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
 * This page is behind if the version that controls it starts with another script. A new controller proves nothing: it
 * may be the page's first one, or have the same files.
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
  // They may have been found before this page was opened, and another page may have them activated.
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
