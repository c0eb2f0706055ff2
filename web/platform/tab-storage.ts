/* The only file that names sessionStorage. It survives a reload, and the tab's next page may be another user's. */

const tabNotice = 'notice'
const tabReturn = 'return_to'

/** Also clears the router's scroll positions, whose addresses may contain the text of a search. */
export function clearTabStorage(): void {
  try {
    globalThis.sessionStorage.clear()
  } catch {
    // Blocked storage contains nothing of ours.
  }
}

/** Leaves a notice for the sign-in form. `address` is path and search, to which the same user returns after signing in. */
export function leaveSessionEndedNotice(address: string): void {
  try {
    globalThis.sessionStorage.setItem(tabNotice, 'session-ended')
    globalThis.sessionStorage.setItem(tabReturn, address)
  } catch {
    // Storage is blocked, so the sign-in form appears without the notice.
  }
}

export const takeSessionEndedNotice = (): boolean => take(tabNotice) === 'session-ended'

export const takeReturnPath = (): string | null => take(tabReturn)

function take(name: string): string | null {
  try {
    const left = globalThis.sessionStorage.getItem(name)
    globalThis.sessionStorage.removeItem(name)
    return left
  } catch {
    return null
  }
}
