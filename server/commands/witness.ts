import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { fromBase64, toBase64, toHex } from '#domain/book/bytes.ts'
import { ED25519, parseVkey } from '#domain/book/note.ts'
import { bookKeyOf, sha256 } from '#server/features/book/index.ts'
import { startWitness, type WatchedLog } from './witness-service.ts'

/**
 * `npm run witness`: signs the checkpoints of logs that have only grown (docs/open-book.md §5). `--log vkey@url` asks
 * that host for checkpoints every 10 s; `--log vkey` waits until a host posts them. Makes a missing key file.
 */
const USAGE = `npm run witness -- --port 8081 --key-file witness.key --log 'vkey@https://host' [--log …]
  [--host 127.0.0.1] [--name witness.example/w1] [--state folder]
`

const { values } = parseArgs({
  options: {
    port: { type: 'string' },
    host: { type: 'string', default: '127.0.0.1' },
    'key-file': { type: 'string' },
    name: { type: 'string' },
    state: { type: 'string' },
    log: { type: 'string', multiple: true, default: [] },
  },
})
const { port = '', 'key-file': keyFile = '' } = values
const logs = values.log.map(readLog)
if (!/^\d{1,5}$/.test(port) || keyFile === '' || logs.length === 0 || logs.includes(null)) {
  process.stderr.write(USAGE)
  process.exit(2)
}

const key = bookKeyOf(readKey(keyFile))
const witness = await startWitness({
  port: Number(port),
  host: values.host,
  name: values.name ?? `witness/${toHex(sha256(key.publicKey).subarray(0, 4))}`,
  key,
  stateDir: values.state ?? `${keyFile}.state`,
  logs: logs.filter((log) => log !== null),
  nowSeconds: () => Math.floor(Date.now() / 1_000),
  say: (origin, problem) => process.stderr.write(`${origin}: ${problem}\n`),
})
process.stdout.write(`${witness.vkey}\nNhân chứng đang chạy: ${witness.url}\n`)
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void witness.close().then(() => process.exit(0)))

function readLog(text: string): WatchedLog | null {
  const [, vkey = '', url = null] = /^(.+?)(?:@(https?:\/\/[^@]+?)\/*)?$/s.exec(text) ?? []
  const key = parseVkey(sha256, vkey)
  return key?.type === ED25519 ? { key, url } : null
}

function readKey(path: string): Uint8Array {
  if (!existsSync(path)) writeFileSync(path, `${toBase64(randomBytes(32))}\n`, { mode: 0o600, flag: 'wx', flush: true })
  const secret = fromBase64(readFileSync(path, 'utf8').trim())
  if (secret?.length === 32) return secret
  process.stderr.write(`${path} is not a key: 32 bytes in base64\n`)
  return process.exit(2)
}
