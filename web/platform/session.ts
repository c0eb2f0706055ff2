import { inTurn } from './lazy-part.ts'
import { pause } from './pause.ts'
import {
  clearStorage,
  clearTabStorage,
  endStoredSession,
  isSessionOver,
  leaveSessionEndedNotice,
  onAccessTokenChangedElsewhere,
  readAccessToken,
  readOwner,
  removeUsersKeys,
  writeOwner,
} from './storage.ts'

/**
 * A page has one session and is thrown away with it: the next user's screens begin in a new document, so that no cache
 * of answers, no call or upload under way, no socket, timer or variable of one user is there for the next (rules §7).
 * What outlives a page is listed once, in `whereThingsAreKept`, and goes here.
 */

/**
 * Every place in which a browser keeps something of this product beyond a page. Local storage is listed key by key in
 * storage.ts. A test looks for places that are not named here.
 */
export const whereThingsAreKept = {
  localStorage: { in: 'web/platform/storage.ts', of: 'each key says' },
  sessionStorage: { in: 'web/platform/storage.ts', of: 'session' },
  indexedDB: { in: 'web/platform/unsent.ts', of: 'user' },
  caches: { in: 'web/service-worker.js', of: 'device', why: 'the product itself, the same for everybody' },
  cookie: { in: 'web/layout/sidebar-cookie.ts', of: 'device', why: 'whether a sidebar is open' },
} as const

/** Nobody waits longer than this for the unsent messages to be deleted; what is left goes at the next sign-in. */
const deleteMs = 2_000

const loadUnsent = () => import('./unsent.ts')

/** Forgets the user in everything that outlives the page. */
async function forgetUser(): Promise<void> {
  clearStorage()
  clearTabStorage()
  const deleted = loadUnsent().then(
    ({ deleteUnsent }) => deleteUnsent(),
    // Without its code nothing was read or written on this page; the next sign-in deletes it.
    () => {},
  )
  await Promise.race([deleted, pause(deleteMs)])
}

/**
 * The server says who is signed in here: what others left on this device is deleted. Their unsent messages go without a
 * question, which nobody is there to answer. A page that dies before the end begins again at its next start.
 */
export function claimDevice(userId: string): void {
  const owner = readOwner()
  if (owner === userId) return
  // Without an owner it is of this very session: a sign-in removes what is nobody's.
  if (owner !== null) removeUsersKeys()
  inTurn(loadUnsent)
    .then(({ deleteUnsentOfOthers }) => deleteUnsentOfOthers(userId))
    .then(
      () => writeOwner(userId),
      () => {},
    )
}

let isLeaving = false

/**
 * Throws this page away: another user's, or the sign-in form, takes its place in the history. Until then nothing of it
 * is seen, also not by whoever finds it in the browser's cache of pages.
 */
function replacePage(isEndedByServer = false): void {
  document.documentElement.hidden = true
  // The router stores scroll positions when the page goes, by a listener that is older than this one.
  globalThis.addEventListener('pagehide', () => {
    clearTabStorage()
    if (isEndedByServer) leaveSessionEndedNotice()
  })
  // From "/" the guard leads to the sign-in form, unless somebody else is signed in by now.
  globalThis.location.replace('/')
}

/** Leaves a page whose session is over. Nothing happens while the session stands. */
export function leaveIfOver(): void {
  if (isLeaving || !isSessionOver()) return
  isLeaving = true
  replacePage()
}

/** Logout: forgets everything of the user at once, and leaves the page when the server's side of it is done too. */
export async function forgetUserAndLeave(serverSide: Promise<unknown>): Promise<void> {
  isLeaving = true
  await forgetUser()
  await serverSide
  replacePage()
}

/** The server refused the token: back to the sign-in form, which says so (spec §2, §8). */
export function endSession(): void {
  if (isLeaving) return
  isLeaving = true
  endStoredSession()
  replacePage(true)
}

/** Whether somebody is signed in on this page. */
export function hasSession(): boolean {
  leaveIfOver()
  return readAccessToken() !== null
}

/** Leaves the page when its session is another tab's business: signed out there, or signed in as another user. */
export function followSession(): void {
  onAccessTokenChangedElsewhere(leaveIfOver)
  document.addEventListener('visibilitychange', leaveIfOver)
  globalThis.addEventListener('pageshow', ({ persisted }) => {
    // Out of the browser's cache of pages, where no event of another tab arrives.
    if (!persisted) return
    isLeaving = false
    leaveIfOver()
  })
}
