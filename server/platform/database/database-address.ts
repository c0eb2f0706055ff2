export interface DatabaseAddress {
  readonly urls: readonly string[]
  /** True if only a server that accepts writes may be used. */
  readonly needsPrimary: boolean
}

const PARTS = /^(?<before>postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)(?<hosts>[^/?#]+)(?<path>\/[^?#]*)?(?:\?(?<query>[^#]*))?$/

/**
 * Parses `postgres://user:password@host:port/database`, also with several hosts (PostgreSQL 15, 34.1.1.3). Returns
 * null for a malformed text, and for a `target_session_attrs` other than `any`, `read-write` and `primary`.
 */
export function parseDatabaseAddress(text: string): DatabaseAddress | null {
  const parts = PARTS.exec(text)?.groups
  if (parts === undefined) return null
  const { before = '', hosts = '', path = '' } = parts
  const query = new URLSearchParams(parts['query'] ?? '')
  const wanted = query.get('target_session_attrs') ?? 'any'
  query.delete('target_session_attrs')
  const rest = query.size === 0 ? path : `${path}?${query.toString()}`
  const urls = hosts.split(',').map((host) => `${before}${host}${rest}`)
  const isRight = urls.every((url) => URL.canParse(url) && new URL(url).hostname !== '')
  if (!isRight || !['any', 'read-write', 'primary'].includes(wanted)) return null
  return { urls, needsPrimary: urls.length > 1 || wanted !== 'any' }
}
