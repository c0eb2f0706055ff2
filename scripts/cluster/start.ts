import { randomBytes } from 'node:crypto'
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { delimiter, join, resolve } from 'node:path'
import pg from 'pg'
import { COUNT, HOST, type Ports, portsFrom, PROGRAMS } from './parts.ts'
import { end, isRunning, launch, type Launch, type Member, type Owner, ownerOf } from './processes.ts'
import { databaseUrl, readState, readStoredSecrets, type Secrets, type State, writeState } from './state.ts'
import { fillTemplate } from './template.ts'

const READY_MS = 60_000
const places = Array.from({ length: COUNT }, (_, nth) => nth)
const secret = () => randomBytes(18).toString('hex')

/** Returns the `apt-get` command for the missing programs; null when all are installed. */
export function missingPackages(): string | null {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin']
  const missing = Object.entries(PROGRAMS)
    .filter(([program]) => !folders.some((folder) => existsSync(join(folder, program))))
    .map(([, debianPackage]) => debianPackage as string)
  if (postgresBin() === null) missing.push('postgresql')
  return missing.length === 0 ? null : `apt-get install -y --no-install-recommends ${missing.join(' ')}`
}

function postgresBin(): string | null {
  const root = '/usr/lib/postgresql'
  const versions = existsSync(root) ? readdirSync(root).map(Number) : []
  return versions.length === 0 ? null : join(root, String(Math.max(...versions)), 'bin')
}

/** Starts all parts. If a part does not come up, ends the parts that have started, and throws. */
export async function startCluster(folder: string, basePort: number, say: (text: string) => void): Promise<State> {
  const ports = portsFrom(basePort)
  // PostgreSQL refuses to run as root.
  const owner = process.getuid?.() === 0 ? ownerOf('postgres') : null
  const secrets = readSecrets(folder)
  const members: Member[] = []
  const stopAll = () => end(members.toReversed(), 5_000)
  const interrupted = () => void stopAll().then(() => process.exit(130))
  process.once('SIGINT', interrupted)
  process.once('SIGTERM', interrupted)
  const start = (one: Omit<Launch, 'log'>) => {
    const { member, child } = launch({ ...one, log: join(folder, `${one.name}.log`) })
    members.push(member)
    // The state is stored after each start, so that `stop` finds all started processes even if this script is killed.
    writeState(folder, { basePort, members })
    child.once('exit', (code) => say(`${one.name} ended with ${code}: see ${member.launch.log}`))
  }
  try {
    startEtcd(folder, ports, owner, start)
    startRedis(folder, ports, secrets, start)
    await until('etcd', () => isListening(ports.etcd(0)))
    startPostgres(folder, ports, secrets, owner, start)
    startHaproxy(folder, ports, start)
    say('PostgreSQL, etcd, Redis and HAProxy are starting …')
    await until('a primary of PostgreSQL', () => canWrite(ports.haproxyPostgres, secrets))
    await until('a synchronous standby', () => hasSynchronousStandby(ports.haproxyPostgres, secrets))
    await makeDatabase(ports.haproxyPostgres, secrets)
    await until('the Sentinels', () => isListening(ports.sentinel(0)))
    say('The database is there; our processes are starting …')
    // The servers start one after another, because the first one creates the tables and the first administrator.
    for (const nth of places) {
      startProcess(folder, ports, secrets, nth, start)
      await until(`process ${nth + 1}`, () => isReady(ports.process(nth)))
    }
    await until('HAProxy', () => isReady(ports.haproxyWeb))
  } catch (error) {
    await stopAll()
    writeState(folder, { basePort, members: [] })
    throw error
  } finally {
    process.off('SIGINT', interrupted)
    process.off('SIGTERM', interrupted)
  }
  return { basePort, members }
}

export function revive(folder: string): string[] {
  const state = readState(folder)
  if (state === null) return []
  const members = state.members.map((one) => (isRunning(one) ? one : launch(one.launch).member))
  writeState(folder, { ...state, members })
  return members.filter((one, at) => one !== state.members[at]).map(({ name }) => name)
}

type Start = (one: Omit<Launch, 'log'>) => void

/** Returns the cluster's passwords and keys. They are made and stored once, because later starts need the same ones. */
function readSecrets(folder: string): Secrets {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'secrets.json')
  if (!existsSync(file)) {
    const made: Secrets = {
      superuser: secret(),
      replication: secret(),
      database: secret(),
      redis: secret(),
      auditKey: secret(),
      admin: secret().slice(0, 16),
    }
    writeFileSync(file, `${JSON.stringify(made, null, 2)}\n`, { mode: 0o600 })
  }
  return readStoredSecrets(folder)
}

function partFolder(folder: string, name: string, owner: Owner | null): string {
  const path = join(folder, name)
  mkdirSync(path, { recursive: true, mode: 0o700 })
  chmodSync(path, 0o700)
  if (owner !== null) chownSync(path, owner.uid, owner.gid)
  return path
}

function configure(
  template: string,
  folder: string,
  values: Readonly<Record<string, string | number>>,
  owner: Owner | null = null,
): string {
  const file = join(folder, template)
  writeFileSync(file, fillTemplate(readFileSync(resolve('deploy/cluster', template), 'utf8'), values), { mode: 0o600 })
  if (owner !== null) chownSync(file, owner.uid, owner.gid)
  return file
}

function startEtcd(folder: string, ports: Ports, owner: Owner | null, start: Start): void {
  const peers = places.map((nth) => `etcd${nth + 1}=http://${HOST}:${ports.etcdPeer(nth)}`).join(',')
  for (const nth of places) {
    const name = `etcd${nth + 1}`
    const [client, peer] = [`http://${HOST}:${ports.etcd(nth)}`, `http://${HOST}:${ports.etcdPeer(nth)}`]
    start({
      name,
      command: 'etcd',
      args: [
        ...['--name', name, '--data-dir', join(partFolder(folder, name, owner), 'data')],
        ...['--listen-client-urls', client, '--advertise-client-urls', client],
        ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer],
        ...['--initial-cluster', peers, '--initial-cluster-token', 'kim-phien', '--logger', 'zap'],
      ],
      address: client,
      owner,
    })
  }
}

function startRedis(folder: string, ports: Ports, secrets: Secrets, start: Start): void {
  const shared = { host: HOST, password: secrets.redis }
  for (const nth of places) {
    const name = `redis${nth + 1}`
    const own = partFolder(folder, name, null)
    const replicaOf = nth === 0 ? '' : `replicaof ${HOST} ${ports.redis(0)}`
    const file = configure('redis.conf', own, { ...shared, port: ports.redis(nth), folder: own, replicaOf })
    start({ name, command: 'redis-server', args: [file], address: `${HOST}:${ports.redis(nth)}` })
  }
  for (const nth of places) {
    const name = `sentinel${nth + 1}`
    const own = partFolder(folder, name, null)
    const master = { masterHost: HOST, masterPort: ports.redis(0) }
    const file = configure('sentinel.conf', own, { ...shared, port: ports.sentinel(nth), folder: own, ...master })
    start({ name, command: 'redis-server', args: [file, '--sentinel'], address: `${HOST}:${ports.sentinel(nth)}` })
  }
}

function startPostgres(folder: string, ports: Ports, secrets: Secrets, owner: Owner | null, start: Start): void {
  for (const nth of places) {
    const name = `pg${nth + 1}`
    const own = partFolder(folder, name, owner)
    const file = configure(
      'patroni.yml',
      own,
      {
        name,
        host: HOST,
        network: `${HOST}/32`,
        folder: own,
        port: ports.postgres(nth),
        restPort: ports.patroni(nth),
        etcdHosts: places.map((one) => `${HOST}:${ports.etcd(one)}`).join(','),
        binDir: postgresBin() ?? '',
        superuserPassword: secrets.superuser,
        replicationPassword: secrets.replication,
      },
      owner,
    )
    start({ name, command: 'patroni', args: [file], address: `${HOST}:${ports.postgres(nth)}`, owner })
  }
}

function startHaproxy(folder: string, ports: Ports, start: Start): void {
  const own = partFolder(folder, 'haproxy', null)
  const lines = (of: (nth: number) => string) => places.map((nth) => `    server ${of(nth)}`).join('\n')
  const file = configure('haproxy.cfg', own, {
    host: HOST,
    postgresPort: ports.haproxyPostgres,
    webPort: ports.haproxyWeb,
    statsPort: ports.haproxyStats,
    maxConnections: Math.min(50_000, Math.floor((openFilesAllowed() - 1_000) / 2)),
    postgresServers: lines((nth) => `pg${nth + 1} ${HOST}:${ports.postgres(nth)} check port ${ports.patroni(nth)}`),
    webServers: lines((nth) => `process${nth + 1} ${HOST}:${ports.process(nth)} check`),
  })
  start({
    name: 'haproxy',
    command: 'haproxy',
    args: ['-db', '-f', file],
    address: `http://${HOST}:${ports.haproxyWeb}`,
  })
}

/** Returns the hard limit of open files (proc(5), limits); 4,096 if there is no number. */
function openFilesAllowed(): number {
  const line = /^Max open files\s+\d+\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))
  return Number(line?.[1] ?? 4_096)
}

function startProcess(folder: string, ports: Ports, secrets: Secrets, nth: number, start: Start): void {
  const sentinels = places.map((one) => `${HOST}:${ports.sentinel(one)}`).join(',')
  start({
    name: `process${nth + 1}`,
    command: process.execPath,
    args: ['server/main.ts'],
    address: `http://${HOST}:${ports.process(nth)}`,
    env: {
      PORT: String(ports.process(nth)),
      HOST,
      // The servers share this folder for the chat's files. A cluster on several machines needs an S3 bucket instead.
      DATA_DIR: partFolder(folder, 'data', null),
      DATABASE_URL: databaseUrl(ports.haproxyPostgres, secrets),
      REDIS_URL: `redis+sentinel://:${secrets.redis}@${sentinels}/kim-phien?sentinelPassword=${secrets.redis}`,
      AUDIT_KEY: secrets.auditKey,
      ADMIN_PASSWORD: secrets.admin,
      TRUST_PROXY: HOST,
      // HAProxy drops a server after two failed checks, one each second. Until then, the server must accept requests.
      DRAIN_SECONDS: '3',
    },
  })
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const endMs = Date.now() + READY_MS
  while (!(await isSo().catch(() => false))) {
    if (Date.now() > endMs) throw new Error(`${what} did not come up within ${READY_MS / 1000} s`)
    await new Promise((done) => setTimeout(done, 250))
  }
}

const isListening = (port: number): Promise<boolean> =>
  new Promise((answer) => {
    const socket = connect(port, HOST)
    socket.once('connect', () => answer(true)).once('error', () => answer(false))
    socket.once('connect', () => socket.destroy())
  })

const isReady = async (port: number): Promise<boolean> => (await fetch(`http://${HOST}:${port}/readyz`)).ok

async function asSuperuser<T>(
  port: number,
  { superuser }: Secrets,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ host: HOST, port, user: 'postgres', password: superuser, database: 'postgres' })
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

const isOne = async (client: pg.Client, text: string): Promise<boolean> => {
  const { rows } = await client.query<{ is: boolean }>(text)
  return rows[0]?.is === true
}

const canWrite = (port: number, secrets: Secrets): Promise<boolean> =>
  asSuperuser(port, secrets, (client) => isOne(client, 'select not pg_is_in_recovery() as is'))

const hasSynchronousStandby = (port: number, secrets: Secrets): Promise<boolean> =>
  asSuperuser(port, secrets, (client) =>
    isOne(client, `select exists (select from pg_stat_replication where sync_state in ('sync', 'quorum')) as is`),
  )

const makeDatabase = (port: number, secrets: Secrets): Promise<void> =>
  asSuperuser(port, secrets, async (client) => {
    if (await isOne(client, `select exists (select from pg_database where datname = 'kim_phien') as is`)) return
    await client.query(`create role kim_phien login password '${secrets.database}'`)
    await client.query('create database kim_phien owner kim_phien')
  })
