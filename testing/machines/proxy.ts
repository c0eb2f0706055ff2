import { connect, createServer, type AddressInfo } from 'node:net'

/**
 * When a connection is cut, for a client that commits: before the server receives the COMMIT; as soon as it was sent,
 * with an open outcome; or when the server has committed and its answer is on the way.
 */
export type Cut = 'before-commit' | 'at-commit' | 'after-commit'

export interface CutProxy {
  /** The server's database, through the proxy. */
  readonly url: string
  /** Cuts the next connection that commits, once. */
  cutNext(cut: Cut): void
  /** Closes every connection and refuses new ones, like a server that is gone. */
  lose(): Promise<void>
  /** Accepts connections again, at the same address. */
  find(): Promise<void>
  /** The number of connections that it has cut. */
  readonly cuts: () => number
  close(): Promise<void>
}

const COMMIT = Buffer.from('commit\0')
const COMMITTED = Buffer.from('COMMIT\0')

/** A proxy between a client and PostgreSQL that simulates failures of the network. */
export async function openCutProxy(databaseUrl: string): Promise<CutProxy> {
  const target = new URL(databaseUrl)
  let armed: Cut | null = null
  let cuts = 0
  const sockets = new Set<ReturnType<typeof connect>>()
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname)
    let isAwaited = false
    const cut = () => {
      cuts++
      client.destroy()
      upstream.destroy()
    }
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        upstream.destroy()
      })
    }
    client.on('data', (bytes) => {
      if (armed === null || !bytes.includes(COMMIT)) return void upstream.write(bytes)
      const how = armed
      armed = null
      if (how === 'before-commit') return cut()
      isAwaited = how === 'after-commit'
      upstream.write(bytes, () => {
        if (how === 'at-commit') cut()
      })
    })
    upstream.on('data', (bytes) => {
      if (isAwaited && bytes.includes(COMMITTED)) cut()
      else client.write(bytes)
    })
  })
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const lose = async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  }
  await listen(0)
  const url = new URL(databaseUrl)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    cutNext: (cut) => void (armed = cut),
    cuts: () => cuts,
    lose,
    find: () => listen(Number(url.port)),
    close: lose,
  }
}
