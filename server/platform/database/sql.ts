import type { Param, QueryOptions } from './db.ts'

/*
 * There are two ways to write SQL with more than a few parameters:
 * - A constant text: `statement(sql`…`)`, once, when the module is loaded. Its parameters have names.
 * - A text that depends on the request, such as a list's filters: `collectParams()`, for each call.
 * Only this file numbers placeholders (checks/rules/sql.ts).
 */

/** A piece of SQL with named parameters. Pieces are joined before the placeholders are numbered. */
export interface Sql<Name extends string = never> {
  readonly parts: ReadonlyArray<string | { readonly param: Name }>
}

type Gap = string | number | Sql<string>
type NameIn<G> = G extends Sql<infer Name> ? Name : G extends string ? G : never
/** Refuses a name of type `string`: only for a literal name can the compiler check that a value is passed. */
type Known<Gaps extends readonly Gap[]> = { [At in keyof Gaps]: string extends Gaps[At] ? never : Gaps[At] }

/**
 * Builds a piece of SQL from a template. A text in a gap, such as `${'roundId'}`, names a parameter; equal names are
 * the same parameter. A number is written unchanged. A piece of SQL is inserted with its parameters.
 */
export function sql<const Gaps extends readonly Gap[]>(
  texts: TemplateStringsArray,
  ...gaps: Gaps & Known<Gaps>
): Sql<NameIn<Gaps[number]>> {
  const given: readonly Gap[] = gaps
  const parts = texts.flatMap((text, at) => [text, ...partsOf(given[at] ?? NOTHING)])
  return { parts: parts as Sql<NameIn<Gaps[number]>>['parts'] }
}

const NOTHING: Sql = { parts: [] }

function partsOf(gap: Gap): Sql<string>['parts'] {
  if (typeof gap === 'object') return gap.parts
  if (typeof gap === 'number') return [`${gap}`]
  if (!/^[a-z][a-zA-Z0-9]*$/.test(gap)) throw new Error(`No name of a parameter: ${gap}. Put SQL in with sqlText().`)
  return [{ param: gap }]
}

/** Makes a piece without parameters, such as columns that statements share. The text must not come from a request. */
export const sqlText = (text: string): Sql => ({ parts: [text] })

/** The arguments of `query` and `commitWith`, as in `tx.query(...LOCK_ATTEMPTS({ locks }))`. */
export type Query = readonly [text: string, params: readonly Param[], options: QueryOptions]

export type Statement<Name extends string> = (values: Readonly<Record<Name, Param>>) => Query

/** Numbers a statement's parameters once. With `options.name`, each connection prepares the statement once. */
export function statement<Name extends string>({ parts }: Sql<Name>, options: QueryOptions = {}): Statement<Name> {
  const names: Name[] = []
  const numberOf = (name: Name): number => names.indexOf(name) + 1 || names.push(name)
  const text = parts.map((part) => (typeof part === 'string' ? part : `$${numberOf(part.param)}`)).join('')
  return (values) => [text, names.map((name) => values[name]), options]
}

export interface Params {
  readonly add: (value: Param) => string
  readonly values: readonly Param[]
}

export function collectParams(): Params {
  const values: Param[] = []
  return {
    add: (value) => `$${values.push(value)}`,
    get values() {
      return [...values]
    },
  }
}
