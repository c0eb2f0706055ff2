import { describe, expect, test } from 'vitest'
import { toBase64, toHex } from './bytes.ts'
import { encodeEntry, encodeFields, ENTRY_KINDS, type EntryFields, type EntryKind } from './entry.ts'
import { encodeOpening, type Opening, parseOpening } from './opening.ts'
import { parseEntry } from './parse-entry.ts'
import { encodeSettledLine, parseSettledLine, type SettledLine } from './settled-line.ts'

const hash = toBase64(new Uint8Array(32).fill(7))
const samples: { readonly [Kind in EntryKind]: EntryFields[Kind] } = {
  rules: {
    product: 'kim-phien',
    rates: { '30s': 5, '60s': 7, '90s': 9, '120s': 12 },
    lockMs: { simulated: 1000, live: 3000 },
    text: toHex(new Uint8Array(32)),
  },
  seed: { day: 20_500, commitment: hash },
  'seed-open': { day: 20_500, seed: hash, startPrice: 4_000_000 },
  round: {
    round: 'r1',
    type: '30s',
    n: 1,
    attempt: 0,
    opens: 1_767_225_600_000,
    locks: 1_767_225_629_000,
    closes: 1_767_225_630_000,
    source: 'pyth@127.0.0.1:7070',
  },
  bet: { round: 'r1', c: hash },
  announce: { round: 'r1', c: hash },
  result: { round: 'r1', ticks: [4_000_000, null], ages: [0, null], result: null, by: 'PRICE' },
  closed: {
    round: 'r1',
    deleted: false,
    announce: { direction: 'UP', nonce: toBase64(new Uint8Array(16)) },
    evidence: [[1_767_225_600, hash]],
    ...{ bets: 1, won: 0, lost: 1, voided: 0, staked: 1000, profit: -50 },
    root: hash,
  },
  beat: { ticks: [['pyth', 1_767_225_600, 4_000_000, 250]] },
  act: { act: 'balance.adjust', actor: toBase64(new Uint8Array(9)), round: null, bet: 3, amount: -500, c: hash },
  feed: { source: 'pyth', state: 'closed', why: 'STALE' },
  dispute: { bet: 3, state: 'opened', c: hash },
  restart: { previous: toBase64(new Uint8Array(77)), why: 'RESTORED' },
}
const lineOf = <Kind extends EntryKind>(kind: Kind, change: object = {}): string =>
  encodeEntry(kind, 1_767_225_600_123, encodeFields(kind, { ...samples[kind], ...change }))

describe('parseEntry', () => {
  test.each(ENTRY_KINDS)('reads a %s as it is written', (kind) => {
    expect(parseEntry(lineOf(kind))).toEqual({
      is: 'entry',
      entry: { k: kind, v: 1, at: 1_767_225_600_123, ...samples[kind] },
    })
  })

  test.each(ENTRY_KINDS)('refuses every other spelling of a %s', (kind) => {
    const line = lineOf(kind)
    const { k, v, at, ...fields } = JSON.parse(line) as Record<string, unknown>
    const [first = ''] = Object.keys(fields)
    const others = [
      ` ${line}`,
      `${line}\n`,
      line.replace(',', ', '),
      line.replace('"at":1767225600123', '"at":1767225600123.0'),
      line.replace('"at":1767225600123', '"at":-1'),
      line.replace('"at":1767225600123', '"at":8640000000000001'),
      line.replace('"at":1767225600123', '"at":9007199254740993'),
      JSON.stringify({ k, v, at, ...fields, more: 1 }),
      JSON.stringify({ k, v, at, ...Object.fromEntries(Object.entries(fields).toReversed()) }),
      JSON.stringify({ k, v, at, ...fields, [first]: undefined }),
      JSON.stringify({ k, v, at, ...fields, [first]: {} }),
      `${line.slice(0, -1)},"k":"${kind}"}`,
      line.slice(0, -1),
    ].filter((other) => other !== line)
    expect(others.length).toBeGreaterThan(9)
    for (const other of others) expect([other, parseEntry(other).is]).toEqual([other, 'malformed'])
  })

  test.each([
    ['a letter beyond ASCII', 'round', { round: 'vòng' }],
    ['an escaped quotation mark', 'round', { round: 'a"b' }],
    ['a backslash', 'round', { round: 'a\\b' }],
    ['an unknown type', 'round', { type: '45s' }],
    ['a fraction', 'round', { n: 1.5 }],
    ['a hash that is too short', 'bet', { c: toBase64(new Uint8Array(31)) }],
    ['base64 with bits left over', 'bet', { c: `${hash.slice(0, 42)}d=` }],
    ['a price of 0', 'result', { ticks: [0, null] }],
    ['an age of 2 s', 'result', { ages: [2000, null] }],
    ['an age without a price', 'beat', { ticks: [['pyth', 1, null, 3]] }],
    ['an act that nobody knows', 'act', { act: 'user.edit' }],
    ['upper-case hex', 'rules', { text: 'A'.repeat(64) }],
    ['another product', 'rules', { product: 'other' }],
    ['a day beyond all dates', 'seed', { day: 100_000_001 }],
    ['a day that is opened beyond all dates', 'seed-open', { day: 100_000_001 }],
    ['an end beyond all dates', 'round', { closes: 8_640_000_000_000_001 }],
  ] as const)('refuses %s', (_, kind, change) => {
    expect(parseEntry(lineOf(kind)).is).toBe('entry')
    expect(parseEntry(lineOf(kind, change)).is).toBe('malformed')
  })

  test('says that it does not understand later versions and other kinds', () => {
    expect(parseEntry('{"k":"closed","v":2,"at":5,"what":[]}').is).toBe('not-understood')
    expect(parseEntry('{"k":"jackpot","v":1,"at":5}').is).toBe('not-understood')
    for (const line of ['', 'null', '[]', '{"k":"bet"}', '{"k":"bet","v":0,"at":5}', '{"k":"closed","v":2,"at":5,'])
      expect(parseEntry(line).is).toBe('malformed')
  })
})

const opening: Opening = {
  bet: 'b1',
  round: 'r1',
  direction: 'UP',
  stake: 1000,
  basis: 'PRICE',
  script: null,
  at: 1_767_225_601_500,
  entryFrom: 1_767_225_602,
}

const settled: SettledLine = {
  i: 7,
  salt: toBase64(new Uint8Array(16)),
  ...{ direction: 'UP', stake: 1000, basis: 'PRICE', script: null, at: 1_767_225_601_500, entryFrom: 1_767_225_602 },
  ...{ id: 'b1', status: 'WIN', why: null, entrySecond: 1_767_225_602, entry: 4_000_000, exit: 4_000_001, profit: 50 },
}

test('openings and settled lines have one spelling each', () => {
  const cases = [
    [encodeOpening(opening), parseOpening, opening],
    [encodeSettledLine(settled), parseSettledLine, settled],
  ] as const
  for (const [text, parse, value] of cases) {
    expect(parse(text)).toEqual(value)
    const others = [
      text.replace('"UP"', '"up"'),
      text.replace('"stake":1000', '"stake":1e3'),
      text.replace('"stake":1000', '"stake":-1000'),
      text.replace('"script":null', '"script":false'),
      text.replace('"at":1767225601500', '"at":8640000000000001'),
      text.replace(/,"script":null(.*)}$/, '$1,"script":null}'),
      text.replace('{', '{"x":1,'),
      text.replace('"b1"', '"b\\u0031"'),
    ]
    for (const other of others) expect([other, parse(other)]).toEqual([other, null])
  }
  expect(parseSettledLine(encodeSettledLine({ ...settled, salt: 'AA' }))).toBeNull()
})
