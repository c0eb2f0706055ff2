import { expect, test } from 'vitest'
import { encodingFor } from './compress.ts'

test.each([
  [undefined, 'identity'],
  ['', 'identity'],
  ['br', 'br'],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip', 'gzip'],
  ['GZIP', 'gzip'],
  ['gzip;q=1, br;q=0.5', 'gzip'],
  ['identity, br;q=0.5', 'identity'],
  // Refused explicitly: a client that cannot decode it would show nothing.
  ['br;q=0', 'identity'],
  ['br ; q=0.000', 'identity'],
  ['br;q=0, gzip', 'gzip'],
  ['gzip;q=0, br;q=0', 'identity'],
  ['br;q=0, *', 'identity'],
  ['*', 'identity'],
  ['deflate, xbr, br-x', 'identity'],
])('Accept-Encoding %j: %s', (accepted, encoding) => {
  expect(encodingFor(accepted)).toBe(encoding)
})
