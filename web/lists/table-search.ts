import { PAGE_LIMIT_DEFAULT, PAGE_SIZES } from '#contract/limits.ts'
import type { AskedBy, Filter, Filters, ListDeclaration } from '#contract/lists.ts'
import { dayAfter, isDay, startOfDayMs } from '#domain/day.ts'

/**
 * Reads and writes the view of a list as parameters of the address. Defaults are left out, and an unreadable parameter
 * counts as absent. The default number of rows depends on the window, so `limit` is written for pages beyond the first:
 * such an address shows everybody the same rows (rules §6.1).
 */

export type TableSearch = { readonly [name: string]: string | number | undefined }

/** What a filter takes: one of several values (the first is the default), a text, a day in Vietnam or whole points. */
export type FilterSpec = readonly [string, ...string[]] | 'text' | 'day' | 'points'
export type FilterSpecs = { readonly [name: string]: FilterSpec }

export type TableSpec<Filters extends FilterSpecs> = {
  readonly filters: Filters
  /** The names of the sort orders. In the address, a leading `-` means descending. */
  readonly sorts: readonly string[]
  readonly firstSort: string | ((filters: FilterValues<Filters>) => string)
  readonly hiddenAtFirst?: readonly string[]
  /** The height in rem of everything above and beneath the rows (rows-at-first.ts). */
  readonly besideRem?: number
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

/** The server refuses pages that begin after this number of rows. */
const offsetMax = 100_000
const textMax = 64
/** The value of the parameter `hide` if no columns are hidden, in a list that hides some by default. */
const nothing = '-'

const wholeNumber = (value: unknown): number | undefined => {
  const number = typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN
  return Number.isSafeInteger(number) ? number : undefined
}

/** Returns a parameter as text. The router parses a text of digits, such as a username, as a number. */
const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, textMax) : ''

const pointsText = /^\d{1,12}$/

export const defaultOf = (spec: FilterSpec): string => (typeof spec === 'string' ? '' : spec[0])

function readFilter(raw: unknown, spec: FilterSpec): string {
  const text = textOf(raw)
  const isReadable =
    spec === 'text' || (spec === 'day' ? isDay(text) : spec === 'points' ? pointsText.test(text) : spec.includes(text))
  return isReadable ? text : defaultOf(spec)
}

const firstSortOf = <Filters extends FilterSpecs>(
  { firstSort }: Pick<TableSpec<Filters>, 'firstSort'>,
  filters: FilterValues<Filters>,
): string => (typeof firstSort === 'string' ? firstSort : firstSort(filters))

export function readView<Filters extends FilterSpecs>(
  raw: Readonly<Record<string, unknown>>,
  spec: TableSpec<Filters>,
  rowsAtFirst: number,
): TableView<Filters> {
  const page = wholeNumber(raw['page']) ?? 1
  const limit =
    PAGE_SIZES.find((size) => size === wholeNumber(raw['limit'])) ?? (page > 1 ? PAGE_LIMIT_DEFAULT : rowsAtFirst)
  const sort = textOf(raw['sort'])
  const hidden = typeof raw['hide'] === 'string' ? raw['hide'] : ''
  const filters = Object.entries(spec.filters).map(([name, choices]) => [name, readFilter(raw[name], choices)] as const)
  const values = Object.fromEntries(filters) as FilterValues<Filters>
  return {
    page: page >= 1 && (page - 1) * limit <= offsetMax ? page : 1,
    limit,
    sort: spec.sorts.includes(sort.replace(/^-/, '')) ? sort : firstSortOf(spec, values),
    hidden:
      hidden === ''
        ? (spec.hiddenAtFirst ?? [])
        : hidden === nothing
          ? []
          : hidden.split('.').filter((id) => id !== ''),
    filters: values,
  }
}

export function writeView<Filters extends FilterSpecs>(
  view: TableView<Filters>,
  spec: TableSpec<Filters>,
  rowsAtFirst: number,
): TableSearch {
  const hiddenAtFirst = spec.hiddenAtFirst ?? []
  const isHiddenAsAtFirst =
    view.hidden.length === hiddenAtFirst.length && view.hidden.every((id) => hiddenAtFirst.includes(id))
  const search: Record<string, string | number> = {}
  for (const [name, choices] of Object.entries(spec.filters)) {
    const chosen: unknown = view.filters[name]
    if (typeof chosen !== 'string' || chosen === defaultOf(choices)) continue
    // Points are written as a number, because the router would put a text of digits in quotes.
    search[name] = choices === 'points' ? Number(chosen) : chosen
  }
  if (view.sort !== firstSortOf(spec, view.filters)) search['sort'] = view.sort
  if (view.limit !== rowsAtFirst || view.page !== 1) search['limit'] = view.limit
  if (view.page !== 1) search['page'] = view.page
  if (!isHiddenAsAtFirst) search['hide'] = view.hidden.length === 0 ? nothing : view.hidden.join('.')
  return search
}

export type ViewChange<Filters extends FilterSpecs> = Partial<Omit<TableView<Filters>, 'filters'>> & {
  readonly filters?: Partial<FilterValues<Filters>>
}

/**
 * Applies a change to a view. Other filters, another order or another number of rows lead to page 1. If the view has
 * the default order of its old filters, it gets the default order of the new filters.
 */
export function changeView<Filters extends FilterSpecs>(
  view: TableView<Filters>,
  change: ViewChange<Filters>,
  spec: Pick<TableSpec<Filters>, 'firstSort'>,
): TableView<Filters> {
  const filters = { ...view.filters, ...change.filters }
  const isFirstSort = view.sort === firstSortOf(spec, view.filters)
  const isOtherList = change.limit !== undefined || change.sort !== undefined || change.filters !== undefined
  return {
    ...view,
    ...(isOtherList && { page: 1 }),
    ...(isFirstSort && { sort: firstSortOf(spec, filters) }),
    ...change,
    filters,
  }
}

export function isFiltered<Filters extends FilterSpecs>(view: TableView<Filters>, spec: TableSpec<Filters>): boolean {
  return Object.entries(spec.filters).some(([name, choices]) => view.filters[name] !== defaultOf(choices))
}

type AddressFilter<F extends Filter> = F extends { readonly values: ReadonlyArray<infer Value extends string> }
  ? readonly [Value | 'all', ...ReadonlyArray<Value | 'all'>]
  : F extends { readonly kind: 'text' | 'points' }
    ? F['kind']
    : 'day'

type NameInAddress<Name, F extends Filter> = F extends { readonly kind: 'number' | 'id' }
  ? never
  : F extends { readonly inAddress: infer Other extends string }
    ? Other
    : Name

export type AddressFilters<F extends Filters> = {
  readonly [Name in keyof F as NameInAddress<Name, F[Name]>]: AddressFilter<F[Name]>
}

export type DeclaredOptions<F extends Filters> = {
  /** The defaults of choice filters. For a choice filter without an entry here, the default is `all`. */
  readonly first?: AskedBy<F>
  readonly fixed?: AskedBy<F>
}

export function declared<const F extends Filters>(
  { sorts, firstSort, filters }: ListDeclaration & { readonly filters: F },
  { first = {}, fixed = {} }: DeclaredOptions<F> = {},
) {
  const inAddress = Object.entries<Filter>(filters)
    .filter(([, { kind }]) => kind !== 'number' && kind !== 'id')
    .map(([name, filter]) => ({ name, filter, parameter: filter.inAddress ?? name }))
  const specs = inAddress.map(({ name, filter, parameter }) => [parameter, specOf(filter, first[name])])
  return {
    sorts,
    firstSort,
    filters: Object.fromEntries(specs) as AddressFilters<F>,
    asked: (values: FilterValues<AddressFilters<F>>): AskedBy<F> => {
      const texts = values as Readonly<Record<string, string>>
      const given = inAddress.flatMap(({ name, filter, parameter }) => {
        const text = texts[parameter] ?? ''
        return text === '' || text === 'all' ? [] : [[name, askedOf(filter, text)] as const]
      })
      return { ...(Object.fromEntries(given) as AskedBy<F>), ...fixed }
    },
  }
}

function specOf(filter: Filter, first: unknown): FilterSpec {
  if (filter.kind === 'choice') return [typeof first === 'string' ? first : 'all', ...filter.values, 'all']
  return filter.kind === 'text' || filter.kind === 'points' ? filter.kind : 'day'
}

/** Returns the value to send. The last day of a range counts in full, so it is sent as the start of the next day. */
function askedOf({ kind }: Filter, text: string): string | number {
  if (kind === 'from') return startOfDayMs(text)
  if (kind === 'before') return startOfDayMs(dayAfter(text))
  return kind === 'points' ? Number(text) : text
}
