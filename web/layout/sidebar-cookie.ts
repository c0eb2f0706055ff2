/** Whether the back office's sidebar is open, kept in a cookie for 7 days (spec §2, §9). */

const name = 'sidebar_state'
const maxAgeS = 7 * 86_400

/** What a page's cookies say; null where they say nothing. */
export function parseSidebarCookie(cookies: string): boolean | null {
  const pair = cookies.split(';').find((one) => one.trim().startsWith(`${name}=`))
  const stored = pair?.slice(pair.indexOf('=') + 1).trim()
  return stored === 'true' ? true : stored === 'false' ? false : null
}

/** The cookie as it is set. Lax: no other site's request carries it. */
export function sidebarCookie(isOpen: boolean): string {
  return `${name}=${isOpen}; path=/; max-age=${maxAgeS}; SameSite=Lax`
}

/** Null where cookies are blocked, too. */
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
    // Without cookies the sidebar begins as it does for a newcomer.
  }
}
