import { readTableSettings, writeTableSettings } from '#web/platform/storage.ts'

const PLACE_KINDS = ['user', 'round', 'request', 'adjustment', 'bet', 'bank'] as const

export type FoundPlace = {
  readonly kind: (typeof PLACE_KINDS)[number]
  readonly id: string
  /** The round or the user on whose page it stands. */
  readonly page: string
  readonly label: string
  readonly hint: string
}

const PLACES_MAX = 6

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

function toPlace(value: unknown): readonly FoundPlace[] {
  if (!isObject(value)) return []
  const kind = PLACE_KINDS.find((one) => one === value['kind'])
  const { id, page, label, hint } = value
  if (kind === undefined || [id, page, label, hint].some((text) => typeof text !== 'string')) return []
  return [{ kind, id: String(id), page: String(page), label: String(label), hint: String(hint) }]
}

/** The places that the finder led to last, the latest first. Signing out deletes them with the lists' settings. */
export function recentPlaces(): readonly FoundPlace[] {
  const { found } = readTableSettings()
  return Array.isArray(found) ? found.flatMap(toPlace) : []
}

export function rememberPlace(place: FoundPlace): void {
  const others = recentPlaces().filter(({ kind, id }) => kind !== place.kind || id !== place.id)
  writeTableSettings({ ...readTableSettings(), found: [place, ...others].slice(0, PLACES_MAX) })
}
