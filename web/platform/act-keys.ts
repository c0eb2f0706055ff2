import { newIdempotencyKey } from './http.ts'

/**
 * Makes the function that gives an act its Idempotency-Key: the same one while the same act is tried again, since
 * nobody knows whether an attempt without an answer was done; a new one for anything else (rules §3).
 */
export function makeActKeys(): (act: unknown) => string {
  let last: { readonly act: string; readonly key: string } | undefined
  return (act) => {
    const text = JSON.stringify(act, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value))
    if (last?.act !== text) last = { act: text, key: newIdempotencyKey() }
    return last.key
  }
}
