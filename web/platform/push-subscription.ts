/**
 * This browser's permission for notifications and its subscription to pushes (W3C Push API), which outlive the page: the
 * only file that touches them, besides the service worker. They belong to the session (rules §6.9, §7.8).
 */

export type BrowserSubscription = {
  readonly endpoint: string
  readonly p256dh: string
  readonly authSecret: string
  /** The server's key that it was made with, base64url; null for a browser that does not reveal it. */
  readonly publicKey: string | null
}

/** `blocked`: the user has forbidden notifications, and only the browser's own settings allow them again. */
export type PushPermission = 'unsupported' | 'blocked' | 'not-asked' | 'granted'

export function readPushPermission(): PushPermission {
  if (!('serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis))
    return 'unsupported'
  const { permission } = Notification
  return permission === 'denied' ? 'blocked' : permission === 'granted' ? 'granted' : 'not-asked'
}

/** Asks the user for the permission, in the browser's own words. Call it in the handler of a press. */
export async function askPermission(): Promise<PushPermission> {
  await Notification.requestPermission()
  return readPushPermission()
}

const base64url = (bytes: ArrayBuffer | null): string | null =>
  bytes === null
    ? null
    : btoa(String.fromCharCode(...new Uint8Array(bytes)))
        .replaceAll('+', '-')
        .replaceAll('/', '_')
        .replace(/=+$/, '')

function read(subscription: PushSubscription): BrowserSubscription {
  return {
    endpoint: subscription.endpoint,
    p256dh: base64url(subscription.getKey('p256dh')) ?? '',
    authSecret: base64url(subscription.getKey('auth')) ?? '',
    publicKey: base64url(subscription.options.applicationServerKey),
  }
}

async function registered(): Promise<ServiceWorkerRegistration | undefined> {
  return readPushPermission() === 'unsupported' ? undefined : navigator.serviceWorker.getRegistration()
}

let last: Promise<unknown> = Promise.resolve()
/**
 * Runs what compares or changes both the browser's subscription and the server's after what did so before: between the two halves of a
 * switch a subscription looks like one that the server has forgotten.
 */
export function oneAtATime<T>(work: () => Promise<T>): Promise<T> {
  const result = last.then(work)
  last = result.catch(() => {})
  return result
}

/** The subscription as it is now; null without one. */
export async function readSubscription(): Promise<BrowserSubscription | null> {
  const subscription = await (await registered())?.pushManager?.getSubscription()
  return subscription ? read(subscription) : null
}

/**
 * Subscribes this browser, with the permission that was granted. A subscription made with another key of the server is
 * replaced. Throws where the browser or its push service refuses.
 */
export async function subscribeBrowser(publicKey: string): Promise<BrowserSubscription> {
  const before = await readSubscription()
  if (before !== null && before.publicKey !== null && before.publicKey !== publicKey) await endSubscription()
  // The page registers it some seconds after its load; until then this does.
  await navigator.serviceWorker.register('/sw.js', { updateViaCache: 'none' })
  const { pushManager } = await navigator.serviceWorker.ready
  return read(await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey }))
}

/** Ends the subscription, and takes away the notifications that still show. */
export async function endSubscription(): Promise<void> {
  const registration = await registered()
  if (registration === undefined) return
  const subscription = await registration.pushManager?.getSubscription()
  await subscription?.unsubscribe()
  for (const shown of await registration.getNotifications()) shown.close()
}
