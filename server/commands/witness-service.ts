import { once } from 'node:events'
import { mkdirSync, renameSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { BookFaultError, type BookSource, openBookSource } from '#domain/book/book-source.ts'
import { toHex, toUtf8 } from '#domain/book/bytes.ts'
import { type Checkpoint, parseCheckpoint } from '#domain/book/checkpoint.ts'
import { cosignedText, encodeCosignature } from '#domain/book/cosignature.ts'
import {
  COSIGNATURE,
  formatNote,
  formatSignature,
  formatVkey,
  type NoteSignature,
  type VerifierKey,
  verifierKey,
  verifyNote,
} from '#domain/book/note.ts'
import { decideCheckpoint } from '#domain/book/witness.ts'
import { type BookKey, sha256, verifyEd25519 } from '#server/features/book/index.ts'
import { acquireProcessLock } from '#server/platform/process/process-lock.ts'
import { readIfThere, syncPath, writeAndSync } from '#server/platform/process/durable-file.ts'
import { repeating, type Stop } from '#server/platform/process/jobs.ts'
import { bookOverHttp } from './book-over-http.ts'

/* A witness (c2sp.org/tlog-witness): signs a checkpoint if the log has only grown since the last signed one. */

export interface WatchedLog {
  readonly key: VerifierKey
  readonly url: string | null
}

export interface WitnessOptions {
  readonly port: number
  readonly host: string
  readonly name: string
  readonly key: BookKey
  readonly stateDir: string
  readonly logs: readonly WatchedLog[]
  readonly nowSeconds: () => number
  /** Reports each kind of problem of a log once. Also reports each error of a request; `origin` is then empty. */
  readonly say: (origin: string, problem: string) => void
  readonly askEveryMs?: number
}

export interface Witness {
  readonly vkey: string
  readonly url: string
  close(): Promise<void>
}

/** Limit of a request's body. It is enough for a note with 64 signatures and a proof of 63 hashes. */
const MOST_BYTES = 64 * 1_024
const ASK_EVERY_MS = 10_000

/** The newest note that the witness signed for a log, with the signatures of the log and of the witness. */
interface Signed {
  readonly checkpoint: Checkpoint
  readonly note: string
}

export async function startWitness(options: WitnessOptions): Promise<Witness> {
  const { name, key, stateDir, logs, nowSeconds, say } = options
  const lock = acquireProcessLock(stateDir)
  const own = verifierKey(sha256, name, COSIGNATURE, key.publicKey)
  const signed = new Map<string, Signed>()
  for (const { key } of logs) {
    const last = readSigned(stateDir, key)
    if (last !== null) signed.set(key.name, last)
  }

  function cosign(checkpoint: Checkpoint, text: string, signature: NoteSignature): string {
    const time = nowSeconds()
    const bytes = encodeCosignature({ time, signature: key.sign(toUtf8(cosignedText(text, time))) })
    const line: NoteSignature = { name, keyId: own.keyId, signature: bytes }
    const note = formatNote({ text, signatures: [signature, line] })
    writeSigned(stateDir, checkpoint.origin, note)
    signed.set(checkpoint.origin, { checkpoint, note })
    return formatSignature(line)
  }

  function addCheckpoint(body: string): Answer {
    const keys = logs.map(({ key }) => key)
    const lastOf = (origin: string) => signed.get(origin)?.checkpoint ?? null
    const decision = decideCheckpoint(sha256, verifyEd25519, keys, lastOf, body)
    if (decision.status === 200)
      return { status: 200, body: cosign(decision.checkpoint, decision.text, decision.signature) }
    if (decision.status === 409) return { status: 409, body: `${decision.size}\n`, type: 'text/x.tlog.size' }
    return { status: decision.status, body: '' }
  }

  function answerTo({ method = '', url = '' }: IncomingMessage, body: string): Answer {
    if (url === '/add-checkpoint') return method === 'POST' ? addCheckpoint(body) : { status: 405, body: '' }
    const [, originHash] = /^\/([0-9a-f]{64})\/checkpoint$/.exec(url) ?? []
    const origin = [...signed.keys()].find((known) => hashOfOrigin(known) === originHash)
    const last = origin === undefined ? undefined : signed.get(origin)
    if (last === undefined) return { status: 404, body: '' }
    return method === 'GET' || method === 'HEAD' ? { status: 200, body: last.note } : { status: 405, body: '' }
  }

  const server = createServer((request, response) => {
    readBody(request)
      .then((body) => send(response, body === null ? { status: 413, body: '' } : answerTo(request, body)))
      .catch((error: unknown) => {
        say('', error instanceof Error ? error.message : String(error))
        send(response, { status: 500, body: '' })
      })
  })
  await once(server.listen(options.port, options.host), 'listening')

  const stops = logs.flatMap(({ key, url }) =>
    url === null ? [] : [watch(key, url, options, () => signed.get(key.name) ?? null, cosign)],
  )
  const { port } = server.address() as AddressInfo
  const end = async (): Promise<void> => {
    await Promise.all(stops.map((stop) => stop()))
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    lock.release()
  }
  let ending: Promise<void> | null = null
  return { vkey: formatVkey(own), url: `http://${options.host}:${port}`, close: () => (ending ??= end()) }
}

function watch(
  key: VerifierKey,
  url: string,
  { askEveryMs = ASK_EVERY_MS, say }: WitnessOptions,
  lastSigned: () => Signed | null,
  cosign: (checkpoint: Checkpoint, text: string, signature: NoteSignature) => string,
): Stop {
  let source: { readonly book: BookSource; readonly after: string | undefined } | null = null
  const turn = async (): Promise<void> => {
    const last = lastSigned()
    // Opens the log at first, after an error, and after a checkpoint was posted to this witness and signed: the log's
    // next checkpoint must extend the posted one.
    if (source === null || source.after !== last?.note) {
      const vkey = formatVkey(key)
      const book = await openBookSource({
        get: bookOverHttp(url),
        sha256,
        verifyEd25519,
        vkey,
        known: last === null ? [] : [{ origin: key.name, vkey, note: last.note }],
      })
      source = { book, after: last?.note }
    }
    const head = await source.book.head()
    if (lastSigned()?.note !== last?.note || head.size === last?.checkpoint.size) return
    const verified = verifyNote(head.note, [key], verifyEd25519)
    const [signature] = typeof verified === 'string' ? [] : verified.verified
    if (typeof verified === 'string' || signature === undefined) return
    cosign(head, verified.text, signature.line)
    source = { book: source.book, after: lastSigned()?.note }
  }
  const said = new Set<string>()
  return repeating(askEveryMs, turn, (error) => {
    source = null
    const problem =
      error instanceof BookFaultError ? `fault: ${JSON.stringify(error.fault)}` : `${url}: ${String(error)}`
    const kind = error instanceof BookFaultError ? error.fault.kind : 'away'
    if (!said.has(kind)) say(key.name, problem)
    said.add(kind)
  })
}

interface Answer {
  readonly status: number
  readonly body: string
  readonly type?: string
}

function send(response: ServerResponse, { status, body, type = 'text/plain; charset=utf-8' }: Answer): void {
  response.writeHead(status, { 'content-type': type }).end(body)
}

async function readBody(request: IncomingMessage): Promise<string | null> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length
    if (length > MOST_BYTES) return null
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

const hashOfOrigin = (origin: string): string => toHex(sha256(toUtf8(origin)))

const fileOf = (stateDir: string, origin: string): string => join(stateDir, hashOfOrigin(origin))

/** Returns the last signed note; null if there is none. Throws if the file is no note of this log. */
function readSigned(stateDir: string, key: VerifierKey): Signed | null {
  const path = fileOf(stateDir, key.name)
  const note = readIfThere(path)
  if (note === null) return null
  const verified = verifyNote(note, [key], verifyEd25519)
  const checkpoint = typeof verified === 'string' ? null : parseCheckpoint(verified.text)
  if (checkpoint?.origin !== key.name) throw new Error(`${path} is not a checkpoint of ${key.name}`)
  return { checkpoint, note }
}

/** Stores a note on the disk before its signature is sent: after a crash, the witness must know what it has signed. */
function writeSigned(stateDir: string, origin: string, note: string): void {
  mkdirSync(stateDir, { recursive: true })
  const path = fileOf(stateDir, origin)
  const aside = `${path}.new`
  writeAndSync(aside, note)
  renameSync(aside, path)
  syncPath(stateDir)
}
