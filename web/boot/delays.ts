/**
 * The schedule of the first load, in ms after the page's load event: parts that the first screen does not need are
 * fetched one after the other (docs/decisions/013-the-first-load.md).
 */
export const delaysMs = {
  /** This delay counts from the entry script's start. After it, the page is painted even if data is still missing. */
  firstPicture: 250,
  fonts: 500,
  signInRules: 1_000,
  unreadBadge: 1_500,
  notices: 1_750,
  playTimeReminder: 2_000,
  manifest: 3_000,
  pushFollower: 4_000,
  /** The last step, since the service worker fetches all files of the player's app. */
  serviceWorker: 5_000,
} as const
