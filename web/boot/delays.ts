/**
 * The schedule of the first load, in ms. Each part that the first screen does not need is fetched this long after the
 * page's load event, so that the parts come one after the other (docs/decisions/013-the-first-load.md).
 */
export const delaysMs = {
  /** Counted from the start of the entry script. After this time the page is painted even if data is still missing. */
  firstPicture: 250,
  fonts: 500,
  signInRules: 1_000,
  unreadBadge: 1_500,
  notices: 1_750,
  playTimeReminder: 2_000,
  manifest: 3_000,
  pushFollower: 4_000,
  /** The last step, since installing the service worker fetches about as many bytes as the first screen did. */
  serviceWorker: 5_000,
} as const
