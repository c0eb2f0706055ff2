import type { Bet } from '#contract/game.ts'
import { bookEndpoints } from '#contract/book.ts'
import { downloadFile } from '#web/platform/download.ts'
import { refusalOf } from '#web/platform/http.ts'

export type SealableBet = Omit<Bet, 'serverTimeMs'>

const proofPath = (betId: string) => bookEndpoints.readProof.path.replace('{id}', encodeURIComponent(betId))

export type ProofAnswer =
  | { readonly is: 'proof'; readonly text: string }
  /**
   * `unsealed`: the bet is not in the log yet. `outside`: the log does not have the bet's round, or the account has no
   * such bet. `away`: the server did not answer, or refused for another reason.
   */
  | { readonly is: 'unsealed' | 'outside' | 'away' }

/** Fetches the proof that a bet of the player is in the log, as the text that the server sent. */
export async function fetchProof(betId: string): Promise<ProofAnswer> {
  try {
    const options = { refusals: bookEndpoints.readProof.refusals, timeoutMs: 10_000 }
    const file = await downloadFile(proofPath(betId), new AbortController().signal, options)
    return { is: 'proof', text: await file.text() }
  } catch (error) {
    const code = refusalOf<'readProof'>(error)?.code
    if (code === undefined) throw error
    if (code === 'NOT_SEALED_YET') return { is: 'unsealed' }
    return { is: code === 'NOT_IN_BOOK' || code === 'NOT_FOUND' ? 'outside' : 'away' }
  }
}
