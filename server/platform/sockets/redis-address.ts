export interface RedisNode {
  readonly host: string
  readonly port: number
}

export interface SeveralNodes {
  readonly nodes: readonly RedisNode[]
  readonly username: string | undefined
  readonly password: string | undefined
  readonly isTls: boolean
}

export type RedisAddress =
  | { readonly kind: 'server'; readonly url: string }
  | ({ readonly kind: 'sentinel'; readonly name: string; readonly sentinelPassword: string | undefined } & SeveralNodes)
  | ({ readonly kind: 'cluster' } & SeveralNodes)

const SEVERAL =
  /^redis(?<tls>s?)\+(?<kind>sentinel|cluster):\/\/(?:(?<username>[^:@/]*)(?::(?<password>[^@/]*))?@)?(?<nodes>[^@/?#]+)(?:\/(?<name>[A-Za-z0-9._-]*))?(?:\?sentinelPassword=(?<sentinelPassword>[^&#]+))?$/
const SENTINEL_PORT = 26_379
const CLUSTER_PORT = 6_379

/**
 * Parses `redis://…`, `rediss://…`, `redis+sentinel://[user:password@]host:port,host:port/master[?sentinelPassword=…]`
 * and `redis+cluster://[user:password@]host:port,host:port`, also with `rediss` (TLS). Null for any other text.
 */
export function parseRedisAddress(text: string): RedisAddress | null {
  const parts = SEVERAL.exec(text)?.groups
  if (parts === undefined) {
    if (!URL.canParse(text)) return null
    const { protocol, hostname } = new URL(text)
    return ['redis:', 'rediss:'].includes(protocol) && hostname !== '' ? { kind: 'server', url: text } : null
  }
  const { tls, kind, username, password, nodes = '', name = '', sentinelPassword } = parts
  const isSentinel = kind === 'sentinel'
  const parsed = nodes.split(',').map((node) => parseNode(node, isSentinel ? SENTINEL_PORT : CLUSTER_PORT))
  const known = parsed.filter((node) => node !== null)
  if (known.length !== parsed.length) return null
  try {
    const access = { username: decoded(username), password: decoded(password), isTls: tls === 's' }
    if (!isSentinel)
      return name === '' && sentinelPassword === undefined ? { kind: 'cluster', nodes: known, ...access } : null
    if (name === '') return null
    return { kind: 'sentinel', nodes: known, name, sentinelPassword: decoded(sentinelPassword), ...access }
  } catch {
    return null
  }
}

const decoded = (text: string | undefined): string | undefined =>
  text === undefined || text === '' ? undefined : decodeURIComponent(text)

function parseNode(text: string, defaultPort: number): RedisNode | null {
  const found = /^(?:\[(?<v6>[0-9A-Fa-f:.]+)\]|(?<host>[A-Za-z0-9._-]+))(?::(?<port>\d{1,5}))?$/.exec(text)?.groups
  const host = found?.['v6'] ?? found?.['host']
  const port = found?.['port'] === undefined ? defaultPort : Number(found['port'])
  return host === undefined || port < 1 || port > 65_535 ? null : { host, port }
}
