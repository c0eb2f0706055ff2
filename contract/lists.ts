import * as z from 'zod/mini'
import { askedInstant, id, queryInt, text } from './codecs.ts'

/**
 * A list, declared as plain data for the query of its calls (`filterQuery`), the SQL of the server (`FilterSql` of
 * server/platform/http/lists.ts) and the address of its screen (`declared` of web/lists/table-search.ts).
 */
export interface ListDeclaration {
  /** Names of columns on the wire; `-` in front of `firstSort` means descending. */
  readonly sorts: readonly string[]
  readonly firstSort: string
  readonly filters: Filters
}

export type Filters = { readonly [name: string]: Filter }

/** `inAddress` is the parameter's name in the address of the screen, if it differs from the filter's name. */
export type Filter = { readonly inAddress?: string } & (
  | { readonly kind: 'text'; /** In UTF-16 units; 64 by default. */ readonly maxLength?: number }
  | { readonly kind: 'choice'; readonly values: readonly string[]; readonly wire?: z.ZodMiniType<unknown, string> }
  /**
   * `from`: at or after an instant. `before`: before an instant. The value is in Unix ms; a screen's address has a day
   * in Vietnam.
   */
  | { readonly kind: 'from' | 'before' }
  | { readonly kind: 'points' }
  /** Filters of these two kinds are not in the address of a screen. */
  | { readonly kind: 'number' | 'id' }
)

type Asked<F extends Filter> = F extends { readonly values: ReadonlyArray<infer Value> }
  ? Value
  : F extends { readonly kind: 'text' | 'id' }
    ? string
    : number

export type AskedBy<F extends Filters> = { [Name in keyof F]?: Asked<F[Name]> | undefined }

export type FilterQuery<F extends Filters> = {
  [Name in keyof F]: z.ZodMiniOptional<z.ZodMiniType<Asked<F[Name]>, string>>
}

export const filterQuery = <const F extends Filters>(filters: F) =>
  Object.fromEntries(
    Object.entries(filters).map(([name, filter]) => [name, z.optional(schemaOf(filter))]),
  ) as FilterQuery<F>

const SCHEMAS = { id, from: askedInstant, before: askedInstant, points: queryInt, number: queryInt } as const

function schemaOf(filter: Filter): z.ZodMiniType<unknown, string> {
  if (filter.kind === 'choice') return filter.wire ?? z.enum(filter.values as [string, ...string[]])
  return filter.kind === 'text' ? text.check(z.maxLength(filter.maxLength ?? 64)) : SCHEMAS[filter.kind]
}

/** Finds users by the beginning of their name or, in the list of users, by any part of the name. */
export const byName = { kind: 'text', inAddress: 'q' } as const
/** A half-open span: `from` is included, `to` is not. */
export const byTime = { from: { kind: 'from' }, to: { kind: 'before' } } as const
export const byAmount = { min: { kind: 'points' }, max: { kind: 'points' } } as const
