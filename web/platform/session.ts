import { inTurn } from './lazy-part.ts'
import { pause } from './pause.ts'
import {
  clearStorage,
  endStoredSession,
  isSessionOver,
  onAccessTokenChangedElsewhere,
  readAccessToken,
  readOwner,
  removeUsersKeys,
  writeOwner,
} from './storage.ts'
import { clearTabStorage, leaveSessionEndedNotice } from './tab-storage.ts'

/**
 * A page has one session and is left when the session ends. The next user's screens begin in a new document, so that
 * they get no data of the previous user (rules §7.8).
 */

/** All places in the browser where this product keeps data beyond a page. checks/rules/platform.ts reads this list. */
export const whereThingsAreKept = {
  localStorage: { in: 'web/platform/storage.ts', of: 'each key says' },
  sessionStorage: { in: 'web/platform/tab-storage.ts', of: 'session' },
  indexedDB: { in: 'web/platform/user-entries.ts', of: 'user' },
  bookNotes: {
    in: 'web/platform/book-notes.ts',
    of: 'device',
    why: 'what the public log showed, the same for everybody',
  },
  pushes: { in: 'web/platform/push-subscription.ts', of: 'session' },
  desktop: { in: 'web/platform/desktop-notices.ts', of: 'session' },
  caches: { in: 'web/service-worker.js', of: 'device', why: 'the product itself, the same for everybody' },
  cookie: { in: 'web/layout/sidebar-cookie.ts', of: 'device', why: 'whether a sidebar is open' },
} as const

/** A logout waits at most this long for deletions. `claimDevice` deletes entries that are left. */
const deleteMs = 2_000

const loadEntries = () => import('./user-entries.ts')
const loadPushes = () => import('./push-subscription.ts')

async function forgetUser(): Promise<void> {
  clearStorage()
  clearTabStorage()
  const deleted = loadEntries().then(
    ({ deleteEntries }) => deleteEntries(),
    // The code could not be loaded. `claimDevice` deletes the entries when another user signs in.
    () => {},
  )
  const silenced = loadPushes()
    .then(({ endSubscription }) => endSubscription())
    .catch(() => {})
  await Promise.race([Promise.all([deleted, silenced]), pause(deleteMs)])
}

/**
 * Deletes the data of other users from this device, even unsent messages (rules §7.8). The owner is written last: if
 * the page closes before all data is deleted, the next call deletes the rest.
 */
export function claimDevice(userId: string): void {
  const owner = readOwner()
  if (owner === userId) return
  // If no owner is stored, `writeAccessToken` removed all other users' keys at sign-in, so all keys are this user's.
  if (owner !== null) removeUsersKeys()
  inTurn(loadEntries)
    .then(({ deleteEntriesOfOthers }) => deleteEntriesOfOthers(userId))
    .then(
      () => writeOwner(userId),
      () => {},
    )
}

let isLeaving = false

/** Replaces this page in the history. The content is hidden first, since the back-forward cache may show the page. */
function replacePage(isEndedByServer = false): void {
  document.documentElement.hidden = true
  const { pathname, search } = globalThis.location
  const address = pathname + search
  // On pagehide the router stores scroll positions in sessionStorage. This listener is added after the router's, so it
  // runs later and clears them.
  globalThis.addEventListener('pagehide', () => {
    clearTabStorage()
    if (isEndedByServer) leaveSessionEndedNotice(address)
  })
  // The route guard of "/" redirects to the sign-in form, unless a user has signed in in another tab.
  globalThis.location.replace('/')
}

export function leaveIfOver(): void {
  if (isLeaving || !isSessionOver()) return
  isLeaving = true
  replacePage()
}

export async function forgetUserAndLeave(serverSide: Promise<unknown>): Promise<void> {
  isLeaving = true
  await forgetUser()
  await serverSide
  replacePage()
}

/** Ends the session after the server refused its token. The sign-in form then shows a notice. */
export function endSession(): void {
  if (isLeaving) return
  isLeaving = true
  endStoredSession()
  replacePage(true)
}

export function hasSession(): boolean {
  leaveIfOver()
  return readAccessToken() !== null
}

/** Leaves this page after another tab has signed out or signed in. */
export function followSession(): void {
  onAccessTokenChangedElsewhere(leaveIfOver)
  document.addEventListener('visibilitychange', leaveIfOver)
  globalThis.addEventListener('pageshow', ({ persisted }) => {
    // A page that returns from the browser's back-forward cache has missed the events of other tabs.
    if (!persisted) return
    isLeaving = false
    leaveIfOver()
  })
}
