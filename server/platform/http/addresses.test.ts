import { describe, expect, test } from 'vitest'
import { addressKey, forwardedAddresses, parseAddress } from './addresses.ts'

describe('an address', () => {
  test.each([
    ['203.0.113.9', '203.0.113.9'],
    [' 203.0.113.9:50000 ', '203.0.113.9'],
    ['2001:DB8:0:0::1', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['[fe80::1%25eth0]:443', 'fe80::1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['[::ffff:c000:201]:80', '192.0.2.1'],
  ])('%s is read as %s', (text, address) => {
    expect(parseAddress(text)).toBe(address)
  })

  test.each([
    ...['', 'unknown', '_hidden', 'localhost', '203.0.113', '203.0.113.9:', '203.0.113.9:port', '203.0.113.256'],
    ...['0x7f.0.0.1', '010.0.0.1', '127.1', '[2001:db8::1', '2001:db8::1]:443', '1::2::3', '203.0.113.9 x', '<script>'],
  ])('%s is none', (text) => {
    expect(parseAddress(text)).toBeNull()
  })

  test.each([
    ['203.0.113.9:50000, [2001:db8::1]:443', '203.0.113.9, 2001:db8::1'],
    ['203.0.113.9, unknown', ''],
    ['unknown, 203.0.113.9', '203.0.113.9'],
    ['203.0.113.9, ,10.0.0.1', '10.0.0.1'],
  ])('of the forwarded %s counts %j', (header, addresses) => {
    expect(forwardedAddresses(header)).toBe(addresses)
  })
})

describe('an address counts', () => {
  test.each([
    ['192.0.2.1:50000', '192.0.2.1'],
    ['[2001:db8:1:2::1]:443', '2001:db8:1:2'],
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:0DB8:1:2::1', '2001:db8:1:2'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['2001:db8:1::', '2001:db8:1:0'],
    ['::1', '0:0:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
  ])('%s as %s', (ip, key) => {
    expect(addressKey(ip)).toBe(key)
  })
})
