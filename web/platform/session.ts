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
 * A page has one session and is discarded with it. The next user's screens begin in a new document, so that no cached
 * answer, call or upload under way, socket, timer or variable of one user reaches the next (rules §7). Data that
 * outlives a page is listed once, in `whereThingsAreKept`, and deleted here.
 */

/**
 * Every browser store that this product uses beyond a page. Local storage is listed key by key in storage.ts. A test
 * looks for stores that are missing here.
 */
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

/** The longest wait for the deletion of the user's entries and the end of pushes; the next sign-in deletes the rest. */
const deleteMs = 2_000

const loadEntries = () => import('./user-entries.ts')
const loadPushes = () => import('./push-subscription.ts')

/** Deletes the user's data from everything that outlives the page. */
async function forgetUser(): Promise<void> {
  clearStorage()
  clearTabStorage()
  const deleted = loadEntries().then(
    ({ deleteEntries }) => deleteEntries(),
    // If the code could not be loaded, this page used no IndexedDB; the next sign-in deletes older entries.
    () => {},
  )
  // The server has forgotten the subscription; without this the browser keeps one that nobody sends to.
  const silenced = loadPushes()
    .then(({ endSubscription }) => endSubscription())
    .catch(() => {})
  await Promise.race([Promise.all([deleted, silenced]), pause(deleteMs)])
}

/**
 * After the server has named the signed-in user: deletes data that other users left on this device, their unsent
 * messages included. Nobody is asked first, since those users are not there. A page that closes before the end starts
 * again at its next load.
 */
export function claimDevice(userId: string): void {
  const owner = readOwner()
  if (owner === userId) return
  // Without an owner the keys are of this very session: a sign-in removes keys without an owner.
  if (owner !== null) removeUsersKeys()
  inTurn(loadEntries)
    .then(({ deleteEntriesOfOthers }) => deleteEntriesOfOthers(userId))
    .then(
      () => writeOwner(userId),
      () => {},
    )
}

let isLeaving = false

/**
 * Discards this page and replaces it in the history by another user's page or the sign-in form. Until then its content
 * is hidden, also in the browser's back-forward cache.
 */
function replacePage(isEndedByServer = false): void {
  document.documentElement.hidden = true
  const { pathname, search } = globalThis.location
  const address = pathname + search
  // The router stores scroll positions on pagehide; its listener was added earlier, so this one clears them.
  globalThis.addEventListener('pagehide', () => {
    clearTabStorage()
    if (isEndedByServer) leaveSessionEndedNotice(address)
  })
  // From "/" the guard redirects to the sign-in form, unless another user is signed in by now.
  globalThis.location.replace('/')
}

/** Leaves a page whose session is over. Does nothing while the session is valid. */
export function leaveIfOver(): void {
  if (isLeaving || !isSessionOver()) return
  isLeaving = true
  replacePage()
}

/** Logout: deletes the user's data at once, and leaves the page when the server's part has finished too. */
export async function forgetUserAndLeave(serverSide: Promise<unknown>): Promise<void> {
  isLeaving = true
  await forgetUser()
  await serverSide
  replacePage()
}

/** The server refused the token: leaves for the sign-in form, which shows a notice (spec §2, §8). */
export function endSession(): void {
  if (isLeaving) return
  isLeaving = true
  endStoredSession()
  replacePage(true)
}

/** Whether a user is signed in on this page. */
export function hasSession(): boolean {
  leaveIfOver()
  return readAccessToken() !== null
}

/** Leaves the page when another tab signed out, or signed in as another user. */
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
