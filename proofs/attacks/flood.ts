import { fork } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'

/** A call that is repeated as soon as it is answered, over this many connections at once. */
export interface FloodCall {
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** Null for a call without authentication. */
  readonly token: string | null
  /** A JSON body. Each call gets its own Idempotency-Key. */
  readonly body: string | null
}

interface FloodPlan {
  readonly address: string
  readonly inFlight: number
  readonly call: FloodCall
}

/** Answers by their HTTP status. */
export type Statuses = Readonly<Record<string, number>>

/**
 * Floods a server from a separate process, so that the measuring process is not delayed. Returns a function that stops
 * it.
 */
export function startFlood(address: string, inFlight: number, call: FloodCall): () => Promise<Statuses> {
  const child = fork(fileURLToPath(import.meta.url), [JSON.stringify({ address, inFlight, call } satisfies FloodPlan)])
  return async () => {
    child.send('stop')
    const [statuses] = (await once(child, 'message')) as [Statuses]
    child.disconnect()
    return statuses
  }
}

function flood({ address, inFlight, call }: FloodPlan): void {
  const { hostname, port } = new URL(address)
  const statuses: Record<string, number> = {}
  const sockets = new Set<Socket>()
  let isStopped = false
  let sent = 0
  const next = (): string =>
    [
      `${call.method} ${call.path} HTTP/1.1`,
      `Host: ${hostname}`,
      ...(call.token === null ? [] : [`Authorization: Bearer ${call.token}`]),
      ...(call.body === null
        ? []
        : [
            'Content-Type: application/json',
            `Content-Length: ${Buffer.byteLength(call.body)}`,
            `Idempotency-Key: flood-${++sent}`,
          ]),
      '',
      call.body ?? '',
    ].join('\r\n')
  const open = (): void => {
    if (isStopped) return
    const socket = connect(Number(port), hostname)
    socket.setNoDelay(true)
    sockets.add(socket)
    let answer = ''
    socket.on('connect', () => socket.write(next()))
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1')
      const headEnd = answer.indexOf('\r\n\r\n')
      if (headEnd < 0) return
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(answer)?.[1] ?? 0)
      if (answer.length < headEnd + 4 + length) return
      const status = answer.slice(9, 12)
      statuses[status] = (statuses[status] ?? 0) + 1
      answer = ''
      if (!isStopped) socket.write(next())
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      sockets.delete(socket)
      if (isStopped) return
      statuses['closed'] = (statuses['closed'] ?? 0) + 1
      setTimeout(open, 100)
    })
  }
  for (let n = 0; n < inFlight; n++) open()
  // The flood ends with the process that measures.
  process.once('disconnect', () => process.exit(0))
  process.once('message', () => {
    isStopped = true
    for (const socket of sockets) socket.destroy()
    process.send?.(statuses)
  })
}

if (import.meta.main && process.argv[2] !== undefined) flood(JSON.parse(process.argv[2]) as FloodPlan)
