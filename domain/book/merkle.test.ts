import { hash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fromHex, toHex, toUtf8 } from './bytes.ts'
import { type Consistency, isConsistent, leafHash, nodeHash, rootAndPaths, rootFromPath, rootOf } from './merkle.ts'
import { consistencyProof, type HashReader, inclusionProof, rootOfTiles, tilesRead } from './tiles.ts'

const sha256 = (bytes: Uint8Array) => new Uint8Array(hash('sha256', bytes, 'buffer'))

/** The leaves and roots with which the implementations of certificate transparency test each other. */
const LEAVES = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f']
const ROOTS = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
]
const bytes = (hex: string) => fromHex(hex) ?? new Uint8Array()
const eight = LEAVES.map((leaf) => leafHash(sha256, bytes(leaf)))

const MOST = 700
const leaves = Array.from({ length: MOST }, (_, at) => leafHash(sha256, toUtf8(`leaf ${at}`)))
const roots = new Map<string, Uint8Array>()

/** RFC 6962 section 2.1 word for word, for the leaves D[from:to]. Each is computed once. */
function naiveRoot(to: number, from = 0): Uint8Array {
  const compute = () => {
    if (to === from) return sha256(new Uint8Array())
    if (to - from === 1) return leaves[from]!
    const k = from + split(to - from)
    return nodeHash(sha256, naiveRoot(k, from), naiveRoot(to, k))
  }
  const root = roots.get(`${from}:${to}`) ?? compute()
  roots.set(`${from}:${to}`, root)
  return root
}
function naivePath(m: number, to: number, from = 0): Uint8Array[] {
  if (to - from === 1) return []
  const k = from + split(to - from)
  return m < k ? [...naivePath(m, k, from), naiveRoot(to, k)] : [...naivePath(m, to, k), naiveRoot(k, from)]
}
function naiveProof(m: number, to: number, from = 0, isWhole = true): Uint8Array[] {
  if (m === to) return isWhole ? [] : [naiveRoot(to, from)]
  const k = from + split(to - from)
  return m <= k
    ? [...naiveProof(m, k, from, isWhole), naiveRoot(to, k)]
    : [...naiveProof(m, to, k, false), naiveRoot(k, from)]
}
const split = (size: number) => 2 ** (Math.ceil(Math.log2(size)) - 1)

const reader =
  (size: number): HashReader =>
  (level, index) => {
    const span = 256 ** level
    if ((index + 1) * span > size) throw new Error(`no hash ${level}/${index} in a tree of ${size}`)
    return naiveRoot((index + 1) * span, index * span)
  }

test('the roots of certificate transparency', () => {
  for (const [size, root] of ROOTS.entries()) expect(toHex(rootOf(sha256, eight.slice(0, size)))).toBe(root)
})

test('what is too short for a hash is not completed by the one before', () => {
  const [left, right] = [sha256(Uint8Array.of(1)), sha256(Uint8Array.of(2))]
  const short = right.subarray(0, 30)
  const expected = sha256(Uint8Array.of(1, ...left, ...short, 0, 0))
  expect(toHex(nodeHash(sha256, left, right))).toBe(toHex(sha256(Uint8Array.of(1, ...left, ...right))))
  expect(toHex(nodeHash(sha256, left, short))).toBe(toHex(expected))
})

test('all paths at once are those of the definition', () => {
  for (const size of [0, 1, 2, 3, 5, 8, 13, 64, 100, 129]) {
    const some = leaves.slice(0, size)
    expect(rootAndPaths(sha256, some, toHex)).toEqual({
      root: rootOf(sha256, some),
      paths: some.map((_, index) => naivePath(index, size).map(toHex)),
    })
  }
})

test('the paths of certificate transparency', () => {
  const path = [
    '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
    '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
    '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
  ]
  expect(rootAndPaths(sha256, eight, toHex).paths[0]).toEqual(path)
  const heads = { oldSize: 1, oldRoot: bytes(ROOTS[1]!), newSize: 8, newRoot: bytes(ROOTS[8]!) }
  expect(isConsistent(sha256, { ...heads, proof: path.map(bytes) })).toBe(true)
})

const sized = fc
  .integer({ min: 1, max: MOST })
  .chain((size) => fc.record({ size: fc.constant(size), index: fc.nat(size - 1), oldSize: fc.nat(size) }))

describe('every size to 700', () => {
  test('has the root of the definition, over leaves and over tiles', () => {
    for (let size = 0; size <= 600; size++) {
      const expected = toHex(naiveRoot(size))
      expect(toHex(rootOf(sha256, leaves.slice(0, size)))).toBe(expected)
      expect(toHex(rootOfTiles(sha256, reader(size), size))).toBe(expected)
    }
  })

  test('has the paths of the definition, which lead to the root', () => {
    fc.assert(
      fc.property(sized, ({ size, index }) => {
        const path = inclusionProof(sha256, reader(size), index, size)
        expect(path.map(toHex)).toEqual(naivePath(index, size).map(toHex))
        expect(rootFromPath(sha256, leaves[index]!, index, size, path)).toEqual(naiveRoot(size))
      }),
    )
  })

  test('has the consistency proofs of the definition, which verify', () => {
    fc.assert(
      fc.property(sized, ({ size, oldSize }) => {
        const proof = consistencyProof(sha256, reader(size), oldSize, size)
        if (oldSize > 0) expect(proof.map(toHex)).toEqual(naiveProof(oldSize, size).map(toHex))
        const oldRoot = naiveRoot(oldSize)
        expect(isConsistent(sha256, { oldSize, oldRoot, newSize: size, newRoot: naiveRoot(size), proof })).toBe(true)
      }),
    )
  })

  test('reads no tile that it does not say, and few', () => {
    fc.assert(
      fc.property(sized, ({ size, index }) => {
        const tiles = tilesRead(size, (hash, read) => inclusionProof(hash, read, index, size))
        const named = new Set(tiles.map(({ level, n }) => `${level}/${n}`))
        inclusionProof(
          sha256,
          (level, at) => {
            expect(named).toContain(`${level}/${Math.floor(at / 256)}`)
            return reader(size)(level, at)
          },
          index,
          size,
        )
        expect(tiles.length).toBeLessThanOrEqual(3)
        for (const { width } of tiles) expect(width).toBeGreaterThan(0)
      }),
    )
  })
})

describe('a forgery', () => {
  const flip = (hash: Uint8Array, bit: number) =>
    hash.map((byte, at) => (at === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte))

  test('of a path is refused: a bit, a hash too many or too few, another index, another leaf', () => {
    fc.assert(
      fc.property(sized, fc.nat(10_000), fc.nat(255), ({ size, index }, pick, bit) => {
        const root = toHex(naiveRoot(size))
        const path = naivePath(index, size)
        const lead = (leaf: Uint8Array, at: number, of: number, by: readonly Uint8Array[]) => {
          const found = rootFromPath(sha256, leaf, at, of, by)
          return found === null ? null : toHex(found)
        }
        const leaf = leaves[index]!
        const at = path.length === 0 ? 0 : pick % path.length
        if (path.length > 0) {
          expect(lead(leaf, index, size, path.with(at, flip(path[at]!, bit)))).not.toBe(root)
          expect(lead(leaf, index, size, path.toSpliced(at, 1))).not.toBe(root)
          expect(lead(leaf, pick % size === index ? (index + 1) % size : pick % size, size, path)).not.toBe(root)
          expect(lead(leaf, index, size, path.with(at, path[at]!.subarray(1)))).toBeNull()
        }
        expect(lead(leaf, index, size, [...path, leaf])).toBeNull()
        expect(lead(flip(leaf, bit), index, size, path)).not.toBe(root)
        expect(lead(leaf, size, size, path)).toBeNull()
        expect(lead(leaf, -1, size, path)).toBeNull()
        expect(lead(leaf, index + 0.5, size, path)).toBeNull()
      }),
    )
  })

  test('of a consistency proof is refused', () => {
    fc.assert(
      fc.property(sized, fc.nat(10_000), fc.nat(255), ({ size, oldSize }, pick, bit) => {
        const honest: Consistency = {
          oldSize,
          oldRoot: naiveRoot(oldSize),
          newSize: size,
          newRoot: naiveRoot(size),
          proof: oldSize === 0 ? [] : naiveProof(oldSize, size),
        }
        const refused = (change: Partial<Consistency>) =>
          expect(isConsistent(sha256, { ...honest, ...change })).toBe(false)
        expect(isConsistent(sha256, honest)).toBe(true)
        refused({ oldRoot: flip(honest.oldRoot, bit) })
        refused({ proof: [...honest.proof, honest.newRoot] })
        refused({ newSize: oldSize - 1 })
        if (oldSize > 0) refused({ newRoot: flip(honest.newRoot, bit) })
        if (honest.proof.length === 0) return
        const at = pick % honest.proof.length
        refused({ proof: honest.proof.with(at, flip(honest.proof[at]!, bit)) })
        refused({ proof: honest.proof.toSpliced(at, 1) })
        refused({ proof: [] })
      }),
    )
  })
})

test('no path of a leaf that is not there', () => {
  expect(() => inclusionProof(sha256, reader(8), 8, 8)).toThrow(RangeError)
  expect(() => consistencyProof(sha256, reader(8), 9, 8)).toThrow(RangeError)
})
