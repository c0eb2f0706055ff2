import { vi } from 'vitest'

/** A browser's Push API for component tests, with a user who answers its question. */
export type FakePush = {
  /** The user's answer to the browser's question; `null` closes it without one. */
  answer: 'granted' | 'denied' | null
  /** Whether the browser's push service can be reached. */
  isReachable: boolean
  /** Whether the service worker can be installed, whose files may fail to arrive. */
  isInstallable: boolean
  /** The endpoint of the browser's subscription; null without one. */
  endpoint: string | null
  /** The server key of the subscription. */
  publicKey: string
  /** How often the browser asked its user. */
  asked: number
}

/** 65 bytes in base64url. */
export const fakeKey = `${'B'.repeat(86)}A`
export const fakeEndpoint = (number: number) => `https://push.example.com/${number}`

/** Replaces the Push API until the end of the test. */
export function fakePush(permission: NotificationPermission = 'default', start: Partial<FakePush> = {}): FakePush {
  const state: FakePush = {
    answer: 'granted',
    isReachable: true,
    isInstallable: true,
    endpoint: null,
    publicKey: fakeKey,
    asked: 0,
    ...start,
  }
  let made = 1
  const subscription = () =>
    state.endpoint === null
      ? null
      : {
          endpoint: state.endpoint,
          getKey: (name: string) => new TextEncoder().encode(name === 'auth' ? 'a'.repeat(16) : 'k'.repeat(65)).buffer,
          options: {
            applicationServerKey: Uint8Array.from(atob(`${state.publicKey}=`), (one) => one.charCodeAt(0)).buffer,
          },
          unsubscribe: async () => {
            state.endpoint = null
            return true
          },
        }
  const registration = {
    active: {},
    installing: null,
    pushManager: {
      getSubscription: async () => subscription(),
      subscribe: async ({ applicationServerKey }: { applicationServerKey: string }) => {
        if (!state.isReachable) throw new DOMException('Registration failed', 'AbortError')
        state.endpoint ??= fakeEndpoint(made++)
        state.publicKey = applicationServerKey
        return subscription()
      },
    },
    getNotifications: async () => [],
  }
  const notification = {
    permission,
    requestPermission: async () => {
      if (notification.permission === 'default') state.asked += 1
      if (notification.permission === 'default' && state.answer !== null) notification.permission = state.answer
      return notification.permission
    },
  }
  vi.stubGlobal('Notification', notification)
  vi.stubGlobal('PushManager', () => {})
  const install = () => {
    if (state.isInstallable) return registration
    const installing = Object.assign(new EventTarget(), { state: 'installing' })
    setTimeout(() => {
      installing.state = 'redundant'
      installing.dispatchEvent(new Event('statechange'))
    })
    return { ...registration, active: null, installing }
  }
  const serviceWorker = {
    getRegistration: async () => registration,
    register: async () => install(),
    get ready() {
      return state.isInstallable ? Promise.resolve(registration) : new Promise(() => {})
    },
    addEventListener: () => {},
    removeEventListener: () => {},
  }
  vi.stubGlobal(
    'navigator',
    new Proxy(navigator, {
      has: (target, name) => name === 'serviceWorker' || name in target,
      get: (target, name) => (name === 'serviceWorker' ? serviceWorker : Reflect.get(target, name, target)),
    }),
  )
  return state
}
