import { NOTICES_PER_PAGE } from '#contract/notices.ts'
import type { Notice } from './api.ts'

/** For each kind of notice, the paths of the screens that show its news themselves, so that no toast repeats it. */
const shownOn: Readonly<Record<Notice['kind'], readonly string[]>> = {
  bet: ['/', '/account/bets'],
  request: ['/transaction'],
  care: ['/support', '/admin/chat'],
  adjustment: ['/account/ledger'],
  dispute: ['/support'],
  round: [],
  limit: [],
  device: [],
  factor: [],
}
const gamePaths = ['/games', '/investment/game']
const listPath = '/account/notifications'

/** Returns true for kinds that get a toast. Staff get no toast for messages, which their sidebar counts. */
const told = (kind: Notice['kind'], isStaff: boolean) =>
  kind === 'care' ? !isStaff : kind !== 'round' && kind !== 'limit'

/**
 * Returns a key that changes when a notice is news again: its id, but for a conversation (kind `care`) its time. A
 * conversation has one notice, which each reply renews, and a merge of conversations may change its id (rules §7.19).
 */
const newsOf = ({ id, kind, atMs }: Notice): string => (kind === 'care' ? `care ${atMs}` : id)

/** Creates a function that returns the notices that were in no earlier call and that the screen does not show. */
export function createNews(isStaff: boolean) {
  let seen: Set<string> | null = null
  /** The time of a full page's oldest notice. If a notice leaves the page, an older one, which is no news, moves up. */
  let toldToMs = Number.NEGATIVE_INFINITY
  return (newest: readonly Notice[], path: string) => {
    const before = seen
    const oldMs = toldToMs
    if (newest.length >= NOTICES_PER_PAGE) toldToMs = Math.max(oldMs, newest.at(-1)?.atMs ?? oldMs)
    seen = new Set([...(before ?? []), ...newest.map(newsOf)])
    // No toasts for the first call's notices, which the bell counts, and none on the screen that lists all notices.
    if (before === null || path === listPath) return { now: [], later: [] }
    const fresh = newest.filter(
      (notice) =>
        !notice.isRead &&
        !before.has(newsOf(notice)) &&
        notice.atMs > oldMs &&
        told(notice.kind, isStaff) &&
        !shownOn[notice.kind].includes(path),
    )
    const isInGame = gamePaths.includes(path)
    return {
      now: fresh.filter(({ kind }) => !isInGame || kind !== 'bet'),
      // The game's popup may show these bets. The caller waits, and then shows a toast for the bets without a popup.
      later: fresh.filter(({ kind }) => isInGame && kind === 'bet'),
    }
  }
}
