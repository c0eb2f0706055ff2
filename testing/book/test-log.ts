import { createPrivateKey, createPublicKey, hash, sign, verify } from 'node:crypto'
import type { BookAnswer } from '#domain/book/book-source.ts'
import { encodeBundle } from '#domain/book/bundle.ts'
import { toUtf8 } from '#domain/book/bytes.ts'
import { formatCheckpoint } from '#domain/book/checkpoint.ts'
import { leafHash, rootOf } from '#domain/book/merkle.ts'
import { ED25519, formatNote, formatVkey, verifierKey } from '#domain/book/note.ts'
import { parseEntriesPath, parseTilePath } from '#domain/book/tiles.ts'

export const sha256 = (bytes: Uint8Array) => new Uint8Array(hash('sha256', bytes, 'buffer'))
const spki = Buffer.from('302a300506032b6570032100', 'hex')
export const verifyEd25519 = (publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array) =>
  verify(
    null,
    message,
    createPublicKey({ key: Buffer.concat([spki, publicKey]), format: 'der', type: 'spki' }),
    signature,
  )

/** An Ed25519 key made from one byte. */
export function testKey(byte: number) {
  const pkcs8 = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), Buffer.alloc(32, byte)])
  const privateKey = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' })
  const publicKey = new Uint8Array(createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(-32))
  return { publicKey, signed: (text: string) => new Uint8Array(sign(null, toUtf8(text), privateKey)) }
}

/** A log in memory that serves itself; a test can change its files on the way by their path. */
export function testLog(origin = 'a.example/log', byte = 1) {
  const { publicKey, signed } = testKey(byte)
  const key = verifierKey(sha256, origin, ED25519, publicKey)
  const vkey = formatVkey(key)
  let entries: Uint8Array[] = []
  const changed = new Map<string, (answer: BookAnswer) => BookAnswer>()
  const asked: string[] = []
  const json = (value: unknown) => ok(toUtf8(JSON.stringify(value)))
  const ok = (bytes: Uint8Array): BookAnswer => ({ status: 200, bytes })
  let levels: { of: Uint8Array[]; hashes: Uint8Array[][] } = { of: entries, hashes: [[]] }
  const hashes = (level: number): Uint8Array[] => {
    if (levels.of !== entries) levels = { of: entries, hashes: [entries.map((entry) => leafHash(sha256, entry))] }
    return (levels.hashes[level] ??= hashesAbove(hashes(level - 1)))
  }
  const hashesAbove = (below: Uint8Array[]) =>
    Array.from({ length: Math.floor(below.length / 256) }, (_, at) =>
      rootOf(sha256, below.slice(at * 256, (at + 1) * 256)),
    )
  const note = (text = textOf(entries.length)) =>
    formatNote({
      text,
      signatures: [{ ...key, signature: signed(text) }],
    })
  const textOf = (size: number) => formatCheckpoint({ origin, size, root: rootOf(sha256, hashes(0).slice(0, size)) })

  function answer(path: string): BookAnswer {
    if (path === '/log/logs') return json([{ origin, prefix: '/log', vkey }])
    if (path === '/log/key') return ok(toUtf8(`${vkey}\n`))
    if (path === '/log/checkpoint') return ok(toUtf8(note()))
    const tile = parseTilePath(path.slice('/log/'.length))
    const bundle = parseEntriesPath(path.slice('/log/'.length))
    if (bundle !== null) return ok(encodeBundle(entries.slice(bundle.n * 256, bundle.n * 256 + bundle.width)))
    if (tile === null) return { status: 404, bytes: new Uint8Array() }
    return ok(Buffer.concat(hashes(tile.level).slice(tile.n * 256, tile.n * 256 + tile.width)))
  }
  return {
    vkey,
    leafHashes: () => hashes(0),
    entryAt: (index: number) => entries[index] ?? new Uint8Array(),
    note,
    textOf,
    asked,
    changed,
    json,
    grow: (to: number) => {
      entries = [
        ...entries,
        ...Array.from({ length: to - entries.length }, (_, at) => toUtf8(`e${at + entries.length}`)),
      ]
    },
    rewrite: (index: number, text: string) => {
      entries = entries.with(index, toUtf8(text))
    },
    get: (path: string) => {
      asked.push(path)
      const change = changed.get(path)
      return Promise.resolve(change === undefined ? answer(path) : change(answer(path)))
    },
  }
}
/** Changes one bit of an answer. */
export const flipped = (bit: number) => (answer: BookAnswer) => ({
  ...answer,
  bytes: answer.bytes.map((byte, at) => (at === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte)),
})
