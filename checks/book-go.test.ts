// Gate: programs in Go are built and started.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { encodeBundle } from '#domain/book/bundle.ts'
import { toBase64, toUtf8 } from '#domain/book/bytes.ts'
import { rootOf } from '#domain/book/merkle.ts'
import { formatProof } from '#domain/book/proof.ts'
import { pathOf } from '#domain/book/testing/book-host.ts'
import { consistencyProof } from '#domain/book/tiles.ts'
import { buildGoChecker, type GoChecker, hasGo } from '#testing/book/go-checker.ts'
import { sha256, testLog } from '#testing/book/test-log.ts'

/*
 * Go's own checksum database reads what our code writes: notes, tiles, bundles and proofs. The program shares no code
 * with ours (docs/open-book.md).
 */

const SIZE = 70_000
const OLDER = 1_234
const PROVEN = 66_666

describe.skipIf(!hasGo)('Go’s checksum database (needs Debian’s golang-go and golang-golang-x-mod-dev)', () => {
  let checker: GoChecker
  beforeAll(async () => {
    checker = buildGoChecker()
    const write = (name: string, text: string) => checker.write(name, text)
    const log = testLog('kim-phien/0a1b2c3d')
    log.grow(SIZE)
    expect((await checker.mirror(log.get)).size).toBe(SIZE)

    const leaves = log.leafHashes()
    write('older', log.note(log.textOf(OLDER)))
    const proof = consistencyProof(
      sha256,
      (level, index) => rootOf(sha256, leaves.slice(index * 256 ** level, (index + 1) * 256 ** level)),
      OLDER,
      SIZE,
    )
    write('consistency', `${proof.map(toBase64).join('\n')}\n`)
    write(
      'proof',
      formatProof({
        extra: Uint8Array.of(1, 2, 3),
        index: PROVEN,
        path: pathOf(sha256, leaves, PROVEN),
        checkpoint: log.note(),
      }),
    )
  })
  afterAll(() => checker.remove())

  test('verifies checkpoint, tiles, entries, an inclusion and a consistency', () => {
    expect(checker.run()).toEqual([
      0,
      `verified: ${SIZE} entries, a proof of entry ${PROVEN}, consistency with ${OLDER}\n`,
    ])
  })

  const flip = (bytes: Buffer, byte: number) => bytes.with(byte, (bytes[byte] ?? 0) ^ 4)
  /** The first hash of the text in base64, with one bit changed. */
  const flipHash = (bytes: Buffer) =>
    Buffer.from(
      bytes.toString().replace(/[A-Za-z0-9+/]{43}=/, (hash) => toBase64(flip(Buffer.from(hash, 'base64'), 9))),
    )
  const swap = (bytes: Buffer) =>
    Buffer.from(bytes.toString('latin1').replace('e512\u0000\u0004e513', 'e513\u0000\u0004e512'), 'latin1')

  test.each([
    ['a bit of the signature', 'checkpoint', (bytes: Buffer) => flip(bytes, bytes.length - 20), 'checkpoint'],
    [
      'another size',
      'checkpoint',
      (bytes: Buffer) => Buffer.from(bytes.toString().replace('70000', '69999')),
      'checkpoint',
    ],
    ['a bit of the key', 'key', (bytes: Buffer) => flip(bytes, bytes.length - 9), 'key'],
    ['a bit of a full tile of leaves', 'tile/0/100', (bytes: Buffer) => flip(bytes, 4_000), 'tile'],
    ['a bit of a partial tile', 'tile/0/273.p/112', (bytes: Buffer) => flip(bytes, 7), 'tile'],
    ['a bit of a tile above', 'tile/1/000', (bytes: Buffer) => flip(bytes, 32 * 200), 'tile'],
    ['a bit of the highest tile', 'tile/2/000.p/1', (bytes: Buffer) => flip(bytes, 0), 'tile'],
    ['a cut tile', 'tile/0/001', (bytes: Buffer) => bytes.subarray(0, -32), 'tile'],
    ['a bit of an entry', 'tile/entries/002', (bytes: Buffer) => flip(bytes, 3), 'entry'],
    ['two entries swapped', 'tile/entries/002', swap, 'entry'],
    ['a cut bundle', 'tile/entries/002', (bytes: Buffer) => bytes.subarray(0, -1), 'bundle'],
    [
      'a bundle with an entry too many',
      'tile/entries/002',
      (bytes: Buffer) => Buffer.concat([bytes, encodeBundle([toUtf8('e')])]),
      'bundle',
    ],
    ['a bit of the older note', 'older', (bytes: Buffer) => flipHash(bytes), 'older'],
    ['a bit of a consistency proof', 'consistency', flipHash, 'consistency'],
    ['a consistency proof that is cut', 'consistency', (bytes: Buffer) => bytes.subarray(0, -45), 'consistency'],
    ['a bit of a path', 'proof', flipHash, 'proof'],
    [
      'the proof of another entry',
      'proof',
      (bytes: Buffer) => Buffer.from(bytes.toString().replace('66666', '66667')),
      'proof',
    ],
    [
      'a hash too few in a path',
      'proof',
      (bytes: Buffer) => Buffer.from(bytes.toString().replace(/(index \d+\n).{44}\n/, '$1')),
      'proof',
    ],
  ])('finds %s', (_, name, change, finds) => {
    const honest = checker.read(name)
    const changed = change(honest)
    expect(honest.equals(changed)).toBe(false)
    checker.write(name, changed)
    const [status, output] = checker.run()
    checker.write(name, honest)
    expect([status, output.split(':')[0]]).toEqual([1, finds])
  })
})
