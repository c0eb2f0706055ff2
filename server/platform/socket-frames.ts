/** The parts used here of an engine.io connection over a WebSocket. */
interface Connection {
  readonly readyState: string
  readonly transport: object
}

interface WebSocketTransport {
  readonly writable: boolean
  readonly socket: {
    readonly readyState: number
    readonly _socket: { readonly writableLength: number; write(bytes: Buffer): boolean } | null
  }
}

/** The first byte of a whole text frame (RFC 6455 §5.2). */
const TEXT = 0x81

/** One event of socket.io as a whole WebSocket frame of the server, without compression. */
export function frameOf(name: string, payload: unknown): Buffer {
  const body = Buffer.from(`42${JSON.stringify([name, payload])}`)
  const { length } = body
  if (length > 0xff_ff) throw new Error(`${name} is too long for a frame of ours`)
  const head = length < 126 ? [TEXT, length] : [TEXT, 126, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from(head), body])
}

/**
 * Writes a frame at once to a connection that has nothing else to send. socket.io would write head and body of the same
 * frame apart, with a packet, four events and a callback for each socket, about a fifth of what a tick costs
 * (decision 032). False where the connection is closing or still sending: nothing was written, and the usual way
 * keeps the order.
 */
export function writeFrame({ readyState, transport }: Connection, frame: Buffer): boolean {
  const { writable, socket } = transport as WebSocketTransport
  if (readyState !== 'open' || !writable || socket.readyState !== WebSocket.OPEN) return false
  if (socket._socket === null || socket._socket.writableLength > 0) return false
  socket._socket.write(frame)
  return true
}
