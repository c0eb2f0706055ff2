import { type ChildProcess, spawn } from 'node:child_process'
import { connect, createServer, type AddressInfo, type Socket as NetSocket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const mainPath = fileURLToPath(new URL('../../server/main.ts', import.meta.url))

interface Member {
  child: ChildProcess | null
  port: number | null
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
  const members: Member[] = Array.from({ length: count }, () => ({ child: null, port: null }))
  let isClosing = false
  let isOut = false

  const start = (member: Member): Promise<void> =>
    new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [mainPath], {
        env: { ...process.env, ...env, HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'warn' },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      member.child = child
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        const port = /Kim Phiên: http:\/\/[^:]+:(\d+)/.exec(text)?.[1]
        if (port === undefined) return
        member.port = Number(port)
        resolve()
      })
      child.once('exit', (code) => {
        member.child = null
        member.port = null
        if (!isClosing && code !== null && code !== 0) reject(new Error(`A server ended with ${code}`))
      })
    })

  for (const member of members) await start(member)
  const ports = () => members.flatMap(({ port }) => (port === null ? [] : [port]))
  const proxy = await startProxy(() => (isOut ? [] : ports()))

  const kill = (): Member | null => {
    const alive = members.filter(({ port }) => port !== null)
    const victim = alive[Math.floor(Math.random() * alive.length)]
    if (victim === undefined) return null
    victim.port = null
    victim.child?.kill('SIGKILL')
    return victim
  }

  return {
    url: proxy.url,
    killOne() {
      const victim = kill()
      victim?.child?.once('exit', () => {
        if (!isClosing) void start(victim).catch(() => {})
      })
      return victim !== null
    },
    async lose() {
      kill()
      await sleep(50)
    },
    cut(part) {
      for (const socket of proxy.open) if (Math.random() < part) socket.destroy()
    },
    setOutage(wish) {
      isOut = wish
      if (isOut) for (const socket of proxy.open) socket.destroy()
    },
    ports,
    pids: () => members.flatMap(({ child }) => (child?.pid === undefined ? [] : [child.pid])),
    async close() {
      isClosing = true
      proxy.close()
      for (const { child } of members) child?.kill('SIGKILL')
      await sleep(100)
    },
  }
}

/** Waits for a condition. Returns the ms it took, or null when it did not become true in time. */
export async function waitFor(condition: () => boolean | Promise<boolean>, timeoutMs: number): Promise<number | null> {
  const startedMs = performance.now()
  while (!(await condition())) {
    if (performance.now() - startedMs > timeoutMs) return null
    await sleep(50)
  }
  return Math.round(performance.now() - startedMs)
}
