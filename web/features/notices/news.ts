import type { Notice } from './api.ts'

/** Which screens show a kind of notice themselves, so that no toast repeats it. */
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

/** Kinds that a toast shows; the bell and the list show all. Staff see new messages in their sidebar. */
const told = (kind: Notice['kind'], isStaff: boolean) =>
  kind === 'care' ? !isStaff : kind !== 'round' && kind !== 'limit'

/** A conversation's notice is a new one with each further reply. */
const newsOf = ({ id, kind, atMs }: Notice): string => (kind === 'care' ? `${id} ${atMs}` : id)

/** Remembers the newest notices that this page has seen, and returns those that are new and shown nowhere else. */
export function createNews(isStaff: boolean) {
  let seen: Set<string> | null = null
  return (newest: readonly Notice[], path: string) => {
    const before = seen
    seen = new Set([...(before ?? []), ...newest.map(newsOf)])
    // Events from before this page was opened are shown by the bell alone.
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
      // The game's popup may still show these bets: they are shown later if it has not.
      later: fresh.filter(({ kind }) => isInGame && kind === 'bet'),
    }
  }
}
