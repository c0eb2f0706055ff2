import { identityEndpoints } from '#contract/identity.ts'
import { callEndpoint } from '#web/platform/api.ts'
import { forgetUserAndLeave } from '#web/platform/session.ts'

/** Nobody waits longer than this for the server before they are signed out of this device. */
const timeoutMs = 4_000

/**
 * Ends the session on the server and forgets everything of the user in this browser (spec §2). The second happens
 * whether or not the first can: whoever presses "Đăng xuất" on a borrowed phone without a network must be gone from it.
 * A session whose end did not reach the server expires there; the only copy of its token was in this browser.
 */
export function logOut(): Promise<void> {
  return forgetUserAndLeave(callEndpoint(identityEndpoints.logout, { timeoutMs }).catch(() => {}))
}
