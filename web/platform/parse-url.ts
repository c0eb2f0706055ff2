/** Returns the parsed address; null if it is malformed. Some supported browsers do not have `URL.parse` yet. */
export function parseUrl(address: string, base?: string): URL | null {
  try {
    return new URL(address, base)
  } catch {
    return null
  }
}
