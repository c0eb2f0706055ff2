import { hash } from '@node-rs/argon2'
import { once } from 'node:events'
import { connect } from 'node:net'
import type { Database } from '#server/platform/database/db.ts'
import { createAuthorityWorld, tokensToDraw } from '#testing/app/authority-world.ts'
import {
  asHttp,
  createRequestSource,
  faultOf,
  type HostileRequest,
  PASSWORD,
} from '#testing/attack/hostile-requests.ts'
import { withServer } from '#testing/machines/process.ts'
import { onDatabase } from '../../bench/scratch.ts'
import type { BarLine } from '../report.ts'

const REQUESTS = 20_000
/** One request in this many is cut off while it is being sent. */
const CUT_EVERY = 20
/** The requests freeze, delete and sign out users, so after this many the users are made anew. */
const NEW_WORLD_EVERY = 500
const SEED = Number(process.env['BENCH_SEED'] ?? 1)

interface Fault {
  readonly index: number
  readonly fault: string
  readonly request: HostileRequest
}

/** Sends generated requests, valid and invalid, to every operation of /docs/json. No answer may be a server error. */
export async function attackWithRequests(): Promise<BarLine[]> {
  return onDatabase('requests', (url, db) =>
    withServer({ DATABASE_URL: url, RATE_LIMIT_FACTOR: '1000' }, async ({ address }) => {
      const { faults, right, operations } = await sendAll(db, address)
      const errors = await serverErrors(address)
      const [first] = faults
      if (first !== undefined)
        process.stderr.write(`Seed ${SEED}, the first fault: ${JSON.stringify(first, null, 2)}\n`)
      return [
        {
          what: `${REQUESTS} generated requests over ${operations} operations, seed ${SEED}, one in ${CUT_EVERY} cut off while it is sent`,
          seen: `${faults.length} faults, ${errors} × 5xx; ${right} were right`,
          bar: '0 faults, 0 × 5xx',
          isMet: faults.length === 0 && errors === 0,
        },
      ]
    }),
  )
}

async function sendAll(db: Database, address: string) {
  const passwordHash = await hash(PASSWORD)
  let tokens: Array<string | undefined> = []
  const document: unknown = await (await fetch(`${address}/docs/json`)).json()
  const source = createRequestSource(document, SEED, (chance) => tokens[Math.floor(chance * tokens.length)] ?? null)
  const faults: Fault[] = []
  let right = 0
  for (let index = 0; index < REQUESTS; index++) {
    if (index % NEW_WORLD_EVERY === 0) {
      const { tokens: made } = await createAuthorityWorld(db)
      tokens = tokensToDraw(made)
      await db.query(`update users set password_hash = $1 where password_hash = '-'`, [passwordHash])
    }
    const request = source.next()
    if (index % CUT_EVERY === CUT_EVERY - 1) {
      await sendPart(address, request, (index % 997) / 997)
      continue
    }
    const { method, headers, body } = request
    const sent = headersOfFetch(headers)
    // fetch sends no body with GET, so such a request is written to a socket.
    if (sent === null || (body !== null && method === 'GET')) continue
    const response = await fetch(address + request.url, { method, headers: sent, ...(body === null ? {} : { body }) })
    const text = await response.text()
    const fault = faultOf(response.status, text)
    if (fault !== null) faults.push({ index, fault, request })
    if (response.ok) {
      right++
      if (response.headers.get('content-type')?.includes('json') === true) source.learn(JSON.parse(text))
    }
  }
  return { faults, right, operations: source.operations }
}

function headersOfFetch(headers: Readonly<Record<string, string>>): Headers | null {
  try {
    return new Headers(headers)
  } catch {
    return null
  }
}

/** Sends a part of a request and closes the connection. */
async function sendPart(address: string, request: HostileRequest, part: number): Promise<void> {
  const { hostname, port } = new URL(address)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  const text = asHttp(request)
  await new Promise((resolve) => socket.write(text.slice(0, Math.ceil(text.length * part) + 1), resolve))
  socket.destroy()
}

/** The number of 5xx answers that the server counted, including those that no client received. */
async function serverErrors(address: string): Promise<number> {
  const text = await (await fetch(`${address}/metrics`)).text()
  const counts = [...text.matchAll(/^http_request_seconds_count\{.*status="5\d\d".*\} (\d+)$/gm)]
  return counts.reduce((sum, [, count]) => sum + Number(count), 0)
}
