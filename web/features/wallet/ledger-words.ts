import { ledgerTexts } from './wallet-texts.ts'

/** The label of a row's actor. The server names the calendar and the first start `system`. */
export const actorWords = (actor: string): string => (actor === 'system' ? ledgerTexts.bySystem : actor)

/** The subject of a row: a bet, a request, or the account itself. */
export type LedgerSubject = { readonly kind: 'bet' | 'request'; readonly id: string } | null

export function subjectOf(ref: string): LedgerSubject {
  const [kind = '', id = ''] = ref.split(':')
  return (kind === 'bet' || kind === 'request') && id !== '' ? { kind, id } : null
}
