import { writeSync } from 'node:fs'
import { type DatabaseError, serialize } from 'pg-protocol'
import type { CommandCompleteMessage, RowDescriptionMessage } from 'pg-protocol/dist/messages.js'
import { Parser } from 'pg-protocol/dist/parser.js'
import type { Param, QueryOptions, Row } from './db.ts'
import { type Decode, decoderOf, encodeParam } from './sql-values.ts'
import type { Answer, Link } from './transaction.ts'

/** Statements block this process. When they have taken this many ms, timers and sockets get a turn. */
const ENGINE_TURN_MS = 8

type Execute = (request: Buffer, onRawData: (bytes: Uint8Array) => void) => Promise<unknown>

export function createLink(execute: Execute): Link {
  const prepared = new Map<string, string>()
  let tail: Promise<unknown> = Promise.resolve()
  let engineMs = 0

  async function send<R extends Row>(
    text: string,
    params?: readonly Param[],
    { name = '' }: QueryOptions = {},
  ): Promise<Answer<R>> {
    if (engineMs > ENGINE_TURN_MS) {
      engineMs = 0
      await new Promise((resolve) => setImmediate(resolve))
    }
    const known = prepared.get(name)
    if (name !== '' && known !== undefined && known !== text)
      throw new Error(`The statement name ${name} is used for two texts`)
    const request =
      params === undefined && name === ''
        ? // The simple protocol takes several statements at once, such as a migration's.
          [serialize.query(text)]
        : [
            ...(known === undefined ? [serialize.parse({ text, name })] : []),
            serialize.bind({ statement: name, values: (params ?? []).map(toBound) }),
            serialize.describe({ type: 'P', name: '' }),
            serialize.execute({}),
            serialize.sync(),
          ]
    const startedAt = performance.now()
    // The bytes are views of the engine's memory, so they are copied here and parsed later.
    const chunks: Uint8Array[] = []
    try {
      await execute(Buffer.concat(request), (bytes) => void chunks.push(bytes.slice()))
    } finally {
      engineMs += performance.now() - startedAt
    }
    const reply = readReply<R>(chunks)
    if (name !== '' && reply.isParsed) prepared.set(name, text)
    if (reply.error !== null) {
      // After PANIC or FATAL the engine is gone, for example on a full disk. Another call to it would never return.
      if (/PANIC|FATAL/.test(reply.severity)) stopAtOnce(`The embedded database stopped: ${reply.error.message}`)
      throw reply.error
    }
    return reply.answer
  }

  return {
    send(text, params, options) {
      const answer = tail.then(() => send(text, params, options))
      tail = answer.catch(() => {})
      return answer as never
    },
  }
}

/** Converts a parameter for pg-protocol, which sends only a Buffer as bytes. */
function toBound(param: Param): string | Buffer | null {
  const value = encodeParam(param)
  return value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : value
}

/** Parses a reply. PGlite's own parser is not used, because its decoding of fields is slow. */
function readReply<R extends Row>(chunks: readonly Uint8Array[]) {
  let rows: R[] = []
  let columns: Array<readonly [name: string, decode: Decode]> = []
  let done = { rows, tag: '' }
  let isParsed = false
  let isReady = false
  let error: Error | null = null
  let severity = ''
  const readers: Readonly<Record<string, (message: never) => void>> = {
    dataRow({ fields }: { readonly fields: ReadonlyArray<string | null> }) {
      const row: Row = {}
      fields.forEach((field, index) => {
        const [column, decode] = columns[index] as (typeof columns)[number]
        row[column] = field === null ? null : decode(field)
      })
      rows.push(row as R)
    },
    rowDescription({ fields }: RowDescriptionMessage) {
      columns = fields.map((field) => [field.name, decoderOf(field.dataTypeID)] as const)
    },
    commandComplete({ text }: CommandCompleteMessage) {
      done = { rows, tag: text }
      rows = []
    },
    error(message: DatabaseError) {
      error ??= message
      severity += message.severity ?? ''
    },
    parseComplete() {
      isParsed = true
    },
    readyForQuery() {
      isReady = true
    },
  }
  new Parser().parse(Buffer.concat(chunks), (message) => readers[message.name]?.(message as never))
  if (!isReady) error ??= new Error('The embedded database did not answer')
  const words = done.tag.split(' ')
  const answer: Answer<R> = { rows: done.rows, rowCount: Number(words.at(-1)) || 0, command: words[0] as string }
  return { answer, isParsed, error, severity }
}

export function stopAtOnce(reason: string): never {
  writeSync(2, `${reason}. Ending this process; what was acknowledged is safe.\n`)
  process.exit(1)
}
