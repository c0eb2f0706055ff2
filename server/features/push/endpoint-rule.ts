import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * Says which endpoints may be called for a push (rules §6.9). Users name the endpoints, so without a rule a user could
 * make the server call an address inside its own network.
 */
export interface EndpointRule {
  readonly allowsPort: (port: string) => boolean
  readonly allowsAddress: (ip: string) => boolean
}

export const publicEndpoints: EndpointRule = {
  // `URL.port` is empty for the default port.
  allowsPort: (port) => port === '',
  allowsAddress: isPublicAddress,
}

/** Azure offers internal services to its virtual machines at this address, although the address is a public one. */
const AZURE_WIRE_SERVER = '168.63.129.16'
/** The prefix of the public IPv6 addresses that IANA assigns (RFC 3587 §3). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

/** Returns true for an address of the public internet: in no special range of IANA, and not `AZURE_WIRE_SERVER`. */
export function isPublicAddress(ip: string): boolean {
  if (!ipaddr.isValid(ip) || isIP(ip) === 0) return false
  // An IPv4-mapped IPv6 address is treated like the IPv4 address in it.
  const address = ipaddr.process(ip)
  if (address.range() !== 'unicast') return false
  if (address.kind() === 'ipv4') return address.toString() !== AZURE_WIRE_SERVER
  return (address as ipaddr.IPv6).match(GLOBAL_UNICAST)
}

/** Parses an endpoint; null if not allowed. The addresses of a host name are checked later, when a push is sent. */
export function parseEndpoint(text: string, rule: EndpointRule): URL | null {
  if (!URL.canParse(text)) return null
  const url = new URL(text)
  const isPlain = url.protocol === 'https:' && url.username === '' && url.password === '' && url.hash === ''
  if (!isPlain || !rule.allowsPort(url.port)) return null
  const ip = literalAddress(url)
  if (ip !== null) return rule.allowsAddress(ip) ? url : null
  // Refuses a name without a dot, which may be a local name, and a name that ends with a dot.
  return /^[^.]+(\.[^.]+)+$/.test(url.hostname) && !/(^|\.)localhost$/.test(url.hostname) ? url : null
}

/** Returns the IP address that a URL has in place of a host name, else null. `URL` has normalised the address. */
export function literalAddress({ hostname }: URL): string | null {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1')
  return isIP(bare) === 0 ? null : bare
}
