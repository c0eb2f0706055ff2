import { ROUND_TYPES } from '#domain/game/calendar.ts'
import type { EarlyCall } from '#web/platform/early-calls.ts'
import type { storageKeys } from '#web/platform/storage.ts'
import { delaysMs } from './delays.ts'

/**
 * An inline script of the page. It sets the colours before the first paint. While the entry script is loading, it
 * requests the code of the screen at this address and sends the screen's first calls. scripts/head-plugin.ts bundles
 * this file and fills in `bootTable`.
 */

export type BootTable = {
  /** For each address, the files that its screen needs in addition to the entry's, as indices into `files`. */
  readonly screens: Readonly<Record<string, readonly number[]>>
  /** The addresses that need no access token. */
  readonly open: readonly string[]
  readonly files: readonly string[]
  readonly fonts: readonly string[]
  readonly everywhere: readonly string[]
  /** For each address, the paths from web/boot/first-calls.ts; `{type}` stands for the round type chosen last. */
  readonly early: Readonly<Record<string, readonly string[]>>
}
declare const bootTable: BootTable

const { screens, open, files, fonts, everywhere, early } = bootTable

type Keys = typeof storageKeys
const themeKey: Keys['theme']['name'] = 'theme'
const tokenKey: Keys['accessToken']['name'] = 'access_token'
const roundTypeKey: Keys['selectedGameType']['name'] = 'selected_game_type'

let theme: string | null = null
let token: string | null = null
let roundType: string | null = null
try {
  theme = localStorage.getItem(themeKey)
  token = localStorage.getItem(tokenKey)
  roundType = localStorage.getItem(roundTypeKey)
} catch {
  // Storage is blocked: use the device's theme and treat the visitor as signed out.
}

const isDark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
document.documentElement.dataset['theme'] = isDark ? 'dark' : 'light'

const link = (attributes: Partial<HTMLLinkElement>) =>
  document.head.append(Object.assign(document.createElement('link'), attributes))
const preload = (href: string, attributes: Partial<HTMLLinkElement>) => link({ href, crossOrigin: '', ...attributes })

// A browser fetches the manifest as soon as it is linked, and only installing the app needs it, so link it late.
addEventListener('load', () =>
  setTimeout(() => link({ rel: 'manifest', href: '/manifest.webmanifest' }), delaysMs.manifest),
)

// A controlling service worker has the fonts in its cache; otherwise web/boot/fonts.ts fetches them later.
if (navigator.serviceWorker?.controller) {
  document.documentElement.dataset['font'] = 'own'
  for (const font of fonts) preload(font, { rel: 'preload', as: 'font', type: 'font/woff2' })
}

// Preload the code of the screen to which the guards of web/routes.tsx lead: with a token, the sign-in pages lead to
// the home screen; without a token, all addresses but the open ones lead to the sign-in form.
const address = location.pathname.replace(/^\/vong\/.*/, '/vong/$id')
const isSignIn = address === '/login' || address === '/register'
const shown = token ? (isSignIn ? '/' : address) : open.includes(address) ? address : '/login'
for (const index of screens[shown] ?? []) preload(`/assets/${files[index]}.js`, { rel: 'modulepreload' })

const call = (path: string, owner: string): [string, EarlyCall] => {
  const controller = new AbortController()
  const sentAtMs = Date.now()
  const headers = { accept: 'application/json', authorization: `Bearer ${owner}` }
  const answer = fetch(path, { headers, signal: controller.signal })
    .then(async (response) => ({ response, text: await response.text(), sentAtMs, receivedAtMs: Date.now() }))
    // A failed early call is dropped: the page sends the call again when it needs the answer.
    .catch(() => undefined)
  return [path, { token: owner, controller, answer }]
}
if (token !== null && token !== '' && !isSignIn) {
  const owner = token
  const type = ROUND_TYPES.find((one) => one === roundType) ?? ROUND_TYPES[0]
  // In the back office, a query in the address may select other rows than the screen's early calls do.
  const isOther = address.startsWith('/admin') && location.search !== ''
  const ofScreen = isOther ? [] : (early[address] ?? [])
  const paths = [...everywhere, ...ofScreen.map((path) => path.replace('{type}', type))]
  globalThis.earlyCalls = new Map(paths.map((path) => call(path, owner)))
}
