import { fromAscii, toUtf8 } from '../bytes.ts'
import type { BookAnswer } from '../book-source.ts'
import type { FaultKind } from '../faults.ts'

/* Changes that somebody between a reader and an honest host may make, without the log's key. */

export type Get = (path: string) => BookAnswer

export interface Tampering {
  readonly name: string
  readonly kind: FaultKind
  /** The check that finds the change: of the whole book, or of one round. */
  readonly asks: 'book' | 'round'
  readonly tamper: (get: Get) => Get
}

const text = (bytes: Uint8Array): string => fromAscii(bytes) ?? ''
/** Changes one bit of the byte at index `at`. */
const flip = (bytes: Uint8Array, at: number): Uint8Array => bytes.with(at, (bytes[at] ?? 0) ^ 1)

const changing =
  (is: (path: string) => boolean, to: (bytes: Uint8Array, path: string, get: Get) => Uint8Array | null) =>
  (get: Get): Get =>
  (path) => {
    const answer = get(path)
    if (!is(path) || answer.status !== 200) return answer
    const bytes = to(answer.bytes, path, get)
    return bytes === null ? { status: 404, bytes: new Uint8Array() } : { status: 200, bytes }
  }

const changingText = (
  at: string | ((path: string) => boolean),
  to: (text: string, path: string, get: Get) => string | null,
) =>
  changing(typeof at === 'string' ? (path) => path === at : at, (bytes, path, get) => {
    const changed = to(text(bytes), path, get)
    return changed === null ? null : toUtf8(changed)
  })

/** Returns the places of the entries of a bundle, each without the bytes of its length. */
function placesIn(bundle: Uint8Array): { from: number; length: number }[] {
  const places: { from: number; length: number }[] = []
  for (let at = 0; at < bundle.length;) {
    const length = (bundle[at] ?? 0) * 256 + (bundle[at + 1] ?? 0)
    places.push({ from: at + 2, length })
    at += 2 + length
  }
  return places
}

/** Builds a bundle from entries of another bundle, in the given order. */
function rebundle(bundle: Uint8Array, order: (count: number) => readonly number[]): Uint8Array {
  const places = placesIn(bundle)
  return Uint8Array.from(
    order(places.length).flatMap((at) => {
      const place = places[at] ?? { from: 2, length: 0 }
      return [...bundle.subarray(place.from - 2, place.from + place.length)]
    }),
  )
}

const range = (count: number): number[] => Array.from({ length: count }, (_, at) => at)

/**
 * @param bundles how many full bundles the log has
 * @param round a closed round with three bets or more, an announcement, and all of its entries in full bundles
 * @param other another closed round with bets
 */
export function tamperings(bundles: number, round: string, other: string): readonly Tampering[] {
  const all: Tampering[] = []
  const add = (asks: Tampering['asks'], kind: FaultKind, name: string, tamper: Tampering['tamper']) =>
    all.push({ asks, kind, name, tamper })

  // Changes of the note.
  const isNote = (path: string) => path === '/log/checkpoint'
  const note = (kind: FaultKind, name: string, to: (bytes: Uint8Array) => Uint8Array) =>
    add(
      'book',
      kind,
      name,
      changing(isNote, (bytes) => to(bytes)),
    )
  for (const at of [0, 5, 12]) note('note-signature', `a bit of the note’s origin (${at})`, (bytes) => flip(bytes, at))
  const lineAt = (bytes: Uint8Array, line: number): number => {
    let at = 0
    for (let seen = 0; seen < line; at++) if (bytes[at] === 0x0a) seen++
    return at
  }
  for (const at of [0, 1, 2])
    note('note-signature', `a digit of the note’s size (${at})`, (bytes) => flip(bytes, lineAt(bytes, 1) + at))
  for (const at of [0, 7, 20, 33])
    note('note-signature', `a bit of the note’s root (${at})`, (bytes) => flip(bytes, lineAt(bytes, 2) + at))
  for (const back of [8, 30, 60, 85])
    note('note-signature', `a letter of the note’s signature (${back})`, (bytes) =>
      bytes.with(bytes.length - back, bytes[bytes.length - back] === 0x41 ? 0x42 : 0x41),
    )
  note('note-form', 'a note that is cut', (bytes) => bytes.subarray(0, -1))
  note('note-form', 'a note without its signature', (bytes) => bytes.subarray(0, lineAt(bytes, 4)))
  note('note-form', 'an empty note', () => new Uint8Array())
  note('note-form', 'a page instead of a note', () => toUtf8('<!doctype html>'))
  note('note-signature', 'a line more in the note', (bytes) =>
    Uint8Array.of(...bytes.subarray(0, lineAt(bytes, 3)), 0x78, 0x0a, ...bytes.subarray(lineAt(bytes, 3))),
  )

  // Changes of bundles of entries.
  const bundlePath = (n: number) => (path: string) => path === `/log/tile/entries/${String(n).padStart(3, '0')}`
  const isLastBundle = (path: string) => path.startsWith('/log/tile/entries/') && path.includes('.p/')
  const bundle = (
    kind: FaultKind,
    name: string,
    is: (path: string) => boolean,
    to: (bytes: Uint8Array, get: Get) => Uint8Array | null,
  ) =>
    add(
      'book',
      kind,
      name,
      changing(is, (bytes, _, get) => to(bytes, get)),
    )
  for (const turn of range(40))
    bundle('entry-hash', `a bit of an entry (${turn})`, bundlePath(turn % bundles), (bytes) => {
      const place = placesIn(bytes)[(turn * 37) % 256] ?? { from: 2, length: 1 }
      return flip(bytes, place.from + ((turn * 53) % place.length))
    })
  for (const turn of range(4))
    bundle('entry-hash', `a bit of an entry of the last bundle (${turn})`, isLastBundle, (bytes) => {
      const place = placesIn(bytes)[turn * 3] ?? { from: 2, length: 1 }
      return flip(bytes, place.from + 20 + turn)
    })
  for (const [name, is] of [
    ['a full bundle', bundlePath(1)],
    ['the last bundle', isLastBundle],
  ] as const) {
    bundle('bundle-form', `${name}, cut by a byte`, is, (bytes) => bytes.subarray(0, -1))
    bundle('bundle-form', `${name} with a byte more`, is, (bytes) => Uint8Array.of(...bytes, 0))
    bundle('bundle-form', `${name} without its last entry`, is, (bytes) => rebundle(bytes, (count) => range(count - 1)))
    bundle('bundle-form', `${name} without an entry within`, is, (bytes) =>
      rebundle(bytes, (count) => range(count).filter((at) => at !== 3)),
    )
    bundle('bundle-form', `${name} with an entry twice`, is, (bytes) =>
      rebundle(bytes, (count) => [0, ...range(count)]),
    )
    bundle('entry-hash', `${name} with an entry in place of another`, is, (bytes) =>
      rebundle(bytes, (count) => range(count).map((at) => (at === 2 ? 1 : at))),
    )
    bundle('entry-hash', `${name} with two entries swapped`, is, (bytes) =>
      rebundle(bytes, (count) => range(count).map((at) => (at === 4 ? 5 : at === 5 ? 4 : at))),
    )
    bundle('entry-hash', `${name} turned round`, is, (bytes) => rebundle(bytes, (count) => range(count).toReversed()))
    bundle('bundle-form', `${name}, empty`, is, () => new Uint8Array())
    bundle('bundle-form', `${name}, missing`, is, () => null)
  }
  bundle('bundle-form', 'a length of an entry', bundlePath(0), (bytes) => flip(bytes, 1))
  bundle('entry-hash', 'another bundle', bundlePath(0), (_, get) => get('/log/tile/entries/001').bytes)

  // Changes of tiles: those at the right edge, which give the root, and those of leaves, for single entries.
  const edge = (level: number) => (path: string) => path.startsWith(`/log/tile/${level}/`) && path.includes('.p/')
  for (const level of [0, 1]) {
    for (const at of [0, 31, 40])
      add(
        'book',
        'tile-hash',
        `a bit of a tile of level ${level} (${at})`,
        changing(edge(level), (bytes) => flip(bytes, at)),
      )
    add(
      'book',
      'tile-hash',
      `a cut tile of level ${level}`,
      changing(edge(level), (bytes) => bytes.subarray(32)),
    )
    add(
      'book',
      'tile-hash',
      `a missing tile of level ${level}`,
      changing(edge(level), () => null),
    )
    add(
      'book',
      'tile-hash',
      `a tile of level ${level} with a hash more`,
      changing(edge(level), (bytes) => Uint8Array.of(...bytes, ...bytes.subarray(0, 32))),
    )
    add(
      'book',
      'tile-hash',
      `a tile of level ${level} with two hashes swapped`,
      changing(edge(level), (bytes) =>
        Uint8Array.of(...bytes.subarray(32, 64), ...bytes.subarray(0, 32), ...bytes.subarray(64)),
      ),
    )
  }
  const isLeaves = (path: string) => path.startsWith('/log/tile/0/') && !path.includes('.p/')
  for (const at of [0, 100, 1_000, 5_000, 8_191])
    add(
      'round',
      'tile-hash',
      `a bit of a tile of leaves (${at})`,
      changing(isLeaves, (bytes) => flip(bytes, at)),
    )
  add(
    'round',
    'tile-hash',
    'a cut tile of leaves',
    changing(isLeaves, (bytes) => bytes.subarray(0, -1)),
  )
  add(
    'round',
    'tile-hash',
    'a missing tile of leaves',
    changing(isLeaves, () => null),
  )

  // Changes of settled lines.
  const isPage = (path: string) => path.startsWith(`/api/v1/rounds/${round}/receipt/bets`)
  const page = (kind: FaultKind, name: string, to: (lines: string[], get: Get) => unknown) =>
    add(
      'book',
      kind,
      name,
      changingText(isPage, (json, _, get) =>
        JSON.stringify({ data: to((JSON.parse(json) as { data: string[] }).data, get) }),
      ),
    )
  const inFirst = (from: RegExp, to: string) => (lines: string[]) =>
    lines.map((line, at) => (at === 0 ? line.replace(from, to) : line))
  page('lines-root', 'the profit in a line', inFirst(/"profit":(-?\d)/, '"profit":1$1'))
  page('lines-root', 'the stake in a line', inFirst(/"stake":/, '"stake":1'))
  page('lines-root', 'the side in a line', inFirst(/"direction":"[A-Z]*"/, '"direction":"SIDE"'))
  page('lines-root', 'the salt in a line', inFirst(/"salt":"./, '"salt":"_'))
  page('lines-root', 'the time in a line', inFirst(/"at":1/, '"at":2'))
  page('lines-root', 'the id in a line', inFirst(/"id":"./, '"id":"z'))
  page('lines-root', 'the index in a line', inFirst(/"i":/, '"i":1'))
  page('lines-root', 'the status in a line', inFirst(/"status":"[A-Z]*"/, '"status":"OPEN"'))
  page('lines-root', 'a space in a line', inFirst(/,/, ', '))
  page('lines-root', 'a line that is dropped', (lines) => lines.slice(1))
  page('lines-root', 'the last line dropped', (lines) => lines.slice(0, -1))
  page('lines-root', 'a line that is doubled', (lines) => [lines[0], ...lines])
  page('lines-root', 'two lines swapped', ([a, b, ...more]) => [b, a, ...more])
  page('lines-root', 'lines turned round', (lines) => lines.toReversed())
  page('lines-root', 'a line of another round', (lines, get) => {
    const [line] = (JSON.parse(text(get(`/api/v1/rounds/${other}/receipt/bets?page=1`).bytes)) as { data: string[] })
      .data
    return [...lines.slice(0, -1), line]
  })
  page('lines-root', 'no lines', () => [])
  page('receipt-form', 'lines that are numbers', (lines) => lines.map((_, at) => at))
  page('receipt-form', 'no list of lines', () => 'none')
  add(
    'book',
    'receipt-form',
    'a page that is cut',
    changingText(isPage, (json) => json.slice(0, -3)),
  )
  add(
    'book',
    'receipt-missing',
    'a page that is missing',
    changingText(isPage, () => null),
  )

  // Changes of the receipt.
  const isReceipt = (path: string) => path === `/api/v1/rounds/${round}/receipt`
  interface Part {
    index: number
    entry: string
  }
  type Receipt = Record<'round' | 'result' | 'closed' | 'announce', Part | null> & { note: string }
  const receipt = (kind: FaultKind, name: string, to: (receipt: Receipt, get: Get) => unknown) =>
    add(
      'round',
      kind,
      name,
      changing(isReceipt, (bytes, _, get) => {
        // Decodes UTF-8, because the note holds a dash that is not ASCII.
        const { data } = JSON.parse(
          decodeURIComponent(Array.from(bytes, (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')),
        ) as { data: Receipt }
        return toUtf8(JSON.stringify({ data: to(data, get) }))
      }),
    )
  for (const part of ['round', 'result', 'closed', 'announce'] as const) {
    receipt('receipt-entry', `the ${part} in a receipt`, (said) => ({
      ...said,
      [part]: { ...said[part], entry: said[part]?.entry.replace('"at":1', '"at":2') },
    }))
    receipt('receipt-entry', `the place of the ${part} in a receipt`, (said) => ({
      ...said,
      [part]: { ...said[part], index: (said[part]?.index ?? 0) + 1 },
    }))
  }
  for (const part of ['result', 'closed', 'announce'] as const)
    receipt('receipt-entry', `a receipt that hides the ${part}`, (said) => ({ ...said, [part]: null }))
  receipt('receipt-entry', 'another round’s result in a receipt', (said) => ({ ...said, result: said.round }))
  receipt('receipt-missing', 'a receipt without its round', (said) => ({ ...said, round: null }))
  receipt('receipt-form', 'a receipt without a note', (said) => ({ ...said, note: 5 }))
  receipt('note-signature', 'the note in a receipt', (said) => ({ ...said, note: said.note.replace('kim', 'kin') }))
  receipt('receipt-form', 'an entry without a place in a receipt', (said) => ({
    ...said,
    closed: { entry: said.closed?.entry },
  }))
  add(
    'round',
    'receipt-missing',
    'a receipt that is missing',
    changing(isReceipt, () => null),
  )
  add(
    'round',
    'receipt-form',
    'a receipt that is cut',
    changing(isReceipt, (bytes) => bytes.subarray(0, 100)),
  )

  // Changes of the key.
  add(
    'book',
    'log-key',
    'the key below the log',
    changingText('/log/key', (key) => key.replace(/.\n$/, '\n')),
  )
  add(
    'book',
    'log-key',
    'the key in the list of logs',
    changingText('/log/logs', (logs) => logs.replace('"vkey":"kim', '"vkey":"kin')),
  )
  add(
    'book',
    'log-key',
    'the log’s name in the list of logs',
    changingText('/log/logs', (logs) => logs.replace('"origin":"kim', '"origin":"kin')),
  )
  add(
    'book',
    'log-key',
    'an empty list of logs',
    changingText('/log/logs', () => '[]'),
  )
  return all
}
