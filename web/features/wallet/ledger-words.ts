import { ledgerTexts } from './wallet-texts.ts'

/** The server calls the calendar and the first start `system`. */
export const actorName = (actor: string): string => (actor === 'system' ? ledgerTexts.bySystem : actor)

/** `Bởi an123`, `Hệ thống`. */
export const actorWords = (actor: string): string => (actor === 'system' ? ledgerTexts.bySystem : ledgerTexts.by(actor))

export const requestOf = (ref: string): string | null => /^request:(.+)$/.exec(ref)?.[1] ?? null
