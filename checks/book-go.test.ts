import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBookSource } from '#domain/book/book-source.ts'
import { encodeBundle } from '#domain/book/bundle.ts'
import { toBase64, toUtf8 } from '#domain/book/bytes.ts'
import { pathOf, rootOf } from '#domain/book/merkle.ts'
import { formatProof } from '#domain/book/proof.ts'
import { consistencyProof } from '#domain/book/tiles.ts'
import { sha256, testLog, verifyEd25519 } from '#server/testing/test-log.ts'
import { root } from './source-files.ts'

/*
 * Go's own checksum database reads what our code writes: notes, tiles, bundles and proofs. The program shares no code
 * with ours (docs/open-book.md).
 */

const GO_PATH = '/usr/share/gocode'
const isMissing =
  spawnSync('go', ['version']).status !== 0 || !existsSync(`${GO_PATH}/src/golang.org/x/mod/sumdb/tlog/tlog.go`)
const title = isMissing
  ? 'skipped, since Debian’s golang-go and golang-golang-x-mod-dev are not installed'
  : 'Go’s checksum database'

const SIZE = 70_000
const OLDER = 1_234
const PROVEN = 66_666

describe.skipIf(isMissing)(title, () => {
  const folder = mkdtempSync(join(tmpdir(), 'book-go-'))
  const program = join(folder, 'book-go')
  const files = join(folder, 'log')
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const write = (name: string, bytes: Uint8Array | string) => {
    mkdirSync(dirname(join(files, name)), { recursive: true })
    writeFileSync(join(files, name), bytes)
  }
  const run = () => spawnSync(program, [files], { encoding: 'utf8' })

  beforeAll(async () => {
    execFileSync('go', ['build', '-o', program, '.'], {
      cwd: `${root}checks/book-go`,
      env: { ...process.env, GO111MODULE: 'off', GOFLAGS: '', GOPATH: GO_PATH, GOCACHE: join(folder, 'cache') },
    })
    const log = testLog('kim-phien/0a1b2c3d')
    log.grow(SIZE)
    // Our own reader asks for every bundle and every tile.
    const source = await openBookSource({
      sha256,
      verifyEd25519,
      get: async (path) => {
        const answer = await log.get(path)
        write(path.slice('/log/'.length), answer.bytes)
        return answer
      },
    })
    const head = await source.head()
    let read = 0
    for await (const { first, lines } of source.entries(head, 0, head.size)) {
      read += lines.length
      await source.leafHashAt(head, first)
    }
    expect(read).toBe(SIZE)

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
  }, 120_000)

  test('verifies checkpoint, tiles, entries, an inclusion and a consistency', () => {
    const { status, stdout } = run()
    expect([status, stdout]).toEqual([
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
    const path = join(files, name)
    const honest = readFileSync(path)
    const changed = change(honest)
    expect(honest.equals(changed)).toBe(false)
    writeFileSync(path, changed)
    const { status, stdout } = run()
    writeFileSync(path, honest)
    expect([status, stdout.split(':')[0]]).toEqual([1, finds])
  })
})
