import { ledgerTexts } from './wallet-texts.ts'

/** The name of a row's actor. The server calls the calendar and the first start `system`. */
export const actorName = (actor: string): string => (actor === 'system' ? ledgerTexts.bySystem : actor)

/** The actor in a row of the list: `Bởi an123`, `Hệ thống`. */
export const actorWords = (actor: string): string => (actor === 'system' ? ledgerTexts.bySystem : ledgerTexts.by(actor))

/** The id of the request that a row belongs to; null for any other row. */
export const requestOf = (ref: string): string | null => /^request:(.+)$/.exec(ref)?.[1] ?? null
