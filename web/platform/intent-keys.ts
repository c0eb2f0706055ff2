import { newIdempotencyKey } from './http.ts'
import { isRetryable } from './query-client.ts'

/**
 * Creates a function that sends acts which move points, each with its Idempotency-Key (rules §3). An attempt without an
 * answer may have been executed, so the same intent, compared as JSON, keeps its key until the server has answered. The
 * caller has to keep the function: one that is created in each render would send a second act.
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
