import { ledgerTexts } from './wallet-texts.ts'

/** Returns the name to show. The actor `system` is the server itself. */
export const actorName = (actor: string): string => (actor === 'system' ? ledgerTexts.bySystem : actor)

/** Returns `Bởi an123` or `Hệ thống`. */
export const actorWords = (actor: string): string => (actor === 'system' ? ledgerTexts.bySystem : ledgerTexts.by(actor))

export const requestOf = (ref: string): string | null => /^request:(.+)$/.exec(ref)?.[1] ?? null
