import { readTableSettings, writeTableSettings } from '#web/platform/storage.ts'
import type { TableSearch } from './table-search.ts'

/** The list settings stored in this browser: saved views, and whether single-key shortcuts are on. */

export type SavedView = { readonly name: string; readonly search: TableSearch }

type Settings = {
  readonly views: Readonly<Record<string, readonly SavedView[]>>
  readonly areShortcutsOff: boolean
}

const viewsMax = 20
const listeners = new Set<() => void>()
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function toSearch(value: unknown): TableSearch {
  const entries = isObject(value) ? Object.entries(value) : []
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string | number] => ['string', 'number'].includes(typeof entry[1])),
  )
}

function toViews(value: unknown): readonly SavedView[] {
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
    views: Object.fromEntries(Object.entries(views).map(([table, list]) => [table, toViews(list)])),
    areShortcutsOff: settings['areShortcutsOff'] === true,
  }
}

let current: Settings | undefined
const read = (): Settings => (current ??= parse(readTableSettings()))

function write(next: Settings): void {
  current = next
  writeTableSettings(next)
  for (const listener of listeners) listener()
}

const noViews: readonly SavedView[] = []

export const savedViews = (table: string): readonly SavedView[] => read().views[table] ?? noViews

/** Stores a view under a name; the same name is replaced, and beyond 20 the oldest view is dropped. */
export function saveView(table: string, view: SavedView): void {
  const others = savedViews(table).filter(({ name }) => name !== view.name)
  write({ ...read(), views: { ...read().views, [table]: [...others, view].slice(-viewsMax) } })
}

export function deleteView(table: string, name: string): void {
  const views = savedViews(table).filter((view) => view.name !== name)
  write({ ...read(), views: { ...read().views, [table]: views } })
}

export const areShortcutsOff = (): boolean => read().areShortcutsOff

export function setShortcutsOff(isOff: boolean): void {
  write({ ...read(), areShortcutsOff: isOff })
}

/** Calls back after each change. Returns the function that stops it. */
export function onSettingsChanged(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
