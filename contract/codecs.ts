import * as z from 'zod/mini'
import { dayOf, isDay } from '#domain/day.ts'
import { type Minor, minorFromNumber, minorToNumber } from '#domain/money.ts'
import { PAGE_LIMIT_MAX } from './limits.ts'

/** NUL, which PostgreSQL cannot store, or a lone surrogate, which UTF-8 cannot encode. */
const UNSTORABLE = /[\0\p{Cs}]/u
const AS_TEXT = { params: { refusal: 'TEXT_INVALID' } } as const

/** The schema of free texts. A text that cannot be stored is refused as TEXT_INVALID (rules §6.2). */
export const text = z.string().check(z.refine((value) => !UNSTORABLE.test(value), AS_TEXT))

/** A text whose length a domain rule limits. The limit here is higher, so that the rule itself refuses a long text. */
export const judgedText = text.check(z.maxLength(10_000))

export const json = z.unknown().check(z.refine(isStorable, AS_TEXT))

function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return !UNSTORABLE.test(value)
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([name, field]) => isStorable(name) && isStorable(field))
}

export const textIssuesOf = (error: unknown): readonly z.core.$ZodIssue[] =>
  ((error as Partial<z.core.$ZodError> | null)?.issues ?? []).filter(isOfText)

const isOfText = (issue: z.core.$ZodIssue): boolean =>
  issue.code === 'invalid_key' || issue.code === 'invalid_element'
    ? issue.issues.some(isOfText)
    : issue.code === 'custom' && issue.params?.['refusal'] === AS_TEXT.params.refusal

/** In lower case, as the database writes it: ids are compared, hashed, and stored as parts of texts. */
export const id = z.uuid().check(z.toLowerCase())

/** Points as a JSON number with at most 2 decimals ↔ integer minor units (rules §3.1). */
export const amount = z.codec(
  z.number().check(z.refine((value) => minorFromNumber(value) !== null, 'At most 2 decimals.')),
  z.bigint(),
  { decode: (value): Minor => minorFromNumber(value) ?? 0n, encode: minorToNumber },
)

const inMs = { decode: (text: string) => Date.parse(text), encode: (ms: number) => new Date(ms).toISOString() }

/** ISO-8601 UTC with milliseconds ↔ Unix ms, for answers. */
export const instant = z.codec(z.iso.datetime({ precision: 3 }), z.number(), inMs)

/**
 * An instant in a request, of the years 1900 to 2099 in Vietnam or by UTC (rules §6.1): the first day that people can
 * name begins in 1899 by UTC, and 2099 by UTC ends in 2100 in Vietnam.
 */
export const askedInstant = z.codec(
  z.iso
    .datetime({ precision: 3, abort: true })
    .check(z.refine((text) => isDay(text.slice(0, 10)) || isDay(dayOf(Date.parse(text))))),
  z.number(),
  inMs,
)

export const day = z.iso.date({ abort: true }).check(z.refine(isDay))

/** A gold price: dollars with 3 decimals ↔ integer thousandths of a dollar. */
export const goldPrice = z.codec(z.number(), z.int(), {
  decode: (dollars) => Math.round(dollars * 1000),
  encode: (thousandths) => thousandths / 1000,
})

/** Translates between our words, the keys of `pairs`, and the words of the wire, the values. */
export function words<Ours extends string, const Wire extends string>(pairs: Record<Ours, Wire>) {
  const ours = Object.keys(pairs) as [Ours, ...Ours[]]
  const back = Object.fromEntries(ours.map((word) => [pairs[word], word])) as Record<Wire, Ours>
  return z.codec(z.enum(Object.keys(back) as [Wire, ...Wire[]]), z.enum(ours), {
    decode: (wire) => back[wire as Wire] as never,
    encode: (word) => pairs[word as Ours] as never,
  })
}

export const queryInt = z.codec(text.check(z.regex(/^\d{1,12}$/)), z.int(), {
  decode: Number,
  encode: String,
})

export const idList = z.codec(text.check(z.maxLength(37 * PAGE_LIMIT_MAX)), z.array(id), {
  decode: (text) => text.split(','),
  encode: (ids) => ids.join(','),
})

type Schema = z.ZodMiniType
/** A field is declared by its schema or, if the wire gives the field another name, by that name and the schema. */
type Field = Schema | readonly [wireName: string, schema: Schema]
type Fields = Record<string, Field>
type Flat<T> = { [K in keyof T]: T[K] } & {}
type SchemaOf<One extends Field> = One extends readonly [string, infer S extends Schema] ? S : Extract<One, Schema>
type WireName<One extends Field, Ours> = One extends readonly [infer Name extends string, Schema] ? Name : Ours
type OptionalKeys<F extends Fields> = {
  [K in keyof F]: undefined extends z.output<SchemaOf<F[K]>> ? K : never
}[keyof F]
type Ours<F extends Fields> = Flat<
  { [K in Exclude<keyof F, OptionalKeys<F>>]: z.output<SchemaOf<F[K]>> } & {
    [K in OptionalKeys<F>]?: Exclude<z.output<SchemaOf<F[K]>>, undefined>
  }
>
type Wire<F extends Fields> = Flat<
  { [K in Exclude<keyof F, OptionalKeys<F>> as WireName<F[K], K>]: z.input<SchemaOf<F[K]>> } & {
    [K in OptionalKeys<F> as WireName<F[K], K>]?: Exclude<z.input<SchemaOf<F[K]>>, undefined>
  }
>

/** Builds a schema on first use, because the web loads many schemas but uses few. */
const renaming = <const F extends Fields>(fields: () => F, object: typeof z.object, keepsNames = false) =>
  z.lazy(() => renamed(fields(), object, keepsNames)) as unknown as z.ZodMiniType<Ours<F>, Wire<F>>

function renamed(fields: Fields, object: typeof z.object, keepsNames: boolean): z.ZodMiniType {
  const named = Object.entries(fields).map(([ours, field]) => {
    const [wireName, schema] = '_zod' in field ? [ours, field] : field
    return { ours, wireName, schema }
  })
  const shape = Object.fromEntries(named.map(({ wireName, schema }) => [wireName, schema]))
  const move = (value: Record<string, unknown>, names: readonly (readonly [from: string, to: string])[]) => {
    const moved: Record<string, unknown> = {}
    for (const [from, to] of names) if (value[from] !== undefined) moved[to] = value[from]
    return moved
  }
  const toOurs = named.map(({ ours, wireName }) => [wireName, ours] as const)
  const toWire = named.map(({ ours, wireName }) => [ours, wireName] as const)
  const ourName = (wireName: string) => toOurs.find(([name]) => name === wireName)?.[1] ?? wireName
  return z.codec(object(shape), z.custom<Record<string, unknown>>(), {
    decode: (wire) =>
      keepsNames ? { ...move(wire, toOurs), sentFields: Object.keys(wire).map(ourName) } : move(wire, toOurs),
    encode: (ours) => move(ours, toWire) as never,
  })
}

/** The schema of an answer. `ourName: [wireName, schema]` renames a field. Unknown fields are ignored. */
export const answer = <const F extends Fields>(fields: () => F) => renaming(fields, z.object)

/** The schema of a request body, declared like an answer. Unknown fields are refused. */
export const request = <const F extends Fields>(fields: () => F) => renaming(fields, z.strictObject as never)

/**
 * The schema of a request body whose unknown fields are ignored, since clients may send back a whole user (rules §3.8).
 * `sentFields` names all sent fields, known or not.
 */
export const lenientRequest = <const F extends Fields>(fields: () => F) =>
  renaming(fields, z.looseObject as never, true) as z.ZodMiniType<
    Ours<F> & { readonly sentFields?: readonly string[] },
    Wire<F>
  >

export const query = <const Shape extends z.core.$ZodLooseShape>(shape: () => Shape) => z.lazy(() => z.object(shape()))

export const person = answer(() => ({ id: ['_id', text], username: text }))
