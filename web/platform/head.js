/* global screens, files, fonts -- written before this by scripts/head-plugin.ts: the address of each screen with the
   numbers of its files, the names of these files, and the fonts. */

/**
 * Stands inside index.html and runs before anything else of the page, so that nothing the first picture needs is asked
 * for late: the colours are set before the first paint; the code of the screen at this address is fetched beside the
 * entry and not after it; and the signed-in user and the screen's first data are asked for beside the code. web/platform/storage.ts names the keys.
 */
let theme = null
let token = null
let roundType = null
try {
  theme = localStorage.getItem('theme')
  token = localStorage.getItem('access_token')
  roundType = localStorage.getItem('selected_game_type')
} catch {
  // Blocked storage: follow the device, and nobody is signed in.
}

// web/platform/theme.ts keeps it right afterwards.
const isDark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
document.documentElement.dataset.theme = isDark ? 'dark' : 'light'

const link = (attributes) => document.head.append(Object.assign(document.createElement('link'), attributes))
const preload = (file, attributes) => link({ href: file, crossOrigin: '', ...attributes })

// A browser fetches it where it stands, and needs it only once somebody installs the app.
addEventListener('load', () => setTimeout(() => link({ rel: 'manifest', href: '/manifest.webmanifest' }), 3000))

// A service worker has put the letters on this device; web/platform/font.ts brings them elsewhere.
if (navigator.serviceWorker?.controller) {
  document.documentElement.dataset.font = 'own'
  for (const font of fonts) preload(font, { rel: 'preload', as: 'font', type: 'font/woff2' })
}

// Where the route table of web/routes.tsx leads from here.
const address = location.pathname
const isPublic = address === '/login' || address === '/register'
const shown = token ? (isPublic ? '/' : address) : isPublic ? address : '/login'
for (const number of screens[shown] ?? []) preload(`/assets/${files[number]}.js`, { rel: 'modulepreload' })

// What the screen asks for first, as its own code will write it. Anything else is asked for when that code is here.
const type = /^\d+s$/.test(roundType) ? roundType : '30s'
const game = [
  `/game/current?type=${type}`,
  '/user/config',
  '/market',
  '/history/user?page=1&limit=10',
  `/game/by-type/${type}?page=1&limit=12`,
]
const rounds = ['/overview', '/game/by-type/30s?limit=1', '/game/by-type/30s?page=1&limit=10&sort=-startTime']
const care = ['/chat/users', '/chat/conversations?limit=100']
const asked = {
  '/investment': ['/market'],
  '/investment/game': game,
  '/games': game,
  '/support': care,
  '/admin/chat': care,
  // A list's address may ask for another page of it.
  '/admin/game': location.search === '' ? rounds : [],
}
const early = (path) => {
  const controller = new AbortController()
  const sentAtMs = Date.now()
  const headers = { accept: 'application/json', authorization: `Bearer ${token}` }
  const answer = fetch(path, { headers, signal: controller.signal })
    .then(async (response) => ({ response, text: await response.text(), sentAtMs, receivedAtMs: Date.now() }))
    // The page then asks by itself, and has its own words for a failure.
    .catch(() => undefined)
  return [path, { token, controller, answer }]
}
if (token && !isPublic) {
  globalThis.earlyCalls = new Map(['/user/me', ...(asked[address] ?? [])].map((path) => early(`/api/v1${path}`)))
}
