import { ledgerTexts } from './wallet-texts.ts'

/** Who did it, as it is read. The server says `system` for the calendar and the first start. */
export const actorWords = (actor: string): string => (actor === 'system' ? ledgerTexts.bySystem : actor)

/** What a row belongs to: a bet, a request, or the account itself. */
export type LedgerSubject = { readonly kind: 'bet' | 'request'; readonly id: string } | null

export function subjectOf(ref: string): LedgerSubject {
  const [kind = '', id = ''] = ref.split(':')
  return (kind === 'bet' || kind === 'request') && id !== '' ? { kind, id } : null
}
