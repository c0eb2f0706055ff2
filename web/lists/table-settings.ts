import { readTableSettings, writeTableSettings } from '#web/platform/storage.ts'
import type { TableSearch } from './table-search.ts'

/**
 * The list settings stored in this browser: whether single-key shortcuts are on, and views of an
 * older version.
 */

export type StoredView = { readonly name: string; readonly search: TableSearch }

type Settings = {
  readonly views: Readonly<Record<string, readonly StoredView[]>>
  readonly areShortcutsOff: boolean
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function toSearch(value: unknown): TableSearch {
  const entries = isObject(value) ? Object.entries(value) : []
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string | number] => ['string', 'number'].includes(typeof entry[1])),
  )
}

function toViews(value: unknown): readonly StoredView[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((view: unknown) =>
    isObject(view) && typeof view['name'] === 'string'
      ? [{ name: view['name'], search: toSearch(view['search']) }]
      : [],
  )
}

/** Parses stored settings, which another version or a user may have written: unreadable parts are dropped. */
function parse(stored: unknown): Settings {
  const settings = isObject(stored) ? stored : {}
  const views = isObject(settings['views']) ? settings['views'] : {}
  return {
    // Settings of other parts, such as the finder's places, are kept.
    ...settings,
    views: Object.fromEntries(Object.entries(views).map(([table, list]) => [table, toViews(list)])),
    areShortcutsOff: settings['areShortcutsOff'] === true,
  }
}

const read = (): Settings => parse(readTableSettings())

const noViews: readonly StoredView[] = []

/** Views that an older version saved in this browser. */
export const storedViews = (table: string): readonly StoredView[] => read().views[table] ?? noViews

export function forgetView(table: string, name: string): void {
  const views = storedViews(table).filter((view) => view.name !== name)
  writeTableSettings({ ...read(), views: { ...read().views, [table]: views } })
}

export const areShortcutsOff = (): boolean => read().areShortcutsOff

export function setShortcutsOff(isOff: boolean): void {
  writeTableSettings({ ...read(), areShortcutsOff: isOff })
}
