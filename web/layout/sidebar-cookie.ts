/** The cookie with the sidebar's state, kept for 7 days (spec §9.3). */

const name = 'sidebar_state'
const maxAgeS = 7 * 86_400

export function parseSidebarCookie(cookies: string): boolean | null {
  const pair = cookies.split(';').find((one) => one.trim().startsWith(`${name}=`))
  const stored = pair?.slice(pair.indexOf('=') + 1).trim()
  return stored === 'true' ? true : stored === 'false' ? false : null
}

export const sidebarCookie = (isOpen: boolean): string => `${name}=${isOpen}; path=/; max-age=${maxAgeS}; SameSite=Lax`

export function readSidebarState(): boolean | null {
  try {
    return parseSidebarCookie(document.cookie)
  } catch {
    return null
  }
}

export function keepSidebarState(isOpen: boolean): void {
  try {
    document.cookie = sidebarCookie(isOpen)
  } catch {
    // If the browser refuses cookies, the state is not kept.
  }
}
