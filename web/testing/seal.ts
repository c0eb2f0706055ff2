import { sign } from '@noble/ed25519'
import type { BetPromise } from '#contract/book.ts'
import { concatBytes, fromBase64, fromHex, toBase64, toUtf8 } from '#domain/book/bytes.ts'
import { encodeEntry, encodeFields } from '#domain/book/entry.ts'
import { leafHash } from '#domain/book/merkle.ts'
import { ED25519, formatNote, verifierKey } from '#domain/book/note.ts'
import { commitmentOf, encodeOpening, type Opening } from '#domain/book/opening.ts'
import { promiseName, promiseText, promiseTree } from '#domain/book/promise.ts'
import { formatProof } from '#domain/book/proof.ts'
import { toBookDirection } from '#domain/book/spelling.ts'
import { type BookHost, type BookSigningKey, pathOf, serveBook } from '#domain/book/testing/book-host.ts'
import { sha256 } from '#web/platform/book-crypto.ts'
import { uuid } from '#web/testing/samples.ts'
import type { OwnBet } from '#web/features/seal/judge-seal.ts'

/** A log with one own bet in it, for tests. */

export const origin = 'kim-phien/test'
/** RFC 8032 section 7.1, tests 1 and 2. */
export const logKey = keyOf(
  '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
  'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
)
export const otherKey = keyOf(
  '4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb',
  '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
)

function keyOf(secret: string, open: string): BookSigningKey {
  const bytes = (hex: string) => fromHex(hex) ?? new Uint8Array()
  return { publicKey: bytes(open), sign: (message) => sign(message, bytes(secret)) }
}

export const atMs = Date.UTC(2026, 10, 20, 8, 0, 5, 250)

export const ownBet = (changes: Partial<Opening> = {}): OwnBet => ({
  salt: toBase64(new Uint8Array(16).fill(7)),
  opening: {
    bet: uuid(1),
    round: uuid(2),
    direction: toBookDirection('up'),
    stake: 1_000,
    basis: 'PRICE',
    script: null,
    at: atMs,
    entryFrom: Math.floor(atMs / 1000) + 1,
    ...changes,
  },
})

const saltOf = (bet: OwnBet) => fromBase64(bet.salt) ?? new Uint8Array()
const cOf = (bet: OwnBet) => commitmentOf(sha256, saltOf(bet), encodeOpening(bet.opening))

/** The promise of a batch of three bets, of which this is the second. */
export function promiseOf(bet: OwnBet, key = logKey, promisedAtMs = bet.opening.at): BetPromise {
  const others = [ownBet({ bet: uuid(8) }), ownBet({ bet: uuid(9) })]
  const { root, paths } = promiseTree(
    sha256,
    [others[0], bet, others[1]].map((one) => cOf(one ?? bet)),
  )
  const text = promiseText(origin, root, promisedAtMs)
  const signer = verifierKey(sha256, promiseName(origin), ED25519, key.publicKey)
  const note = formatNote({ text, signatures: [{ ...signer, signature: key.sign(toUtf8(text)) }] })
  return { note, index: 1, size: 3, path: [...(paths[1] ?? [])] }
}

export type SmallLog = {
  readonly host: BookHost
  /** Place of the bet. */
  readonly index: number
  /** The proof in the log's first `size` entries. */
  readonly proof: (size?: number) => string
  readonly size: number
}

/** A log of beats with the bet among them; `differsAt` changes one beat. */
export function smallLog(bet: OwnBet, { differsAt = -1, key = logKey } = {}): SmallLog {
  const index = 300
  const size = index + 21
  const lines = Array.from({ length: size }, (_, at) => {
    const beatMs = atMs - 60_000 + at * 200 + (at === differsAt ? 1 : 0)
    if (at !== index) return encodeEntry('beat', beatMs, encodeFields('beat', { ticks: [] }))
    const fields = { round: bet.opening.round, c: toBase64(cOf(bet)) }
    return encodeEntry('bet', bet.opening.at, encodeFields('bet', fields))
  })
  const host = serveBook({ sha256, key, origin }, { lines, settled: new Map() })
  const hashes = lines.map((line) => leafHash(sha256, toUtf8(line)))
  return {
    host,
    index,
    size,
    proof: (of = size) =>
      formatProof({
        extra: concatBytes(saltOf(bet), toUtf8(encodeOpening(bet.opening))),
        index,
        path: pathOf(sha256, hashes.slice(0, of), index),
        checkpoint: host.noteOf(of),
      }),
  }
}
