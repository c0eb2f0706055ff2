/** The parts used here of an engine.io connection over a WebSocket. */
interface Connection {
  readonly readyState: string
  readonly transport: object
}

interface WebSocketTransport {
  readonly writable: boolean
  readonly socket: WebSocketOfWs
}

interface WebSocketOfWs {
  readonly readyState: number
  readonly _socket: TcpSocket | null
}

interface TcpSocket {
  readonly writableLength: number
  write(bytes: Buffer): boolean
}

/** Where a connection's frames go, looked up once: with thousands of connections each look-up is a miss of the cache. */
export interface Line {
  readonly connection: Connection
  readonly transport: WebSocketTransport
  readonly webSocket: WebSocketOfWs
  readonly tcp: TcpSocket
}

/** The line of an open connection, which has one transport for its life, since WebSocket is the only one. */
export function lineOf(connection: Connection): Line | null {
  const transport = connection.transport as WebSocketTransport
  const { socket: webSocket } = transport
  return webSocket._socket === null ? null : { connection, transport, webSocket, tcp: webSocket._socket }
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
export function writeFrame({ connection, transport, webSocket, tcp }: Line, frame: Buffer): boolean {
  if (connection.readyState !== 'open' || !transport.writable || webSocket.readyState !== WebSocket.OPEN) return false
  if (tcp.writableLength > 0) return false
  tcp.write(frame)
  return true
}
