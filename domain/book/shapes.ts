import { parseJson } from '../json.ts'
import { fromBase64 } from './bytes.ts'

/*
 * Shapes of JSON texts that are hashed and so need exactly one spelling (docs/open-book.md §2). A shape defines which
 * values are valid, and in which order the keys of an object are written.
 */

export interface Shape<Value> {
  readonly is: (value: unknown) => boolean
  readonly inOrder: (value: Value) => Value
}

export type ValueOf<S> = S extends Shape<infer Value> ? Value : never

export const shape = <Value>(
  is: Shape<Value>['is'],
  inOrder: Shape<Value>['inOrder'] = (value) => value,
): Shape<Value> => ({
  is,
  inOrder,
})

/** The characters U+0020 to U+007E without `"` and `\`, which JSON writes as they are. */
const PLAIN = /^[ !#-[\]-~]*$/

export const text = shape<string>((value) => typeof value === 'string' && value !== '' && PLAIN.test(value))
export const boolean = shape<boolean>((value) => typeof value === 'boolean')
export const integer = shape<number>((value) => Number.isSafeInteger(value))
export const count = shape<number>((value) => Number.isSafeInteger(value) && (value as number) >= 0)
/** The last time in Unix ms that a `Date` can hold, and the day that begins with it, numbered from 1970-01-01 on. */
const LAST_MS = 8_640_000_000_000_000
const LAST_DAY = 100_000_000
export const moment = shape<number>((value) => count.is(value) && (value as number) <= LAST_MS)
export const day = shape<number>((value) => count.is(value) && (value as number) <= LAST_DAY)

export const oneOf = <const Value>(...values: readonly Value[]) =>
  shape<Value>((value) => (values as readonly unknown[]).includes(value))

export const orNull = <Value>({ is, inOrder }: Shape<Value>) =>
  shape<Value | null>(
    (value) => value === null || is(value),
    (value) => (value === null ? null : inOrder(value)),
  )

export const base64 = (length: number | null) =>
  shape<string>((value) => {
    if (typeof value !== 'string') return false
    if (length !== null && value.length !== Math.ceil(length / 3) * 4) return false
    const bytes = fromBase64(value)
    return bytes !== null && (length === null || bytes.length === length)
  })

export const arrayOf = <Value>({ is }: Shape<Value>) =>
  shape<readonly Value[]>((value) => Array.isArray(value) && value.every(is))

export const tuple = <Values extends readonly unknown[]>(
  ...shapes: { readonly [At in keyof Values]: Shape<Values[At]> }
) =>
  shape<Readonly<Values>>(
    (value) => Array.isArray(value) && value.length === shapes.length && shapes.every(({ is }, at) => is(value[at])),
  )

interface AnyShape {
  readonly is: (value: unknown) => boolean
  readonly inOrder: (value: never) => unknown
}
type Fields = Readonly<Record<string, AnyShape>>
type ObjectOf<F extends Fields> = { readonly [Key in keyof F]: ValueOf<F[Key]> }

/** An object with these fields. `is` accepts further fields and any order; `decode` refuses both, by encoding again. */
export function object<const F extends Fields>(fields: F): Shape<ObjectOf<F>> {
  const entries = Object.entries(fields)
  return shape(
    (value) => isRecord(value) && entries.every(([key, { is }]) => is(value[key])),
    (value) => {
      const ordered: Record<string, unknown> = {}
      for (const [key, { inOrder }] of entries) ordered[key] = inOrder((value as Record<string, unknown>)[key] as never)
      return ordered as ObjectOf<F>
    },
  )
}

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const encode = <Value>({ inOrder }: Shape<Value>, value: Value): string => JSON.stringify(inOrder(value))

export function decode<Value>(shape: Shape<Value>, written: string): Value | null {
  const parsed = parseJson(written)
  return shape.is(parsed) && encode(shape, parsed as Value) === written ? (parsed as Value) : null
}
