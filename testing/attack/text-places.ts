/** The keywords of JSON Schema that the contract's schemas use. */
export interface JsonSchema {
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly JsonSchema[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly additionalProperties?: JsonSchema | boolean
  readonly required?: readonly string[]
  readonly items?: JsonSchema
  readonly pattern?: string
  readonly minimum?: number
}

/** A place where a request takes a text. */
export interface TextPlace {
  /** The path to the text, in a refusal's notation: `search.status`, `frames.0`. */
  readonly path: string
  /** A value of the whole schema that is right, with this text in the place. */
  readonly put: (text: string) => unknown
}

/** Answers a right value for a field of this name. */
export type RightValue = (schema: JsonSchema, name: string) => unknown

const typeOf = ({ type }: JsonSchema): string | undefined => (typeof type === 'string' ? type : type?.[0])

/**
 * Every place of a text in a schema's input. Ids, times and words of a list are left out: their own form refuses other
 * texts.
 * @param right fills the fields that the schema requires
 */
export function textPlaces(schema: JsonSchema, right: RightValue): TextPlace[] {
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap((one) => textPlaces(one, right))
  const type = typeOf(schema)
  const isClosed = schema.enum !== undefined || schema.const !== undefined || schema.format !== undefined
  // A schema without a type takes anything.
  if (type === 'string' || type === undefined) return isClosed ? [] : [{ path: '', put: (text) => text }]
  if (type === 'array') return inside('0', textPlaces(schema.items ?? {}, right), (value) => [value])
  if (type !== 'object') return []
  const required = () =>
    Object.fromEntries((schema.required ?? []).map((name) => [name, right(schema.properties?.[name] ?? {}, name)]))
  const named = Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
    inside(name, textPlaces(field, right), (value) => ({ ...required(), [name]: value })),
  )
  const others = schema.additionalProperties
  if (typeof others !== 'object' || named.length > 0) return named
  return inside('x', textPlaces(others, right), (value) => ({ ...required(), x: value }))
}

const inside = (name: string, places: readonly TextPlace[], around: (value: unknown) => unknown): TextPlace[] =>
  places.map(({ path, put }) => ({
    path: path === '' ? name : `${name}.${path}`,
    put: (text) => around(put(text)),
  }))
