import type { Param } from './db.ts'

/** Encodes a parameter for both engines. By itself, `pg` writes dates in the machine's time zone. */
export function encodeParam(param: Param): string | Uint8Array | null {
  if (typeof param === 'string') return storable(param)
  if (param === null || param instanceof Uint8Array) return param
  if (Array.isArray(param)) return encodeArray(param)
  return encodeScalar(param as string | number | bigint | boolean | Date)
}

/** Refuses a lone surrogate: the stored text would not be the text that was signed or hashed (rules §6.2). */
function storable(text: string): string {
  if (!text.isWellFormed()) throw new TypeError('A text with half of a character cannot be stored')
  return text
}

function encodeScalar(value: string | number | bigint | boolean | Date): string {
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError('A number parameter must be finite')
  // `undefined`, such as a forgotten argument, is an error, because a driver would store NULL.
  if (value === undefined || typeof value === 'object')
    throw new TypeError(`A parameter of type ${typeof value} is not understood`)
  return String(value)
}

const UNSAFE = /["\\]/

/** Appends to one text, because to join a list of texts would be slower for long arrays. */
function encodeArray(items: readonly Param[]): string {
  let text = '{'
  for (let index = 0; index < items.length; index++) {
    if (index > 0) text += ','
    const item = items[index] as Param
    if (item === null) text += 'NULL'
    else if (typeof item === 'string')
      text += `"${UNSAFE.test(item) ? storable(item).replaceAll(/["\\]/g, '\\$&') : storable(item)}"`
    else if (typeof item === 'bigint') text += item
    else if (Array.isArray(item)) text += encodeArray(item)
    else if (item instanceof Uint8Array) text += `"\\\\x${Buffer.from(item).toString('hex')}"`
    else text += encodeScalar(item as number | boolean | Date)
  }
  return text + '}'
}

export type Decode = (text: string) => unknown

const asText: Decode = (text) => text

const decodeTimestamp: Decode = (text) => {
  if (text === 'infinity') return new Date(8.64e15)
  if (text === '-infinity') return new Date(-8.64e15)
  const zone = /[+-]\d\d(:\d\d)?$/.exec(text)
  if (zone === null) throw new RangeError(`The database sent a time without a zone: ${text}`)
  const offset = zone[0] === '+00' ? 'Z' : zone[1] === undefined ? `${zone[0]}:00` : zone[0]
  return new Date(`${text.slice(0, 10)}T${text.slice(11, zone.index)}${offset}`)
}

const decodeBytes: Decode = (text) => new Uint8Array(Buffer.from(text.slice(2), 'hex'))

/** Types of PostgreSQL whose ids are the same on every server, with their array types and decoders. */
const scalars: ReadonlyArray<readonly [oid: number, arrayOid: number, decode: Decode]> = [
  [16, 1000, (text) => text === 't'], // bool
  [17, 1001, decodeBytes], // bytea
  [20, 1016, BigInt], // int8
  [21, 1005, Number], // int2
  [23, 1007, Number], // int4
  [26, 1028, Number], // oid
  [700, 1021, Number], // float4
  [701, 1022, Number], // float8
  [114, 199, JSON.parse], // json
  [3802, 3807, JSON.parse], // jsonb
  [1184, 1185, decodeTimestamp], // timestamptz
  [19, 1003, asText], // name
  [25, 1009, asText], // text
  [1042, 1014, asText], // char(n)
  [1043, 1015, asText], // varchar
  [1082, 1182, asText], // date
  [1700, 1231, asText], // numeric
  [2950, 2951, asText], // uuid
  [5069, 271, asText], // xid8
]

const decoders = new Map<number, Decode>()
for (const [oid, arrayOid, decode] of scalars) {
  decoders.set(oid, (text) => decode(text))
  decoders.set(arrayOid, (text) => decodeArray(text, decode))
}

export function decoderOf(oid: number): Decode {
  return decoders.get(oid) ?? asText
}

export function decodeArray(text: string, decode: Decode): unknown[] {
  // An array whose lower bound is not 1 begins with its bounds, which are skipped: [0:1]={a,b}.
  let at = text.startsWith('[') ? text.indexOf('=') + 1 : 0
  const readList = (): unknown[] => {
    const items: unknown[] = []
    at++
    while (text[at] !== '}') {
      if (text[at] === ',') at++
      if (text[at] === '{') items.push(readList())
      else if (text[at] === '"') items.push(decode(readQuoted()))
      else {
        const start = at
        while (text[at] !== ',' && text[at] !== '}') at++
        const item = text.slice(start, at)
        items.push(item === 'NULL' ? null : decode(item))
      }
    }
    at++
    return items
  }
  const readQuoted = (): string => {
    let item = ''
    at++
    while (text[at] !== '"') {
      if (text[at] === '\\') at++
      item += text[at++]
    }
    at++
    return item
  }
  return readList()
}
