import * as z from 'zod/mini'
import { readTableSettings, writeTableSettings } from '#web/platform/storage.ts'

const foundPlace = z.object({
  kind: z.enum(['user', 'round', 'request', 'adjustment', 'bet', 'bank']),
  id: z.string(),
  /** The id of the round or user on whose page the place is shown. */
  page: z.string(),
  label: z.string(),
  hint: z.string(),
})
export type FoundPlace = Readonly<z.infer<typeof foundPlace>>

const PLACES_MAX = 6

/** Returns the places that the finder last led to, latest first. Signing out deletes them with the lists' settings. */
export function recentPlaces(): readonly FoundPlace[] {
  const { found } = readTableSettings()
  return Array.isArray(found) ? found.flatMap((place) => z.safeParse(foundPlace, place).data ?? []) : []
}

export function rememberPlace(place: FoundPlace): void {
  const others = recentPlaces().filter(({ kind, id }) => kind !== place.kind || id !== place.id)
  writeTableSettings({ ...readTableSettings(), found: [place, ...others].slice(0, PLACES_MAX) })
}
