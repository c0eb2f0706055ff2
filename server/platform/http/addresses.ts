import { BlockList, isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * The usual spelling of an address of IPv4 or IPv6, without the port and the zone that may follow it; IPv4 written as
 * IPv6 is IPv4. Null for anything else (rules §4.7).
 */
export function parseAddress(text: string): string | null {
  const [, inBrackets, v4, other = ''] =
    /^\s*(?:\[([^\]]*)\](?::\d{1,5})?|([\d.]+)(?::\d{1,5})?|([^[\]]*?))\s*$/.exec(text) ?? []
  const address = (inBrackets ?? v4 ?? other).replace(/%.+$/, '')
  return isIP(address) === 0 ? null : ipaddr.process(address).toString()
}

/**
 * A list of X-Forwarded-For as addresses alone. A proxy that forwarded anything else counts itself: the list begins
 * after the last such part.
 */
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

/** The address that limits count by: one household or phone owns a whole /64 of IPv6. */
export function addressKey(ip: string): string {
  const address = parseAddress(ip)
  if (address === null || isIP(address) === 4) return address ?? ip
  const { parts } = ipaddr.IPv6.parse(address)
  return parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')
}
