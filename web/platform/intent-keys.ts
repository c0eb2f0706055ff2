import { mayBeDone, newIdempotencyKey } from './http.ts'

/**
 * Returns a function that sends acts with an Idempotency-Key (rules §3.5). If no answer comes, or a 408 or 5xx, the
 * server may have executed the act. In that case, if the next `intent` is equal (compared as JSON), the same key is
 * sent again, so that the server does not execute the act twice. Keep the returned function between renders: a new
 * function sends a new key.
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
      if (!mayBeDone(error)) settle()
      throw error
    }
  }
}
