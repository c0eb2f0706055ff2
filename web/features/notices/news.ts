import type { Notice } from './api.ts'

/** The screens that show a kind of notice themselves, so that no toast repeats it there. */
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

/** Returns true for kinds that get a toast; the bell and the list show all. Staff see new messages in their sidebar. */
const told = (kind: Notice['kind'], isStaff: boolean) =>
  kind === 'care' ? !isStaff : kind !== 'round' && kind !== 'limit'

/** Returns the key of a piece of news. With each reply, a conversation's notice becomes news again. */
const newsOf = ({ id, kind, atMs }: Notice): string => (kind === 'care' ? `${id} ${atMs}` : id)

/** Creates a function that remembers the notices it was given and returns those that are new and shown nowhere else. */
export function createNews(isStaff: boolean) {
  let seen: Set<string> | null = null
  return (newest: readonly Notice[], path: string) => {
    const before = seen
    seen = new Set([...(before ?? []), ...newest.map(newsOf)])
    // No toasts for notices from before this page was opened, which the bell shows, nor on the list, which shows all.
    if (before === null || path === listPath) return { now: [], later: [] }
    const fresh = newest.filter(
      (notice) =>
        !notice.isRead &&
        !before.has(newsOf(notice)) &&
        told(notice.kind, isStaff) &&
        !shownOn[notice.kind].includes(path),
    )
    const isInGame = gamePaths.includes(path)
    return {
      now: fresh.filter(({ kind }) => !isInGame || kind !== 'bet'),
      // The game's popup may show these bets; the caller checks that later, and shows the remaining ones.
      later: fresh.filter(({ kind }) => isInGame && kind === 'bet'),
    }
  }
}
