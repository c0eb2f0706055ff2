/**
 * Only this file and the service worker use the Push API (W3C). A subscription outlives the page. A logout ends it; the
 * server deletes its own copy at any end of the session (rules §6.9, §7.8).
 */

export type BrowserSubscription = {
  readonly endpoint: string
  readonly p256dh: string
  readonly authSecret: string
  /** The server's key, base64url; null if the browser does not reveal it. */
  readonly publicKey: string | null
}

/** `blocked`: the user has forbidden notifications, and only the browser's own settings allow them again. */
export type NoticePermission = 'unsupported' | 'blocked' | 'not-asked' | 'granted'

export function readNoticePermission(): NoticePermission {
  if (!('Notification' in globalThis)) return 'unsupported'
  const { permission } = Notification
  return permission === 'denied' ? 'blocked' : permission === 'granted' ? 'granted' : 'not-asked'
}

/** Asks the user for the permission. Call this function in the handler of a press: Safari and Firefox demand that. */
export async function askNoticePermission(): Promise<NoticePermission> {
  if (readNoticePermission() === 'not-asked') await Notification.requestPermission()
  return readNoticePermission()
}

export const readPushPermission = (): NoticePermission =>
  'serviceWorker' in navigator && 'PushManager' in globalThis ? readNoticePermission() : 'unsupported'

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
 * Runs tasks one after the other. If two ran at once, the second could find a subscription in the browser that the
 * first has not yet saved on the server, and end this subscription as an old one.
 */
export function oneAtATime<T>(work: () => Promise<T>): Promise<T> {
  const result = last.then(work)
  last = result.catch(() => {})
  return result
}

export async function readSubscription(): Promise<BrowserSubscription | null> {
  const subscription = await (await registered())?.pushManager?.getSubscription()
  return subscription ? read(subscription) : null
}

/** Waits until the service worker is active. If its first version can't be installed, `ready` alone never settles. */
function readyWorker({ active, installing }: ServiceWorkerRegistration): Promise<ServiceWorkerRegistration> {
  const { ready } = navigator.serviceWorker
  if (active !== null || installing === null) return ready
  const failed = new Promise<never>((_, reject) => {
    installing.addEventListener('statechange', () => {
      if (installing.state === 'redundant') reject(new Error('The service worker was not installed'))
    })
  })
  return Promise.race([ready, failed])
}

/** Subscribes this browser with the server's key (base64url). Throws if the browser or its push service refuses. */
export async function subscribeBrowser(publicKey: string): Promise<BrowserSubscription> {
  const before = await readSubscription()
  if (before !== null && before.publicKey !== null && before.publicKey !== publicKey) await endSubscription()
  // The page registers the worker some time after its load, so the worker may not be registered yet.
  const registration = await navigator.serviceWorker.register('/sw.js', { updateViaCache: 'none' })
  const { pushManager } = await readyWorker(registration)
  const subscribed = pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
  return read(
    await subscribed.catch((cause: unknown) => {
      // The browser names a refusal of its push service an AbortError (W3C), though nothing has been given up.
      throw new Error('The browser did not subscribe', { cause })
    }),
  )
}

/** Ends the browser's subscription and closes the pushed notifications that still show. */
export async function endSubscription(): Promise<void> {
  const registration = await registered()
  if (registration === undefined) return
  const subscription = await registration.pushManager?.getSubscription()
  await subscription?.unsubscribe()
  for (const shown of await registration.getNotifications()) shown.close()
}
