/**
 * What comes when during the first load, in ms. The screen and its data come first; what nobody waits for is fetched
 * this long after the page's load event, one after the other, so that it takes neither the line nor the processor from
 * them (docs/decisions/013-the-first-load.md).
 */
export const delaysMs = {
  /** From the start of the entry: the first picture is drawn without what has not come by then. */
  firstPicture: 250,
  fonts: 500,
  signInRules: 1_000,
  unreadBadge: 1_500,
  playTimeReminder: 2_000,
  manifest: 3_000,
  /** It fetches as much again as a screen. */
  serviceWorker: 5_000,
} as const
