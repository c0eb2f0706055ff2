/** Returns the parsed address; null if malformed. Some supported browsers lack `URL.parse`. */
export function parseUrl(address: string, base?: string): URL | null {
  try {
    return new URL(address, base)
  } catch {
    return null
  }
}
