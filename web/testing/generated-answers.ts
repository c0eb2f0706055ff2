import fc from 'fast-check'
import * as z from 'zod/mini'
import { endpoints } from '#contract/endpoints.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import type { FakeServer } from './fake-server.ts'
import { onePage } from './fake-server.ts'
import { uuid } from './samples.ts'

/** Answers that the contract allows, generated from its own schemas: a screen must stand each of them. */

type Definition = {
  readonly type: string
  readonly format?: string
  readonly pattern?: RegExp
  readonly checks?: readonly { readonly _zod: { readonly def: { readonly pattern?: RegExp } } }[]
  readonly getter?: () => z.ZodMiniType
  readonly in?: z.ZodMiniType
  readonly innerType?: z.ZodMiniType
  readonly element?: z.ZodMiniType
  readonly keyType?: z.ZodMiniType
  readonly valueType?: z.ZodMiniType
  readonly items?: readonly z.ZodMiniType[]
  readonly options?: readonly z.ZodMiniType[]
  readonly entries?: Readonly<Record<string, string>>
  readonly values?: readonly unknown[]
  readonly shape?: Readonly<Record<string, z.ZodMiniType>>
}

export type Generate = fc.GeneratorValue

const momentMs = () => fc.noBias(fc.integer({ min: -90_000, max: 90_000 }))
const texts = ['lan', 'Đặng Thị Kim Phiên', 'một câu dài hơn, có dấu.', '12']
let made = 0

/** One value of a schema as it goes over the wire. */
function wireOf(schema: z.ZodMiniType | undefined, g: Generate, field = ''): unknown {
  if (schema === undefined) return null
  const def = schema._zod.def as unknown as Definition
  const one = (of: readonly unknown[]) => g(fc.constantFrom, ...of)
  switch (def.type) {
    case 'lazy':
      return wireOf(def.getter?.(), g, field)
    case 'pipe':
      return wireOf(def.in, g, field)
    case 'nullable':
      // A list that continues page by page ends here.
      return field === 'next' || one([false, false, true]) ? null : wireOf(def.innerType, g, field)
    case 'optional':
      return one([false, true]) ? undefined : wireOf(def.innerType, g, field)
    case 'array':
      return Array.from({ length: g(fc.integer, { min: 0, max: 3 }) }, () => wireOf(def.element, g, field))
    case 'tuple':
      return def.items?.map((item) => wireOf(item, g))
    case 'union':
      return wireOf(one(def.options ?? []) as z.ZodMiniType, g, field)
    case 'enum':
      return one(Object.values(def.entries ?? {}))
    case 'literal':
      return one(def.values ?? [])
    case 'boolean':
      return g(fc.boolean)
    case 'number':
      // A stake is whole points (docs/rules.md §3.1).
      if (field === 'score') return g(fc.integer, { min: 1, max: 100_000 })
      return field.endsWith('Ms') || def.format === 'safeint'
        ? g(fc.integer, { min: 0, max: 90_000 })
        : g(fc.integer, { min: def.checks === undefined ? 0 : -1_000, max: 500_000 }) / 100
    case 'record':
      return recordOf(def, g)
    case 'object':
      return Object.fromEntries(Object.entries(def.shape ?? {}).map(([name, of]) => [name, wireOf(of, g, name)]))
    case 'string':
      return textOf(def, g, field)
    default:
      return null
  }
}

/** Every known key; if none is known, one key, such as a changed field of the audit log. */
function recordOf({ keyType, valueType }: Definition, g: Generate): Record<string, unknown> {
  const definition = keyType?._zod.def as Definition | undefined
  const entries = definition?.entries
  const keys = entries === undefined ? ['score'] : Object.values(entries)
  return Object.fromEntries(keys.map((key) => [key, wireOf(valueType, g)]))
}

function textOf(def: Definition, g: Generate, field: string): string {
  // Two generated instants are hardly ever equal.
  if (def.format === 'datetime') return new Date(Date.now() + g(momentMs)).toISOString()
  if (def.format === 'date') return new Date().toISOString().slice(0, 10)
  const pattern = def.pattern ?? def.checks?.find((check) => check._zod.def.pattern !== undefined)?._zod.def.pattern
  if (field === '_id' || field === 'id' || def.format === 'uuid') return uuid((made += 1))
  const fitting = texts.filter((text) => pattern?.test(text) !== false)
  return pattern === undefined || fitting.length > 0 ? g(fc.constantFrom, ...fitting) : g(fc.stringMatching, pattern)
}

/** An answer of a call in our names. */
export function answerTo(endpoint: Endpoint, g: Generate): unknown {
  const data = z.decode(endpoint.data, wireOf(endpoint.data, g))
  return endpoint.isList ? onePage(data as unknown[]) : data
}

/** Answers every call of the contract anew each time, but for those that a test answers itself. */
export function answerEverything(server: FakeServer, g: Generate): void {
  // A path without parameters comes before one that it would fit, too.
  const all = Object.values(endpoints).toSorted((a, b) => Number(a.path.includes('{')) - Number(b.path.includes('{')))
  for (const endpoint of all as Endpoint[]) server.on(endpoint, () => answerTo(endpoint, g) as never)
}
