import { newIdempotencyKey } from './http.ts'
import { isRetryable } from './query-client.ts'

/**
 * One Idempotency-Key for one intent of a person, however often it is tried (rules §3): a money act whose answer got
 * lost may have happened, and the same act tried again must not happen twice.
 */
export type IntentKeys = {
  /** The key of an intent: the one used before while no answer to the same one came, else a fresh one. */
  readonly keyFor: (intent: string) => string
  /** The server has answered: the same again is a new intent. A failure without an answer keeps the key. */
  readonly settle: (error?: unknown) => void
}

export function createIntentKeys(): IntentKeys {
  let unanswered: { readonly intent: string; readonly key: string } | undefined
  return {
    keyFor(intent) {
      if (unanswered?.intent !== intent) unanswered = { intent, key: newIdempotencyKey() }
      return unanswered.key
    },
    settle(error) {
      if (error === undefined || !isRetryable(error)) unanswered = undefined
    },
  }
}
