import { randomInt } from 'node:crypto'
import { type AddressInfo, createServer, type Server } from 'node:net'

/**
 * Ports that nobody listens on, all different, below those that systems give to outgoing connections, since such a
 * connection could take a port before its server does.
 */
export async function freePorts(count: number): Promise<number[]> {
  const servers: Server[] = []
  while (servers.length < count) {
    const server = createServer()
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false))
      server.listen(randomInt(10_000, 32_000), '127.0.0.1', () => resolve(true))
    })
    if (isFree) servers.push(server)
  }
  const ports = servers.map((server) => (server.address() as AddressInfo).port)
  for (const server of servers) await new Promise((resolve) => server.close(resolve))
  return ports
}
