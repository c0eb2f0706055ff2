import { newIdempotencyKey } from './http.ts'
import { isRetryable } from './query-client.ts'

/**
 * Creates a function that sends acts which move points, each with an Idempotency-Key (rules §3). After a timeout, a 408
 * or a 5xx the act may have been executed all the same, so if the next intent is the same, compared as JSON, it is sent
 * with the same key. The caller has to keep the function between renders, because a new function would use a new key
 * and the act could be executed twice.
 */
export function createIntentKeys() {
  let unanswered: { readonly intent: string; readonly key: string } | undefined
  return async <Answer>(intent: unknown, send: (idempotencyKey: string) => Promise<Answer>): Promise<Answer> => {
    const text = JSON.stringify(intent, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value))
    if (unanswered?.intent !== text) unanswered = { intent: text, key: newIdempotencyKey() }
    const { key } = unanswered
    const settle = () => {
      if (unanswered?.key === key) unanswered = undefined
    }
    try {
      const answer = await send(key)
      settle()
      return answer
    } catch (error) {
      if (!isRetryable(error)) settle()
      throw error
    }
  }
}
