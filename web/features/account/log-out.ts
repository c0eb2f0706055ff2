import { identityEndpoints } from '#contract/identity.ts'
import { callEndpoint } from '#web/platform/api.ts'
import { forgetUserAndLeave } from '#web/platform/session.ts'

/** The sign-out on this device waits at most this long for the server. */
const timeoutMs = 4_000

/**
 * Ends the session on the server and forgets everything of the user in this browser (spec §2). The second step also
 * happens when the first fails: a player who presses "Đăng xuất" on a borrowed phone without a network must be signed
 * out there. A session whose end did not reach the server expires by itself; the only copy of its token was in this
 * browser.
 */
export function logOut(): Promise<void> {
  return forgetUserAndLeave(callEndpoint(identityEndpoints.logout, { timeoutMs }).catch(() => {}))
}
