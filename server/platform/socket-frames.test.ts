import { expect, test } from 'vitest'
import { frameOf, lineOf, writeFrame } from './socket-frames.ts'

/** The length that a frame's head names, and its text. */
function readFrame(frame: Buffer): { length: number; text: string } {
  const short = frame[1] ?? 0
  const length = short === 126 ? frame.readUInt16BE(2) : short
  return { length, text: frame.subarray(short === 126 ? 4 : 2).toString() }
}

test.each([0, 90, 103, 104, 105, 5_000, 65_000])(
  'a frame of a text of %d letters says its length in bytes',
  (letters) => {
    const payload = { label: 'á'.repeat(letters / 2) }
    const frame = frameOf('price_tick', payload)
    const { length, text } = readFrame(frame)
    expect(frame[0]).toBe(0x81)
    expect(text).toBe(`42${JSON.stringify(['price_tick', payload])}`)
    expect(length).toBe(Buffer.byteLength(text))
    expect(frame.length).toBe(length + (length < 126 ? 2 : 4))
  },
)

test('a frame beyond two bytes of length is refused', () => {
  expect(() => frameOf('price_tick', 'x'.repeat(65_536))).toThrow('price_tick is too long')
})

test.each([
  ['is open and idle', {}, true],
  ['is closing', { readyState: 'closing' }, false],
  ['has a packet on its way', { writable: false }, false],
  ['has a WebSocket that is closing', { webSocketState: 2 }, false],
  ['has bytes that its client does not take', { writableLength: 1 }, false],
])(
  'a connection that %s',
  (
    _,
    {
      readyState = 'open',
      writable = true,
      webSocketState = 1,
      writableLength = 0,
    }: {
      readyState?: string
      writable?: boolean
      webSocketState?: number
      writableLength?: number
    },
    isWritten,
  ) => {
    const written: Buffer[] = []
    const _socket = { writableLength, write: (bytes: Buffer) => written.push(bytes) > 0 }
    const frame = frameOf('round_changed', { type: '30s' })
    const connection = { readyState, transport: { writable, socket: { readyState: webSocketState, _socket } } }
    const line = lineOf(connection)
    expect(line !== null && writeFrame(line, frame)).toBe(isWritten)
    expect(written).toEqual(isWritten ? [frame] : [])
  },
)

test('a connection whose TCP socket is gone has no line', () => {
  expect(
    lineOf({ readyState: 'open', transport: { writable: true, socket: { readyState: 3, _socket: null } } }),
  ).toBeNull()
})
