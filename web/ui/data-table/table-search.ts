import { PAGE_LIMIT_DEFAULT, PAGE_SIZES } from '#contract/limits.ts'

/**
 * What a list shows, as its address says it: page, rows per page, order, hidden columns and filters. What equals the
 * list's own beginning is left out, so that a plain list has a plain address. Anything unreadable counts as absent.
 */

/** Search parameters of a list's address, as the router reads them. */
export type TableSearch = { readonly [name: string]: string | number | undefined }

/** What a filter can be: one of these, of which the first is the beginning; or any text, which begins empty. */
export type FilterSpec = readonly [string, ...string[]] | 'text'
export type FilterSpecs = { readonly [name: string]: FilterSpec }

export type TableSpec<Filters extends FilterSpecs> = {
  readonly filters: Filters
  /** Columns of the server's order; `-` before one for descending. */
  readonly sorts: readonly string[]
  readonly firstSort: string
  /** Ids of columns that are hidden until they are asked for. */
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

/** A page further on is refused by the server; whoever needs more filters. */
const offsetMax = 100_000
const textMax = 64
/** Says that nothing is hidden where something is at first. */
const nothing = '-'

const wholeNumber = (value: unknown): number | undefined => {
  const number = typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN
  return Number.isSafeInteger(number) ? number : undefined
}

/** A name of digits only arrives as a number. */
const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, textMax) : ''

/** @param raw the address's search parameters, whatever somebody typed there */
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

/** The search parameters that say this view, without what goes without saying. */
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

/** The view after a change. Other rows or another order begin at page 1 again. */
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

/** True when a filter stands otherwise than at the beginning. */
export function isFiltered<Filters extends FilterSpecs>(view: TableView<Filters>, spec: TableSpec<Filters>): boolean {
  return Object.entries(spec.filters).some(
    ([name, choices]) => view.filters[name] !== (choices === 'text' ? '' : choices[0]),
  )
}

/** Filters as an endpoint takes them: without those that let everything through, which are '' and 'all'. */
export function given<Values extends Readonly<Record<string, string>>>(
  values: Values,
): { readonly [Name in keyof Values]?: Exclude<Values[Name], 'all'> } {
  const narrowing = Object.entries(values).filter(([, value]) => value !== '' && value !== 'all')
  return Object.fromEntries(narrowing) as { [Name in keyof Values]?: Exclude<Values[Name], 'all'> }
}
