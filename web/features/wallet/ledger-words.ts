import { ledgerTexts } from './wallet-texts.ts'

/** The name of a row's actor. The server calls the calendar and the first start `system`. */
export const actorName = (actor: string): string => (actor === 'system' ? ledgerTexts.bySystem : actor)

/** The actor in a row of the list: `Bởi an123`, `Hệ thống`. */
export const actorWords = (actor: string): string => (actor === 'system' ? ledgerTexts.bySystem : ledgerTexts.by(actor))

/** The subject of a row: a bet, a request, or the account itself. */
export type LedgerSubject = { readonly kind: 'bet' | 'request'; readonly id: string } | null

export function subjectOf(ref: string): LedgerSubject {
  const [kind = '', id = ''] = ref.split(':')
  return (kind === 'bet' || kind === 'request') && id !== '' ? { kind, id } : null
}
