import { BlockList, isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Returns an IP address in its usual spelling, without port and zone; null for any other text (rules §4.7). */
export function parseAddress(text: string): string | null {
  const [, inBrackets, v4, other = ''] =
    /^\s*(?:\[([^\]]*)\](?::\d{1,5})?|([\d.]+)(?::\d{1,5})?|([^[\]]*?))\s*$/.exec(text) ?? []
  const address = (inBrackets ?? v4 ?? other).replace(/%.+$/, '')
  return isIP(address) === 0 ? null : ipaddr.process(address).toString()
}

/** Returns the addresses of X-Forwarded-For that follow the last part that is not an address (rules §4.7). */
export function forwardedAddresses(header: string): string {
  const parts = header.split(',').map(parseAddress)
  return parts.slice(parts.lastIndexOf(null) + 1).join(', ')
}

export function createAddressList(parts: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')
  for (const part of parts) {
    const [address = '', bits] = part.split('/')
    if (bits === undefined) list.addAddress(address, familyOf(address))
    else list.addSubnet(address, Number(bits), familyOf(address))
  }
  return (address) => isIP(address) !== 0 && list.check(address, familyOf(address))
}

/** Returns the key of an address for limits; for IPv6, it is the /64 network (rules §4.7). */
export function addressKey(ip: string): string {
  const address = parseAddress(ip)
  if (address === null || isIP(address) === 4) return address ?? ip
  const { parts } = ipaddr.IPv6.parse(address)
  return parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')
}
