import { connect, createServer, type AddressInfo, type Socket as NetSocket } from 'node:net'
import { makeOwnServer, type OwnServer } from '#testing/machines/process.ts'

interface Member {
  readonly server: OwnServer
  /** Whether it listens, and was not killed since. */
  isUp: boolean
}

/** Server processes behind a TCP proxy of the test, which can be killed and disconnected. */
export interface Fleet {
  readonly url: string
  /** Kills a running process at once and starts another in its place. Returns false when none runs. */
  killOne(): boolean
  /** Kills one process and starts none. */
  lose(): Promise<void>
  /** Cuts this fraction of the connections through the proxy. */
  cut(part: number): void
  /** True refuses new connections and cuts the existing ones; false ends that. */
  setOutage(isOut: boolean): void
  /** The ports of the processes, behind the proxy. */
  ports(): number[]
  pids(): number[]
  close(): Promise<void>
}

/** A TCP proxy that forwards each connection to a random one of the ports. Without a port it refuses. */
export async function startProxy(ports: () => readonly number[]) {
  const open = new Set<NetSocket>()
  const proxy = createServer((client) => {
    const alive = ports()
    const port = alive[Math.floor(Math.random() * alive.length)]
    if (port === undefined) return void client.destroy()
    const upstream = connect(port, '127.0.0.1')
    open.add(client)
    client.setNoDelay(true)
    upstream.setNoDelay(true)
    client.pipe(upstream).pipe(client)
    for (const socket of [client, upstream]) {
      socket.on('error', () => {})
      socket.on('close', () => {
        open.delete(client)
        client.destroy()
        upstream.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', 4096, resolve))
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    open,
    close() {
      for (const socket of open) socket.destroy()
      proxy.close()
    },
  }
}

export async function startFleet(count: number, env: Readonly<Record<string, string>>): Promise<Fleet> {
  const members: Member[] = []
  for (let n = 0; n < count; n++)
    members.push({ server: await makeOwnServer(env['DATA_DIR'] ?? '', { ...env, LOG_LEVEL: 'warn' }), isUp: false })
  let isClosing = false
  let isOut = false
  const start = async (member: Member): Promise<void> => {
    member.server.spawn()
    await member.server.listening()
    member.isUp = true
  }
  for (const member of members) await start(member)
  const alive = () => members.filter(({ isUp }) => isUp)
  const ports = () => alive().map(({ server }) => Number(new URL(server.url).port))
  const proxy = await startProxy(() => (isOut ? [] : ports()))

  /** Kills one at once; returns it, and its end. */
  const kill = (): { readonly victim: Member; readonly ended: Promise<void> } | null => {
    const running = alive()
    const victim = running[Math.floor(Math.random() * running.length)]
    if (victim === undefined) return null
    victim.isUp = false
    return { victim, ended: victim.server.kill() }
  }

  return {
    url: proxy.url,
    killOne() {
      const killed = kill()
      void killed?.ended.then(() => (isClosing ? null : start(killed.victim))).catch(() => {})
      return killed !== null
    },
    lose: async () => kill()?.ended,
    cut(part) {
      for (const socket of proxy.open) if (Math.random() < part) socket.destroy()
    },
    setOutage(wish) {
      isOut = wish
      if (isOut) for (const socket of proxy.open) socket.destroy()
    },
    ports,
    pids: () => members.flatMap(({ server }) => (server.isRunning() ? [server.pid() ?? 0] : [])),
    async close() {
      isClosing = true
      proxy.close()
      await Promise.all(members.map(({ server }) => server.kill()))
    },
  }
}
