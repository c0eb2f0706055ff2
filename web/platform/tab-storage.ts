/* The only file that uses a tab's storage: it survives a reload, and the tab's next page may be another user's. */

const tabNotice = 'notice'
const tabReturn = 'return_to'

/** Clears the tab's storage: the router's scroll positions, under addresses that may contain a request or a search. */
export function clearTabStorage(): void {
  try {
    globalThis.sessionStorage.clear()
  } catch {
    // Blocked storage contains nothing of ours.
  }
}

/**
 * Leaves a notice for the next page of this tab, which shows that the session ended, and the address to which the same
 * user returns after signing in again.
 * @param address path and search
 */
export function leaveSessionEndedNotice(address: string): void {
  try {
    globalThis.sessionStorage.setItem(tabNotice, 'session-ended')
    globalThis.sessionStorage.setItem(tabReturn, address)
  } catch {
    // The sign-in form is enough without the notice.
  }
}

/** Whether the previous page left the notice that the session ended. Reading deletes it. */
export function takeSessionEndedNotice(): boolean {
  return take(tabNotice) === 'session-ended'
}

/** The address that the previous page left when its session ended; null without one. Reading deletes it. */
export function takeReturnPath(): string | null {
  return take(tabReturn)
}

function take(name: string): string | null {
  try {
    const left = globalThis.sessionStorage.getItem(name)
    globalThis.sessionStorage.removeItem(name)
    return left
  } catch {
    return null
  }
}
