import { PAGE_LIMIT_DEFAULT, PAGE_SIZES } from '#contract/limits.ts'

/**
 * A list's view in its address: page, rows per page, order, hidden columns and filters. Defaults are left out, so that
 * a plain list has a plain address. An unreadable parameter counts as absent.
 */

/** The search parameters of a list's address, as the router parses them. */
export type TableSearch = { readonly [name: string]: string | number | undefined }

/** A filter is either one of these values, the first being the default, or any text, empty by default. */
export type FilterSpec = readonly [string, ...string[]] | 'text'
export type FilterSpecs = { readonly [name: string]: FilterSpec }

export type TableSpec<Filters extends FilterSpecs> = {
  readonly filters: Filters
  /** The columns by which the server sorts; a `-` in front means descending. */
  readonly sorts: readonly string[]
  readonly firstSort: string
  /** Ids of columns that are hidden by default. */
  readonly hiddenAtFirst?: readonly string[]
}

export type FilterValues<Filters extends FilterSpecs> = {
  readonly [Name in keyof Filters]: Filters[Name] extends readonly (infer Value)[] ? Value : string
}

export type TableView<Filters extends FilterSpecs> = {
  readonly page: number
  readonly limit: number
  readonly sort: string
  readonly hidden: readonly string[]
  readonly filters: FilterValues<Filters>
}

/** The server refuses pages beyond this offset; a user who needs later rows sets a filter. */
const offsetMax = 100_000
const textMax = 64
/** The parameter's value for "no hidden columns" in a list that hides some by default. */
const nothing = '-'

const wholeNumber = (value: unknown): number | undefined => {
  const number = typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN
  return Number.isSafeInteger(number) ? number : undefined
}

/** The router parses a name that consists of digits as a number. */
const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, textMax) : ''

/** @param raw the address's search parameters, which a user may have edited */
export function readView<Filters extends FilterSpecs>(
  raw: Readonly<Record<string, unknown>>,
  spec: TableSpec<Filters>,
): TableView<Filters> {
  const limit = PAGE_SIZES.find((size) => size === wholeNumber(raw['limit'])) ?? PAGE_LIMIT_DEFAULT
  const page = wholeNumber(raw['page']) ?? 1
  const sort = textOf(raw['sort'])
  const hidden = textOf(raw['hide'])
  const filters = Object.entries(spec.filters).map(([name, choices]) => {
    const text = textOf(raw[name])
    return [name, choices === 'text' ? text : choices.includes(text) ? text : choices[0]] as const
  })
  return {
    page: page >= 1 && (page - 1) * limit <= offsetMax ? page : 1,
    limit,
    sort: spec.sorts.includes(sort.replace(/^-/, '')) ? sort : spec.firstSort,
    hidden:
      hidden === ''
        ? (spec.hiddenAtFirst ?? [])
        : hidden === nothing
          ? []
          : hidden.split('.').filter((id) => id !== ''),
    filters: Object.fromEntries(filters) as FilterValues<Filters>,
  }
}

/** The search parameters of this view, without the defaults. */
export function writeView<Filters extends FilterSpecs>(
  view: TableView<Filters>,
  spec: TableSpec<Filters>,
): TableSearch {
  const hiddenAtFirst = spec.hiddenAtFirst ?? []
  const isHiddenAsAtFirst =
    view.hidden.length === hiddenAtFirst.length && view.hidden.every((id) => hiddenAtFirst.includes(id))
  const search: Record<string, string | number> = {}
  for (const [name, choices] of Object.entries(spec.filters)) {
    const chosen: unknown = view.filters[name]
    if (typeof chosen === 'string' && chosen !== (choices === 'text' ? '' : choices[0])) search[name] = chosen
  }
  if (view.sort !== spec.firstSort) search['sort'] = view.sort
  if (view.limit !== PAGE_LIMIT_DEFAULT) search['limit'] = view.limit
  if (view.page !== 1) search['page'] = view.page
  if (!isHiddenAsAtFirst) search['hide'] = view.hidden.length === 0 ? nothing : view.hidden.join('.')
  return search
}

export type ViewChange<Filters extends FilterSpecs> = {
  readonly page?: number
  readonly limit?: number
  readonly sort?: string
  readonly hidden?: readonly string[]
  readonly filters?: Partial<FilterValues<Filters>>
}

/** The view after a change. Other rows or another order start at page 1 again. */
export function changeView<Filters extends FilterSpecs>(
  view: TableView<Filters>,
  change: ViewChange<Filters>,
): TableView<Filters> {
  const isOtherList = change.limit !== undefined || change.sort !== undefined || change.filters !== undefined
  return {
    ...view,
    ...(isOtherList && { page: 1 }),
    ...change,
    filters: { ...view.filters, ...change.filters },
  }
}

/** True when a filter differs from its default. */
export function isFiltered<Filters extends FilterSpecs>(view: TableView<Filters>, spec: TableSpec<Filters>): boolean {
  return Object.entries(spec.filters).some(
    ([name, choices]) => view.filters[name] !== (choices === 'text' ? '' : choices[0]),
  )
}

/** The filters for an endpoint, without those that match everything, which are '' and 'all'. */
export function given<Values extends Readonly<Record<string, string>>>(
  values: Values,
): { readonly [Name in keyof Values]?: Exclude<Values[Name], 'all'> } {
  const narrowing = Object.entries(values).filter(([, value]) => value !== '' && value !== 'all')
  return Object.fromEntries(narrowing) as { [Name in keyof Values]?: Exclude<Values[Name], 'all'> }
}
