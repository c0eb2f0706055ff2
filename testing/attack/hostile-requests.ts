import * as z from 'zod/mini'
import { failure } from '#contract/envelope.ts'
import { seeded } from '../run/seeded.ts'
import { type RefusalCode, refusals } from '#contract/refusals.ts'

/** The keywords of JSON Schema that /docs/json uses. */
interface JsonSchema {
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly JsonSchema[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly items?: JsonSchema
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
}

interface Operation {
  readonly method: string
  readonly path: string
  readonly parameters: ReadonlyArray<{ readonly name: string; readonly in: string; readonly schema: JsonSchema }>
  readonly body: JsonSchema | null
}

/** The part of /docs/json's answer that tests read. */
export interface OpenApi {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          {
            readonly parameters?: Operation['parameters']
            readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> }
          }
        >
      >
    >
  >
}

export interface HostileRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /** Path and query, URL-encoded. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

export interface RequestSource {
  next(): HostileRequest
  /** Collects ids, names and versions from an answer, so that later requests name existing objects. */
  learn(answer: unknown): void
  readonly operations: number
}

const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i
const LEARNT_MAX = 400
/** The value of every password field in a valid request. */
export const PASSWORD = 'matkhau1'

/** Texts that have broken servers before: NUL, lone surrogates, numbers of every form, patterns, paths, SQL. */
const hostileTexts: readonly string[] = [
  ...['', ' ', 'null', 'true', '[]', '{}', '%', '_', '\\', "'", '"', ';--', '\0', '\u0001', 'x'.repeat(5_000)],
  ...['\ud800', '\udfff', 'a\ud800b', '\ufeff', '\u202e', 'ế'.repeat(3), '👩‍👩‍👧‍👦', 'e\u0301', '١٢٣', 'İ', 'ß'],
  ...[
    "' or 1=1 --",
    '$1',
    '${x}',
    '../../etc/passwd',
    '%00',
    '%zz',
    '<script>',
    '\r\nX: y',
    '(',
    '[a-',
    '*',
    '?',
    '^$',
  ],
  ...['constructor', '__proto__', 'toString', 'hasOwnProperty', 'undefined', '-createdAt', 'createdAt', '-constructor'],
]
const hostileDigits: readonly string[] = [
  ...[
    '0',
    '-1',
    '1.5',
    '1e3',
    '1e400',
    'NaN',
    '999999999999',
    '000000000000',
    '2147483647',
    '2147483648',
    '4294967296',
  ],
  ...['9223372036854775808', '1'.repeat(30), '1.1.1', '99999999999999999.99999999999999999', '1.9223372036854775807'],
]
const hostileIds: readonly string[] = [
  ...['x', '0', '00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff', 'undefined'],
  ...[
    'FFFFFFFF-FFFF-4FFF-8FFF-FFFFFFFFFFFF',
    '0190aaaa-0000-7000-8000-00000000000',
    '0190aaaa00007000800000000000000a',
  ],
  ...['{0190aaaa-0000-7000-8000-00000000000a}', '0190aaaa-0000-0000-0000-00000000000a', ',', 'x,x'],
]
const hostileTimes: readonly string[] = [
  ...['0000-01-01T00:00:00.000Z', '0000-12-31T23:59:59.999Z', '0001-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'],
  ...[
    '-000001-01-01T00:00:00.000Z',
    '+275760-09-13T00:00:00.000Z',
    '2026-02-30T00:00:00.000Z',
    '1969-12-31T23:59:59.999Z',
  ],
  ...['2026-01-01T00:00:00.000+14:00', '2026-01-01', 'infinity', '-infinity', 'now', 'epoch', '0'],
]
const hostileNumbers: readonly number[] = [
  ...[
    0,
    -0,
    -1,
    0.1,
    0.005,
    1e-7,
    5e-324,
    1.7976931348623157e308,
    -1e308,
    1e13,
    1e12,
    1e15,
    1e16,
    1e21,
    2 ** 31,
    -(2 ** 31),
  ],
  ...[
    2 ** 53,
    2 ** 53 + 2,
    -(2 ** 53),
    2 ** 63,
    2 ** 64,
    9_999_999_999_999.99,
    100_000,
    100_001,
    1_000_000_000,
    100.001,
  ],
]

/** JSON texts that JSON.stringify never writes. */
const hostileBodies: readonly string[] = [
  ...[
    '',
    '{',
    '[',
    'null',
    '0',
    '"x"',
    '[]',
    '{}',
    'true',
    '{"a":1e999}',
    '{"a":-1e999}',
    '{"__proto__":{"a":1}}',
    '{"a":01}',
  ],
  ...['{"a":"\\u0000"}', '{"a":"\\ud800"}', '\ufeff{}', '{"constructor":{"prototype":{"a":1}}}', '{"a":1,"a":2}', '\0'],
  `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
  JSON.stringify(Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`k${index}`, index]))),
  JSON.stringify({ known: Array.from({ length: 5_000 }, () => 0) }),
]

/**
 * Makes requests for every operation of an OpenAPI document: valid ones, with ids and names from earlier answers, and
 * ones with a few faults or nothing valid.
 * @param tokenOf returns a valid token, a dead one or none; it is called for each request with a number in [0, 1)
 */
export function createRequestSource(
  document: unknown,
  seed: number,
  tokenOf: (chance: number) => string | null,
): RequestSource {
  const chance = seeded(seed)
  const pick = <T>(from: readonly T[]): T => from[Math.floor(chance() * from.length)] as T
  const isLucky = (probability: number) => chance() < probability
  const integer = (from: number, to: number) => from + Math.floor(chance() * (to - from + 1))
  const operations = operationsOf(document as OpenApi)
  const learnt = { ids: [] as string[], names: ['admin'], versions: ['1.1', '0.0'] }

  const madeId = () =>
    `0190${integer(0x1000, 0xffff).toString(16)}-0000-7000-8000-${integer(0, 2 ** 47)
      .toString(16)
      .padStart(12, '0')}`
  const anId = () => (learnt.ids.length > 0 && isLucky(0.9) ? pick(learnt.ids) : madeId())
  const aTime = () =>
    new Date(Date.UTC(2026, 0, 1) + integer(0, 400) * 86_400_000 + integer(0, 86_399_999)).toISOString()
  const aText = (name: string): string => {
    if (/password/i.test(name)) return PASSWORD
    if (name === 'code') return 'KIMPHIEN'
    if (/username|actor/.test(name)) return isLucky(0.7) ? pick(learnt.names) : `moi${integer(0, 9_999)}`
    if (name === 'ids') return Array.from({ length: integer(1, 5) }, anId).join(',')
    if (name === 'sort')
      return pick(['createdAt', '-createdAt', 'startTime', '-startTime', 'username', '-score', 'money'])
    if (/^(userId|author|currentUserId)$/.test(name)) return anId()
    if (name === 'source') return pick(['simulated', 'pyth', 'swissquote'])
    if (name === 'bankNumber') return String(integer(100_000, 999_999_999))
    return pick(['Ngân hàng', 'An', 'một hai ba', 'TEXT', 'x'])
  }

  const right = (schema: JsonSchema, name: string): unknown => {
    if (schema.enum !== undefined) return pick(schema.enum)
    if (schema.anyOf !== undefined) return right(pick(schema.anyOf), name)
    const type = typeof schema.type === 'string' ? schema.type : pick(schema.type ?? ['string'])
    if (type === 'null') return null
    if (type === 'boolean') return isLucky(0.5)
    if (type === 'integer') return integer(Math.max(schema.minimum ?? 0, 0), Math.min(schema.maximum ?? 100, 100))
    if (type === 'number') return pick([1, 10, 100, 250, 1000])
    if (type === 'array') return Array.from({ length: integer(0, 4) }, () => right(schema.items ?? {}, name))
    if (type === 'object') return object(schema, 0)
    if (schema.format === 'uuid') return anId()
    if (schema.format === 'date-time') return aTime()
    if (schema.pattern?.includes('{1,18}') === true) return pick(learnt.versions)
    if (schema.pattern?.startsWith('^\\d') === true) return String(integer(1, 30))
    return aText(name)
  }
  /** A wrong value for this field; usually it resembles a valid one. */
  const wrongFor = ({ format, pattern }: JsonSchema, name: string): unknown => {
    if (isLucky(0.4)) return wrong()
    if (format === 'uuid' || name === 'ids' || /^(userId|author|currentUserId)$/.test(name)) return pick(hostileIds)
    if (format === 'date-time') return pick(hostileTimes)
    return pattern?.startsWith('^\\d') === true ? pick(hostileDigits) : wrong()
  }
  const wrong = (depth = 0): unknown => {
    const kind = chance()
    if (kind < 0.1) return pick(pick([hostileDigits, hostileIds, hostileTimes]))
    if (kind < 0.4) return pick(hostileTexts)
    if (kind < 0.65) return pick(hostileNumbers)
    if (kind < 0.8 || depth > 3) return pick([null, true, false])
    if (kind < 0.9) return Array.from({ length: integer(0, 3) }, () => wrong(depth + 1))
    return { [pick(['_id', 'a', '$ne', 'length'])]: wrong(depth + 1) }
  }
  const object = (schema: JsonSchema, wrongness: number): Record<string, unknown> => {
    const made: Record<string, unknown> = {}
    for (const [name, field] of Object.entries(schema.properties ?? {})) {
      const isRequired = schema.required?.includes(name) === true
      if (isLucky(isRequired ? wrongness / 3 : 0.5)) continue
      made[name] = isLucky(wrongness) ? wrongFor(field, name) : right(field, name)
    }
    if (isLucky(wrongness / 3)) made[pick(['extra', 'role', 'isWin', 'ế', 'x'.repeat(300)])] = wrong()
    return made
  }
  const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
  const encode = (text: string) =>
    isLucky(0.02) ? text.replaceAll(/[\s#?/]/g, '') : encodeURIComponent(text.toWellFormed())

  return {
    operations: operations.length,
    next() {
      let operation = pick(operations)
      // Each of these calls hashes a password, which takes a tenth of a second.
      if (operation.path.includes('/auth/') && isLucky(0.7)) operation = pick(operations)
      const wrongness = pick([0, 0, 0.1, 0.3, 0.7])
      const given = ({ name, schema }: Operation['parameters'][number], more = 1) =>
        asText(isLucky(wrongness * more) ? wrongFor(schema, name) : right(schema, name))
      const query: string[] = []
      let url = operation.path
      for (const parameter of operation.parameters) {
        // The path must match a route: a request that matches none tests little.
        if (parameter.in === 'path') url = url.replace(`{${parameter.name}}`, encode(given(parameter, 0.5)) || '0')
        if (parameter.in === 'query' && isLucky(0.5)) query.push(`${parameter.name}=${encode(given(parameter))}`)
        if (parameter.in === 'query' && isLucky(wrongness / 10))
          query.push(`${parameter.name}[]=${encode(given(parameter))}`)
      }
      if (isLucky(wrongness / 10)) query.push(`${encode(pick(hostileTexts))}=${encode(pick(hostileTexts))}`)
      const headers: Record<string, string> = {}
      const token = tokenOf(chance())
      if (token !== null)
        headers['authorization'] = isLucky(0.02) ? pick(['Bearer', 'Bearer x', token]) : `Bearer ${token}`
      if (isLucky(0.3)) headers['idempotency-key'] = isLucky(0.1) ? ' '.repeat(3) : `k-${integer(0, 200)}`
      let body: string | null = null
      if (operation.body !== null || isLucky(0.05)) {
        body = isLucky(wrongness / 4) ? pick(hostileBodies) : JSON.stringify(object(operation.body ?? {}, wrongness))
        headers['content-type'] = isLucky(wrongness / 10)
          ? pick(['text/plain', 'application/json; charset=utf-16', 'multipart/form-data; boundary=x', 'x'])
          : 'application/json'
      }
      const method = operation.method.toUpperCase() as HostileRequest['method']
      return { method, url: query.length === 0 ? url : `${url}?${query.join('&')}`, headers, body }
    },
    learn(answer) {
      walk(answer, (name, text) => {
        const list = UUID.test(text)
          ? learnt.ids
          : name === 'username'
            ? learnt.names
            : name === 'version'
              ? learnt.versions
              : null
        if (list === null || list.includes(text)) return
        if (list.length < LEARNT_MAX) list.push(text)
        else list[integer(0, LEARNT_MAX - 1)] = text
      })
    },
  }
}

function operationsOf({ paths }: OpenApi): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody }]) => ({
      method,
      path,
      parameters,
      body: requestBody?.content['application/json']?.schema ?? null,
    })),
  )
}

function walk(value: unknown, see: (name: string, text: string) => void, name = ''): void {
  if (typeof value === 'string') see(name, value)
  else if (typeof value === 'object' && value !== null)
    for (const [key, item] of Object.entries(value)) walk(item, see, Array.isArray(value) ? name : key)
}

/** Expected 503s: the request is valid and the code correct, but the server cannot serve it now. */
const MEANT_503: ReadonlySet<string> = new Set<RefusalCode>(['DATABASE_AWAY', 'CLOCK_UNSURE', 'LEDGER_CHECK_FAILED'])
const FAILURE_BYTES_MAX = 16 * 1024

/** The fault of an answer, or null: 5xx except the expected 503s, and failures of another shape or size. */
export function faultOf(status: number, text: string): string | null {
  if (status < 400) return null
  if (Buffer.byteLength(text) > FAILURE_BYTES_MAX) return `${text.length} characters for a refusal`
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return `no JSON: ${text.slice(0, 100)}`
  }
  const parsed = z.safeParse(failure, body)
  if (!parsed.success) return `no failure: ${text.slice(0, 100)}`
  const { code, message, statusCode } = parsed.data
  const known = (refusals as Readonly<Record<string, { status: number; message: string }>>)[code]
  if (known?.message !== message || known.status !== status || statusCode !== status)
    return `unknown: ${text.slice(0, 200)}`
  return status >= 500 && !(status === 503 && MEANT_503.has(code)) ? `${status} ${code}` : null
}

/** The request's own bytes, with a Content-Length of one more: the server waits for the last byte. */
export function asHttp({ method, url, headers, body }: HostileRequest): string {
  const lines = [
    `${method} ${url} HTTP/1.1`,
    'Host: x',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ]
  return `${lines.join('\r\n')}\r\nContent-Length: ${Buffer.byteLength(body ?? '') + 1}\r\n\r\n${body ?? ''}`
}
