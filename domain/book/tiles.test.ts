import { describe, expect, test } from 'vitest'
import { decodeBundle, encodeBundle } from './bundle.ts'
import { edgeTiles, entriesPath, parseEntriesPath, parseTilePath, tileOf, tilePath } from './tiles.ts'

describe('paths', () => {
  test.each([
    [0, 0, 256, 'tile/0/000'],
    [1, 5, 1, 'tile/1/005.p/1'],
    [0, 999, 255, 'tile/0/999.p/255'],
    [0, 1_000, 256, 'tile/0/x001/000'],
    [63, 1_234_067, 256, 'tile/63/x001/x234/067'],
  ])('level %i number %i width %i', (level, n, width, path) => {
    expect(tilePath(level, n, width)).toBe(path)
    expect(parseTilePath(path)).toEqual({ level, n, width })
    const ofEntries = path.replace(/^tile\/\d+/, 'tile/entries')
    expect(entriesPath(n, width)).toBe(ofEntries)
    expect(parseEntriesPath(ofEntries)).toEqual({ n, width })
    expect(parseTilePath(ofEntries)).toBeNull()
    expect(parseEntriesPath(path)).toBeNull()
  })

  test.each([
    '',
    'tile/0',
    'tile/0/',
    'tile/00/000',
    'tile/01/000',
    'tile/64/000',
    'tile/-1/000',
    'tile/+1/000',
    'tile/0/0',
    'tile/0/00',
    'tile/0/0000',
    'tile/0/x000/000',
    'tile/0/x000',
    'tile/0/001/000',
    'tile/0/x001/x000',
    'tile/0/X001/000',
    'tile/0/000.p/0',
    'tile/0/000.p/256',
    'tile/0/000.p/257',
    'tile/0/000.p/01',
    'tile/0/000.p/',
    'tile/0/000.p/1/',
    'tile/0/000.p/1\n',
    'tile/0/000/',
    '/tile/0/000',
    'tile/0/٠٠٠',
    'tile/0/x999/x999/x999/x999/x999/999',
  ])('refuses %j', (path) => {
    expect(parseTilePath(path)).toBeNull()
    expect(parseEntriesPath(path.replace(/^tile\/[^/]*/, 'tile/entries'))?.n ?? null).toBe(
      // Only the level was wrong with these.
      /^tile\/(00|01|64|-1|\+1)\/000$/.test(path) ? 0 : null,
    )
  })
})

test('the tiles of the standard’s example: a tree of 70,000', () => {
  expect(edgeTiles(70_000)).toEqual([
    { level: 0, n: 273, width: 112 },
    { level: 1, n: 1, width: 17 },
    { level: 2, n: 0, width: 1 },
  ])
  expect(edgeTiles(256)).toEqual([{ level: 1, n: 0, width: 1 }])
  expect(edgeTiles(0)).toEqual([])
  expect(tileOf(0, 69_999, 70_000)).toEqual({ level: 0, n: 273, width: 112 })
  expect(tileOf(0, 69_000, 70_000)).toEqual({ level: 0, n: 269, width: 256 })
})

describe('a bundle', () => {
  const entries = [new Uint8Array(), Uint8Array.of(1), new Uint8Array(300).fill(7), new Uint8Array(65_535).fill(9)]

  test('holds entries of any length to 65,535 bytes', () => {
    const bundle = encodeBundle(entries)
    expect([...bundle.subarray(0, 8)]).toEqual([0, 0, 0, 1, 1, 1, 44, 7])
    expect(decodeBundle(bundle)).toEqual(entries)
    expect(decodeBundle(new Uint8Array())).toEqual([])
    expect(() => encodeBundle([new Uint8Array(65_536)])).toThrow(RangeError)
  })

  test('is refused when it is cut', () => {
    const bundle = encodeBundle(entries.slice(0, 3))
    const whole = [0, 2, 5, bundle.length]
    for (let length = 0; length <= bundle.length; length++)
      expect(decodeBundle(bundle.subarray(0, length)) === null).toBe(!whole.includes(length))
  })
})
