import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { fromHex, toHex } from '#domain/book/bytes.ts'
import { sha256, verifyEd25519 } from './book-crypto.ts'

const bytes = (hex: string) => fromHex(hex) ?? new Uint8Array()
const ascii = (text: string) => new TextEncoder().encode(text)

describe('SHA-256', () => {
  it('answers the examples of FIPS 180-4', () => {
    expect(toHex(sha256(ascii('')))).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
    expect(toHex(sha256(ascii('abc')))).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
    expect(toHex(sha256(ascii('abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq')))).toBe(
      '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
    )
  })

  it('answers what Node does, for every length around its blocks', () => {
    for (let length = 0; length < 300; length++) {
      const message = Uint8Array.from({ length }, (_, at) => (at * 31 + length) & 0xff)
      expect(toHex(sha256(message))).toBe(createHash('sha256').update(message).digest('hex'))
    }
  })
})

/** RFC 8032 section 7.1: tests 1 to 3. */
const vectors = [
  {
    key: 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
    message: '',
    signature:
      'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
  },
  {
    key: '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
    message: '72',
    signature:
      '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
  },
  {
    key: 'fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025',
    message: 'af82',
    signature:
      '6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a',
  },
] as const

describe('Ed25519', () => {
  it('accepts the signatures of RFC 8032, and none with a bit changed', () => {
    for (const { key, message, signature } of vectors) {
      expect(verifyEd25519(bytes(key), bytes(message), bytes(signature))).toBe(true)
      for (const at of [0, 31, 32, 63]) {
        const flipped = bytes(signature).with(at, (bytes(signature)[at] ?? 0) ^ 1)
        expect(verifyEd25519(bytes(key), bytes(message), flipped)).toBe(false)
      }
      expect(verifyEd25519(bytes(key), bytes(`${message}00`), bytes(signature))).toBe(false)
    }
  })

  it('accepts what Node signs, with that key alone', () => {
    const raw = (key: ReturnType<typeof generateKeyPairSync>['publicKey']) =>
      new Uint8Array(key.export({ format: 'der', type: 'spki' }).subarray(-32))
    const pair = generateKeyPairSync('ed25519')
    const other = generateKeyPairSync('ed25519')
    for (const text of ['', 'kim-phien/1a2b3c4d\n12\nroot\n', 'x'.repeat(5_000)]) {
      const signature = new Uint8Array(sign(null, ascii(text), pair.privateKey))
      expect(verifyEd25519(raw(pair.publicKey), ascii(text), signature)).toBe(true)
      expect(verifyEd25519(raw(other.publicKey), ascii(text), signature)).toBe(false)
    }
  })

  it('refuses keys and signatures of another shape without an exception', () => {
    const [{ key, signature }] = vectors
    expect(verifyEd25519(new Uint8Array(31), new Uint8Array(), bytes(signature))).toBe(false)
    expect(verifyEd25519(bytes(key), new Uint8Array(), new Uint8Array(63))).toBe(false)
    expect(verifyEd25519(new Uint8Array(32).fill(0xff), new Uint8Array(), bytes(signature))).toBe(false)
    expect(verifyEd25519(bytes(key), new Uint8Array(), new Uint8Array(64).fill(0xff))).toBe(false)
  })

  it('refuses the neutral point as a key, whose signature anybody can make', () => {
    const neutral = new Uint8Array(32).with(0, 1)
    const signature = new Uint8Array(64).with(0, 1)
    expect(verifyEd25519(neutral, ascii('anything'), signature)).toBe(false)
  })
})
