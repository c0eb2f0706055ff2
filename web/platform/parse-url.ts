/** Does what `URL.parse` does, which some of the supported browsers do not have yet. */
export function parseUrl(address: string, base?: string): URL | null {
  try {
    return new URL(address, base)
  } catch {
    return null
  }
}
