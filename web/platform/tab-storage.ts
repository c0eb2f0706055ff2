/* Only this file and the router use sessionStorage. The tab's next user could read it, so a session's end clears it. */

const tabNotice = 'notice'
const tabReturn = 'return_to'

/** Clears sessionStorage. The router stores scroll positions there under keys that may contain a search text. */
export function clearTabStorage(): void {
  try {
    globalThis.sessionStorage.clear()
  } catch {
    // Blocked storage contains nothing of ours.
  }
}

/** Leaves a notice for the sign-in form, and the address (path and search) to return to after signing in. */
export function leaveSessionEndedNotice(address: string): void {
  try {
    globalThis.sessionStorage.setItem(tabNotice, 'session-ended')
    globalThis.sessionStorage.setItem(tabReturn, address)
  } catch {
    // Storage is blocked: the sign-in form appears without the notice.
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
