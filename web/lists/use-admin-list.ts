import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { RowData } from '@tanstack/react-table'
import { PAGE_LIMIT_MAX } from '#contract/limits.ts'
import type { RowSource } from './export-rows.ts'
import type { PageAsk, PageQuery } from './list-pages.ts'
import { defaultOf, type FilterSpecs, type FilterValues, type TableSpec, type TableView } from './table-search.ts'
import { type AskForRows, useHeldRows } from './held-rows.ts'
import { useTableSearch } from './use-table-search.ts'

export type AdminListSpec<Row extends RowData, Filters extends FilterSpecs, Asked> = TableSpec<Filters> & {
  /** Names the list in saved views and exported files. */
  readonly id: string
  readonly rowId: (row: Row) => string
  readonly rowName: (row: Row) => string
  readonly asked: (filters: FilterValues<NoInfer<Filters>>) => Asked
  readonly pageQuery: (query: PageAsk & Asked) => PageQuery<Row>
  /** True for a list whose rows never leave it, such as a log. */
  readonly onlyGrows?: true
  /** Keeps rows in place (held-rows.ts). Without it, the list shows the server's newest answer. */
  readonly hold?: {
    readonly createdAtMs: (row: Row) => number
    readonly arrivedText: (count: string) => string
    readonly quietText?: string
    readonly askFor?: AskForRows<Row>
  }
}

export const adminList = <Row extends RowData, const Filters extends FilterSpecs, Asked>(
  spec: AdminListSpec<Row, Filters, Asked>,
): AdminListSpec<Row, Filters, Asked> => spec

export function pageQueryOf<Row extends RowData, Filters extends FilterSpecs, Asked>(
  { asked, pageQuery }: AdminListSpec<Row, Filters, Asked>,
  { page, limit, sort, filters }: TableView<Filters>,
  more: Pick<PageAsk, 'whole'> = {},
): PageQuery<Row> {
  return pageQuery({ page, limit, sort, ...asked(filters), ...more })
}

export function useAdminList<Row extends RowData, Filters extends FilterSpecs, Asked>(
  spec: AdminListSpec<Row, Filters, Asked>,
  { isOwnAct }: { readonly isOwnAct?: (row: Row) => boolean } = {},
) {
  const { id, rowId, rowName, hold } = spec
  const address = useTableSearch(spec)
  const { view, change } = address
  const query = pageQueryOf(spec, view)
  const page = useQuery({ ...query, placeholderData: keepPreviousData })
  const held = useHeldRows<Row>({
    viewKey: JSON.stringify(query.queryKey),
    fresh: hold === undefined || page.isPlaceholderData ? undefined : page.data?.rows,
    rowId,
    createdAtMs: hold?.createdAtMs ?? (() => 0),
    isOwnAct,
    askFor: hold?.askFor,
  })
  const setFilter = (name: keyof Filters, value: unknown, isTyping: boolean) =>
    change({ filters: { [name]: value } as Partial<FilterValues<Filters>> }, { isTyping })
  return {
    id,
    rowId,
    rowName,
    arrivedText: hold?.arrivedText,
    quietText: hold?.quietText,
    address,
    filters: view.filters,
    asked: spec.asked(view.filters),
    held: hold === undefined ? { ...held, rows: page.data?.rows } : held,
    source: sourceOf(spec, view),
    /** `isStale`: the rows on screen are still those of the previous view. */
    state: {
      meta: page.data?.meta,
      error: page.error,
      isStale: page.isPlaceholderData,
      retry: () => void page.refetch(),
      isRetrying: page.isFetching,
    },
    fold: (names: ReadonlyArray<keyof Filters & string>) => {
      const cleared = Object.fromEntries(names.map((name) => [name, defaultOf(spec.filters[name] ?? 'text')]))
      return {
        setCount: names.filter((name) => view.filters[name] !== cleared[name]).length,
        onClear: () => change({ filters: cleared as Partial<FilterValues<Filters>> }),
      }
    },
    search: <Name extends keyof Filters>(name: Name) => ({
      text: view.filters[name],
      onChange: (text: string) => setFilter(name, text, true),
    }),
    choice: <Name extends keyof Filters>(name: Name) => ({
      value: view.filters[name],
      onChange: (value: FilterValues<Filters>[Name]) => setFilter(name, value, false),
    }),
  }
}

function sourceOf<Row extends RowData, Filters extends FilterSpecs, Asked>(
  spec: AdminListSpec<Row, Filters, Asked>,
  view: TableView<Filters>,
): RowSource<Row> {
  return {
    loadPage: async (page, signal) => {
      const { rows, meta } = await pageQueryOf(spec, { ...view, page, limit: PAGE_LIMIT_MAX }).queryFn({ signal })
      return { rows, hasMore: meta.hasMore }
    },
    loadIds:
      spec.onlyGrows === true
        ? undefined
        : async (signal) => {
            const query = pageQueryOf(spec, { ...view, page: 1, limit: 1 }, { whole: 'ids' })
            return (await query.queryFn({ signal })).meta.ids ?? []
          },
    loadByIds: async (ids, signal) => {
      // Ask without the filters, so that rows that no longer match the filters are loaded, too.
      const asked = { page: 1, limit: PAGE_LIMIT_MAX, sort: view.sort, ids: [...ids] } as PageAsk & Asked
      return (await spec.pageQuery(asked).queryFn({ signal })).rows
    },
  }
}

export type AdminList<Row extends RowData, Filters extends FilterSpecs, Asked = unknown> = ReturnType<
  typeof useAdminList<Row, Filters, Asked>
>
export type ListState = AdminList<RowData, FilterSpecs>['state']
