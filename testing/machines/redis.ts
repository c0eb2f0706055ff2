import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Redis } from 'ioredis'
import { freePorts } from './ports.ts'

/** A test's own Redis server, which can be frozen: it then accepts connections and answers nothing. */
export interface OwnRedis {
  readonly url: string
  freeze(): void
  thaw(): void
  stop(): Promise<void>
}

/** Starts redis-server on a free port, without persistence, with further arguments of its own. */
export async function startOwnRedis(...given: readonly string[]): Promise<OwnRedis> {
  const [port = 0] = await freePorts(1)
  const child = await startRedis(port, given)
  return {
    url: `redis://127.0.0.1:${port}`,
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    stop: () => kill(child),
  }
}

/** A master with two replicas, watched by three Sentinels, and how to take the master away. */
export interface OwnSentinels {
  /** The address in the form that REDIS_URL takes. */
  readonly url: string
  /** The port of the master as a Sentinel says it now. */
  masterPort(): Promise<number>
  /** Kills the master, or suspends it, which keeps its connections open. */
  takeMasterAway(how: 'SIGKILL' | 'SIGSTOP'): Promise<void>
  stop(): Promise<void>
}

/** The name by which the Sentinels of a test know their master. */
const MASTER_NAME = 'kim-phien'

/** Starts three redis-server and three redis-sentinel processes that agree on a master. A failover takes about 2 s. */
export async function startOwnSentinels(): Promise<OwnSentinels> {
  const folder = mkdtempSync(join(tmpdir(), 'own-sentinels-'))
  const children = new Map<number, ChildProcess>()
  const [first = 0, ...others] = await freePorts(6)
  const [replicas, sentinels] = [others.slice(0, 2), others.slice(2)]
  for (const port of [first, ...replicas])
    children.set(
      port,
      await startRedis(port, [
        ...['--dir', folder, '--repl-diskless-sync-delay', '0'],
        ...(port === first ? [] : ['--replicaof', '127.0.0.1', `${first}`]),
      ]),
    )
  for (const port of sentinels) {
    const file = join(folder, `sentinel-${port}.conf`)
    writeFileSync(
      file,
      [
        ...[`port ${port}`, 'bind 127.0.0.1', `dir ${folder}`],
        `sentinel monitor ${MASTER_NAME} 127.0.0.1 ${first} 2`,
        `sentinel down-after-milliseconds ${MASTER_NAME} 1000`,
        `sentinel failover-timeout ${MASTER_NAME} 5000`,
      ].join('\n'),
    )
    children.set(port, await startRedis(null, [file, '--sentinel'], '+monitor'))
  }
  const ask = async (port: number, ...command: [string, ...string[]]): Promise<unknown> => {
    const redis = new Redis(port, '127.0.0.1', { lazyConnect: true, retryStrategy: () => null })
    try {
      await redis.connect()
      return await redis.call(...command)
    } finally {
      redis.disconnect()
    }
  }
  const masterPort = async () => {
    const [, port] = (await ask(sentinels[0] ?? 0, 'sentinel', 'get-master-addr-by-name', MASTER_NAME)) as string[]
    return Number(port)
  }
  // Ready for a failover once every Sentinel knows both replicas and both other Sentinels.
  for (const port of sentinels)
    for (;;) {
      const known = await Promise.all(
        ['replicas', 'sentinels'].map((what) => ask(port, 'sentinel', what, MASTER_NAME) as Promise<unknown[]>),
      )
      if (known.every((list) => list.length === 2)) break
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  return {
    url: `redis+sentinel://${sentinels.map((port) => `127.0.0.1:${port}`).join(',')}/${MASTER_NAME}`,
    masterPort,
    takeMasterAway: async (how) => void children.get(await masterPort())?.kill(how),
    async stop() {
      await Promise.all([...children.values()].map(kill))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export interface OwnCluster {
  readonly url: string
  /** Kills one of the masters, whose slots nobody has then, or starts it again. */
  killOne(at: number): Promise<void>
  reviveOne(at: number): Promise<void>
  /** How often one of them was asked which slots are whose. */
  slotReads(at: number): Promise<number>
  stop(): Promise<void>
}

/** Starts a Redis Cluster of three masters that share the slots. */
export async function startOwnCluster(): Promise<OwnCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'own-cluster-'))
  const ports = await freePorts(3)
  // The bus is 10,000 above by itself, which may be beyond the last port.
  const buses = await freePorts(3)
  const start = (at: number) =>
    startRedis(ports[at] ?? 0, [
      ...['--dir', folder, '--cluster-enabled', 'yes', '--cluster-config-file', `nodes-${at}.conf`],
      ...['--cluster-port', `${buses[at]}`],
    ])
  const children: ChildProcess[] = []
  for (const at of ports.keys()) children.push(await start(at))
  const nodes = ports.map((port) => `127.0.0.1:${port}`)
  const making = spawn('redis-cli', ['--cluster', 'create', ...nodes, '--cluster-yes'], { stdio: 'ignore' })
  const [code] = (await once(making, 'exit')) as [number]
  if (code !== 0) throw new Error('redis-cli could not make a cluster of the three nodes.')
  // Each node learns of the others here, and refuses every key until then.
  for (const port of ports)
    while (!(await answerOf(port, 'cluster', 'info')).includes('cluster_state:ok')) await sleep(50)
  return {
    url: `redis+cluster://${nodes.join(',')}`,
    killOne: async (at) => {
      if (children[at] !== undefined) await kill(children[at])
    },
    reviveOne: async (at) => void (children[at] = await start(at)),
    slotReads: async (at) => {
      const said = await answerOf(ports[at] ?? 0, 'info', 'commandstats')
      return Number(/cmdstat_cluster\|slots:calls=(\d+)/.exec(said)?.[1] ?? 0)
    },
    async stop() {
      await Promise.all(children.map(kill))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function answerOf(port: number, ...command: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('redis-cli', ['-p', String(port), ...command])
  return stdout
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

/** Starts redis-server without persistence, and waits until its log says that it is ready. */
async function startRedis(
  port: number | null,
  options: readonly string[],
  ready = 'Ready to accept',
): Promise<ChildProcess> {
  // A Sentinel has a file with its port.
  const own = port === null ? [] : ['--bind', '127.0.0.1', '--port', `${port}`, '--save', '', '--appendonly', 'no']
  const child = spawn('redis-server', [...options, ...own], { stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  for await (const text of child.stdout) {
    said += String(text)
    if (said.includes(ready)) {
      child.stdout.resume()
      return child
    }
  }
  throw new Error(`redis-server ended before it was ready:\n${said}`)
}

/** Accepts connections and never answers, like a server on a machine that hangs. */
export async function startSilentServer(): Promise<{ readonly url: string; close(): void }> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.resume()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
