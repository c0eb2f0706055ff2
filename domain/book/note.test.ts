import { describe, expect, test } from 'vitest'
import { sha256, testKey, verifyEd25519 } from '#testing/book/test-log.ts'
import { concatBytes, fromBase64, toBase64 } from './bytes.ts'
import { formatCheckpoint, parseCheckpoint, parseDecimal } from './checkpoint.ts'
import { cosignedText, decodeCosignature, encodeCosignature } from './cosignature.ts'
import {
  COSIGNATURE,
  ED25519,
  formatNote,
  formatVkey,
  parseNote,
  parseVkey,
  verifierKey,
  type VerifierKey,
  verifyNote,
} from './note.ts'
import { checkPromise, type BetPromise, promiseName, promiseText, promiseTree } from './promise.ts'
import { formatProof, parseProof } from './proof.ts'

const line = (key: VerifierKey, signature: Uint8Array) => ({ name: key.name, keyId: key.keyId, signature })

/** The example of the standard. */
const EXAMPLE_KEY = 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k'
const EXAMPLE = `This is an example message.

— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=
`

describe('a note', () => {
  const key = parseVkey(sha256, EXAMPLE_KEY)!

  test('of the standard verifies, and is written as it was read', () => {
    expect(formatVkey(key)).toBe(EXAMPLE_KEY)
    const verified = verifyNote(EXAMPLE, [key], verifyEd25519)
    expect(verified).toMatchObject({ text: 'This is an example message.\n', verified: [{ key, time: null }] })
    expect(formatNote(parseNote(EXAMPLE)!)).toBe(EXAMPLE)
  })

  test('is refused with one character changed', () => {
    expect(verifyNote(EXAMPLE.replace('This', 'Thus'), [key], verifyEd25519)).toBe('wrong-signature')
    expect(verifyNote(EXAMPLE.replace('Uw2QOkn8', 'Uw2QOkn9'), [key], verifyEd25519)).toBe('wrong-signature')
    // Another key id or name is another key, of which nothing is known.
    expect(verifyNote(EXAMPLE.replace('Uw2QO', 'Vw2QO'), [key], verifyEd25519)).toBe('not-signed')
    expect(verifyNote(EXAMPLE.replace('— example.com/foo', '— example.com/fop'), [key], verifyEd25519)).toBe(
      'not-signed',
    )
    expect(verifyNote(EXAMPLE, [], verifyEd25519)).toBe('not-signed')
  })

  test.each([
    ['without a final newline', EXAMPLE.slice(0, -1)],
    ['without the empty line', EXAMPLE.replace('\n\n', '\n')],
    ['without signatures', 'text\n\n'],
    ['of nothing', ''],
    ['with a carriage return', EXAMPLE.replace('message.', 'message.\r')],
    ['with a tab', EXAMPLE.replace('is an', 'is\tan')],
    ['with a lone surrogate', EXAMPLE.replace('is an', 'is \ud800 an')],
    ['with a hyphen for the dash', EXAMPLE.replace('—', '-')],
    ['with two spaces', EXAMPLE.replace('— ', '—  ')],
    ['with a space at the end', EXAMPLE.replace('=\n', '= \n')],
    ['with a plus in the name', EXAMPLE.replace('com/foo', 'com+foo')],
    ['with other base64', EXAMPLE.replace('aQM=', 'aQN=')],
    ['with a signature of no bytes', EXAMPLE.replace(/Uw2QO.*/, 'Uw2QOg==')],
    ['with 65 signatures', EXAMPLE + `${EXAMPLE.slice(EXAMPLE.indexOf('—'))}`.repeat(64)],
  ])('%s is malformed', (_, note) => {
    expect(verifyNote(note, [key], verifyEd25519)).toBe('malformed')
  })

  test('may hold empty lines and signatures of unknown keys', () => {
    const text = 'one\n\nthree\n'
    const { publicKey, signed } = testKey(1)
    const own = verifierKey(sha256, 'a.example/log', ED25519, publicKey)
    const other = verifierKey(sha256, 'a.example/log', COSIGNATURE, publicKey)
    const note = formatNote({ text, signatures: [line(other, Uint8Array.of(1, 2)), line(own, signed(text))] })
    expect(verifyNote(note, [own], verifyEd25519)).toMatchObject({ text, verified: [{ key: own }] })
    // Known, the second key's signature refuses the note.
    expect(verifyNote(note, [own, other], verifyEd25519)).toBe('wrong-signature')
  })
})

test.each([
  ['an id of another key', EXAMPLE_KEY.replace('530d903a', '530d903b')],
  ['upper-case hex', EXAMPLE_KEY.replace('530d903a', '530D903A')],
  ['an unknown type', EXAMPLE_KEY.replace('+Aeky', '+Auky')],
  ['a key that is too short', 'a+00000000+AQ=='],
  ['no name', EXAMPLE_KEY.replace('example.com/foo', '')],
  ['a space in the name', EXAMPLE_KEY.replace('example.com', 'example com')],
  ['a newline', `${EXAMPLE_KEY}\n`],
])('a verifier key with %s is refused', (_, vkey) => {
  expect(parseVkey(sha256, vkey)).toBeNull()
})

describe('a cosignature', () => {
  const text = formatCheckpoint({ origin: 'a.example/log', size: 0, root: sha256(new Uint8Array()) })
  const { publicKey, signed } = testKey(2)
  const witness = verifierKey(sha256, 'w.example', COSIGNATURE, publicKey)
  const noteOf = (time: number, said = time) =>
    formatNote({
      text,
      signatures: [line(witness, encodeCosignature({ time, signature: signed(cosignedText(text, said)) }))],
    })

  test('verifies with its time, and not with another one', () => {
    expect(verifyNote(noteOf(1_679_315_147), [witness], verifyEd25519)).toMatchObject({
      verified: [{ time: 1_679_315_147 }],
    })
    expect(verifyNote(noteOf(1_679_315_147, 1_679_315_148), [witness], verifyEd25519)).toBe('wrong-signature')
    expect(verifyNote(noteOf(0), [witness], verifyEd25519)).toBe('wrong-signature')
  })

  test('is a time in eight bytes and 64 of a signature', () => {
    const bytes = encodeCosignature({ time: 258, signature: new Uint8Array(64) })
    expect([...bytes.subarray(0, 8)]).toEqual([0, 0, 0, 0, 0, 0, 1, 2])
    expect(decodeCosignature(bytes)?.time).toBe(258)
    expect(decodeCosignature(bytes.subarray(1))).toBeNull()
    expect(decodeCosignature(concatBytes(Uint8Array.of(255), bytes.subarray(1)))).toBeNull()
    // A vector of the standard: its key is not given, but its time is.
    const example = fromBase64(
      'jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWXEhZCB9dlrDJsX3b2oyin1nPZqhf5nNo0xUe+mbIUBkBIfZ+qnA==',
    )!
    expect(decodeCosignature(example.subarray(4))?.time).toBe(1_679_315_147)
  })
})

describe('a checkpoint', () => {
  const text = 'example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n'

  test('of the standard is read and written', () => {
    const { extensions, ...checkpoint } = parseCheckpoint(text)!
    expect(extensions).toEqual([])
    expect(checkpoint).toMatchObject({ origin: 'example.com/behind-the-sofa', size: 20_852_163 })
    expect(formatCheckpoint(checkpoint)).toBe(text)
    expect(parseCheckpoint(`${text}more\n`)?.extensions).toEqual(['more'])
  })

  test.each([
    ['no final newline', text.slice(0, -1)],
    ['an empty extension', `${text}\n`],
    ['no origin', text.slice(text.indexOf('\n'))],
    ['a leading zero', text.replace('20852163', '020852163')],
    ['a sign', text.replace('20852163', '+20852163')],
    ['a size of 2^53', text.replace('20852163', String(2 ** 53))],
    ['a short root', text.replace('CsUYapGG', '')],
    ['two lines', 'a\n1\n'],
  ])('with %s is refused', (_, wrong) => {
    expect(parseCheckpoint(wrong)).toBeNull()
  })

  test('numbers have one spelling', () => {
    expect(['0', '10', '9007199254740991'].map(parseDecimal)).toEqual([0, 10, Number.MAX_SAFE_INTEGER])
    for (const wrong of ['', '00', '01', '-0', '1.0', '1e3', ' 1', '٣', '9007199254740992'])
      expect(parseDecimal(wrong)).toBeNull()
  })
})

describe('a proof', () => {
  const hash = sha256(Uint8Array.of(1))
  const proof = { extra: Uint8Array.of(1, 2, 3), index: 73_894, path: [hash, sha256(hash)], checkpoint: EXAMPLE }
  const text = formatProof(proof)

  test('is read as it was written', () => {
    expect(text).toBe(
      `c2sp.org/tlog-proof@v1\nextra AQID\nindex 73894\n${toBase64(hash)}\n${toBase64(sha256(hash))}\n\n${EXAMPLE}`,
    )
    expect(parseProof(text)).toEqual(proof)
    const least = { extra: null, index: 0, path: [], checkpoint: EXAMPLE }
    expect(parseProof(formatProof(least))).toEqual(least)
  })

  test.each([
    ['another version', text.replace('@v1', '@v2')],
    ['a leading zero', text.replace('index 7', 'index 07')],
    ['no index', text.replace('index 73894\n', '')],
    ['a negative index', text.replace('73894', '-1')],
    ['a hash of 31 bytes', text.replace(toBase64(hash), toBase64(hash.subarray(1)))],
    ['extra that is not base64', text.replace('AQID', 'AQI*')],
    ['the extra after the index', text.replace(/extra AQID\n(index 73894\n)/, '$1extra AQID\n')],
    ['two extras', text.replace('extra AQID\n', 'extra AQID\nextra AQID\n')],
    ['no empty line', text.replace('\n\n', '\n').replace('\n\n', '\n')],
  ])('with %s is refused', (_, wrong) => {
    expect(parseProof(wrong)).toBeNull()
  })
})

describe('a promise', () => {
  const origin = 'a.example/log'
  const { publicKey, signed } = testKey(3)
  const logKey = verifierKey(sha256, origin, ED25519, publicKey)
  const commitments = Array.from({ length: 5 }, (_, at) => sha256(Uint8Array.of(at)))
  const { root, paths } = promiseTree(sha256, commitments)
  const noteOf = (text: string, name = promiseName(origin)) =>
    formatNote({ text, signatures: [line(verifierKey(sha256, name, ED25519, publicKey), signed(text))] })
  const text = promiseText(origin, root, 1_700_000_000_123)
  const promise = (index: number): BetPromise => ({ note: noteOf(text), index, size: 5, path: paths[index]! })
  const check = (said: BetPromise, commitment: Uint8Array) =>
    checkPromise(sha256, verifyEd25519, logKey, said, commitment)

  test('says each bet of its batch, and when it was accepted', () => {
    expect(text).toBe(`a.example/log/promise\n${toBase64(root)}\n1700000000123\n`)
    for (const [index, commitment] of commitments.entries())
      expect(check(promise(index), commitment)).toEqual({ atMs: 1_700_000_000_123 })
  })

  test('says nothing of another bet, place, text or key', () => {
    const first = commitments[0]!
    expect(check(promise(1), first)).toBe('promise-path')
    expect(check({ ...promise(4), size: 6 }, commitments[4]!)).toBe('promise-path')
    expect(check({ ...promise(0), path: ['?', ...paths[0]!.slice(1)] }, first)).toBe('promise-path')
    expect(check({ ...promise(0), note: noteOf(text).replace('123\n', '124\n') }, first)).toBe('promise-signature')
    expect(check({ ...promise(0), note: noteOf(text, origin) }, first)).toBe('promise-signature')
    for (const wrong of [`${text}more\n`, `${text}\n`, text.replace('/promise', ''), text.replace('1700', '01700')])
      expect(check({ ...promise(0), note: noteOf(wrong) }, first)).toBe('promise-text')
  })
})
