/* The only file that uses a tab's storage: it survives a reload, and the tab's next page may be another user's. */

const tabNotice = 'notice'
const tabReturn = 'return_to'

/** The router's scroll positions too, under addresses that may contain a request or a search. */
export function clearTabStorage(): void {
  try {
    globalThis.sessionStorage.clear()
  } catch {
    // Blocked storage contains nothing of ours.
  }
}

/** `address` is path and search; the same user returns to it after signing in again. */
export function leaveSessionEndedNotice(address: string): void {
  try {
    globalThis.sessionStorage.setItem(tabNotice, 'session-ended')
    globalThis.sessionStorage.setItem(tabReturn, address)
  } catch {
    // The sign-in form is enough without the notice.
  }
}

export function takeSessionEndedNotice(): boolean {
  return take(tabNotice) === 'session-ended'
}

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
