import { connect, type Socket } from 'node:net'

/**
 * A player's socket without libraries: the parts of WebSocket, engine.io and socket.io that a game screen uses. Such a
 * socket costs a tenth of a library's, so that a machine can hold thousands of them beside the measured server.
 */
export interface RawSocket {
  readonly connection: Socket
  /** Sends one event and resolves with its acknowledgement, as JSON of an array. */
  ask(name: string, payload: object): Promise<string>
  close(): void
}

/** Returns a WebSocket frame of a client. The mask is zero, which leaves the payload unchanged. */
export function frameOf(text: string): Buffer {
  const payload = Buffer.from(text)
  const { length } = payload
  const head =
    length <= 125
      ? [0x81, 0x80 | length]
      : length < 65_536
        ? [0x81, 0x80 | 126, length >> 8, length & 0xff]
        : [0x81, 0x80 | 127, 0, 0, 0, 0, ...[24, 16, 8, 0].map((shift) => (length >> shift) & 0xff)]
  return Buffer.concat([Buffer.from([...head, 0, 0, 0, 0]), payload])
}

/** The HTTP request for a WebSocket connection of engine.io. */
export const UPGRADE =
  `GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
  `Sec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}\r\nSec-WebSocket-Version: 13\r\n\r\n`

/** All sockets read into this buffer, one after the other, so that reading allocates nothing. */
const incoming = Buffer.allocUnsafe(64 * 1024)
const PONG = frameOf('3')
const TEXT = 0x81
const PING = 0x32

/**
 * Opens a socket with this token. `onEvent` gets each event as the bytes of `buffer` from `start` to `end`: the text
 * after the type `42`. The bytes are overwritten after `onEvent` has returned.
 */
export function openRawSocket(
  address: string,
  token: string,
  onEvent: (buffer: Buffer, start: number, end: number) => void,
): Promise<RawSocket> {
  const { hostname, port } = new URL(address)
  return new Promise((resolve, reject) => {
    let isUpgraded = false
    /** The beginning of a frame whose end has not arrived yet; usually null. */
    let rest: Buffer | null = null
    let asked = 0
    const answers = new Map<number, (answer: string) => void>()
    const connection = connect({
      host: hostname,
      port: Number(port),
      noDelay: true,
      onread: {
        buffer: incoming,
        callback(size, bytes) {
          const whole = rest === null ? (bytes as Buffer) : Buffer.concat([rest, bytes.subarray(0, size)])
          const end = rest === null ? size : whole.length
          const read = takeAll(whole, end)
          rest = read === end ? null : Buffer.from(whole.subarray(read, end))
          return true
        },
      },
    })
    connection.on('error', reject)
    connection.on('close', () => reject(new Error('The server closed a socket.')))
    connection.write(UPGRADE)

    /** Handles every complete frame. Returns the number of bytes of these frames. */
    function takeAll(bytes: Buffer, end: number): number {
      let at = 0
      if (!isUpgraded) {
        const headEnd = bytes.subarray(0, end).indexOf('\r\n\r\n')
        if (headEnd < 0) return 0
        isUpgraded = true
        at = headEnd + 4
        connection.write(frameOf(`40${JSON.stringify({ token })}`))
      }
      while (at + 2 <= end) {
        const short = (bytes[at + 1] ?? 0) & 0x7f
        const start = at + (short === 126 ? 4 : 2)
        if (short === 127) throw new Error('A frame of the server is longer than any event.')
        if (start > end) break
        const next = start + (short === 126 ? bytes.readUInt16BE(at + 2) : short)
        if (next > end) break
        if (bytes[at] === TEXT) take(bytes, start, next)
        else connection.destroy(new Error(`A frame of another kind: ${bytes[at]}`))
        at = next
      }
      return at
    }

    function take(bytes: Buffer, start: number, end: number): void {
      if (bytes[start] === PING) return void connection.write(PONG)
      const type = bytes[start + 1]
      if (bytes[start] !== 0x34) return
      if (type === 0x32) return onEvent(bytes, start + 2, end)
      const text = bytes.toString('latin1', start + 1, end)
      if (text.startsWith('0')) resolve({ connection, ask, close: () => void connection.destroy() })
      else if (text.startsWith('4')) reject(new Error(`The server refused a socket: ${text}`))
      else if (text.startsWith('3')) {
        const id = Number.parseInt(text.slice(1), 10)
        answers.get(id)?.(text.slice(text.indexOf('[')))
        answers.delete(id)
      }
    }

    const ask = (name: string, payload: object): Promise<string> =>
      new Promise((answered) => {
        const id = asked++
        answers.set(id, answered)
        connection.write(frameOf(`42${id}${JSON.stringify([name, payload])}`))
      })
  })
}
