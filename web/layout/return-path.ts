import { meQuery } from '#web/features/identity/api.ts'
import { parseUrl } from '#web/platform/parse-url.ts'
import { queryClient } from '#web/platform/query-client.ts'

const longest = 500
const here = 'https://here.invalid'

/**
 * Returns path and search of an address within this product. Null for another host (also as `//host`), another scheme,
 * a sign-in form or more than 500 characters, and for the home screen, where a sign-in leads anyway.
 */
export function ownPath(address: string): string | null {
  if (!address.startsWith('/') || address.length > longest) return null
  const url = parseUrl(address, here)
  // `/.//host` is of this origin, but its path `//host` would lead to another host.
  if (url === null || url.origin !== here || url.pathname.startsWith('//')) return null
  return ['/', '/login', '/register'].includes(url.pathname) ? null : url.pathname + url.search
}

/**
 * Returns path and search of the address, or '/' in four cases: `ownPath` refuses the address, the device belonged to
 * another user before this sign-in, the address is in the back office and the user is no admin (rules §4.1), or it is
 * the screen to which a password set by staff leads anyway.
 * `owner` is the id of the device's user before this sign-in, or null.
 */
export async function returnPathOf(address: string, owner: string | null): Promise<string> {
  const path = ownPath(address)
  if (path === null) return '/'
  const me = await queryClient.query(meQuery)
  const isForAdmins = path === '/admin' || /^\/admin[/?]/.test(path)
  const isChange = me.mustChangePassword && path === '/change-password'
  return (owner === null || owner === me.id) && (!isForAdmins || me.role === 'admin') && !isChange ? path : '/'
}
