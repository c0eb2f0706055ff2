import { identityEndpoints } from '#contract/identity.ts'
import { callEndpoint } from '#web/platform/api.ts'
import { deleteOutbox } from '#web/platform/outbox.ts'
import { queryClient } from '#web/platform/query-client.ts'
import { clearStorage } from '#web/platform/storage.ts'
import { chooseTheme } from '#web/platform/theme.ts'

/** Nobody waits longer than this for the server before they are signed out of this device. */
const timeoutMs = 4_000

/**
 * Ends the session on the server, then forgets everything in this browser (spec §2). The second happens whether or not
 * the first could: whoever presses "Đăng xuất" on a borrowed phone without a network must be gone from it.
 * @param leave goes to /login, once nothing is stored any more
 */
export async function logOut(leave: () => Promise<void>): Promise<void> {
  await callEndpoint(identityEndpoints.logout, { timeoutMs }).catch(() => {})
  clearStorage()
  await deleteOutbox()
  // The visitor's colours went with the rest; the page follows the device again.
  chooseTheme('system')
  await leave()
  // After the screens are gone, which would only ask again.
  queryClient.clear()
}
