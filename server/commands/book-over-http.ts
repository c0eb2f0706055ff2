import { setTimeout as sleep } from 'node:timers/promises'
import type { BookAnswer } from '#domain/book/book-source.ts'

const TIMEOUT_MS = 20_000
/** Waits before a call is tried again, where the host gave none. */
const WAITS_MS = [250, 1_000, 4_000]
const LONGEST_WAIT_MS = 60_000
/** How often a host that limits its callers is asked again. */
const MOST_LIMITED = 100

/** The host gave no answer; the message is one line for the person who named it. */
export class HostAwayError extends Error {
  override readonly name = 'HostAwayError'
}

/**
 * Reads a log from a host (docs/open-book.md §1). A host that is away or busy is asked three times more, one that
 * limits its callers as often as it takes.
 * @param base such as `https://example.com`, without a slash at its end
 */
export const bookOverHttp =
  (base: string) =>
  async (path: string): Promise<BookAnswer> => {
    for (let [tries, limited] = [0, 0]; ;) {
      const answer = await ask(`${base}${path}`)
      if (typeof answer !== 'string' && answer.status === 429 && limited++ < MOST_LIMITED) {
        await sleep(Math.min(LONGEST_WAIT_MS, answer.retryAfterMs ?? 1_000))
        continue
      }
      const wait = WAITS_MS[tries++]
      if (typeof answer !== 'string' && ![502, 503, 504].includes(answer.status)) return answer
      if (wait === undefined) {
        if (typeof answer !== 'string') return answer
        throw new HostAwayError(`${base} does not answer: ${answer}`)
      }
      await sleep(typeof answer === 'string' ? wait : Math.min(LONGEST_WAIT_MS, answer.retryAfterMs ?? wait))
    }
  }

/** The answer, or why there is none. */
async function ask(url: string): Promise<(BookAnswer & { readonly retryAfterMs: number | null }) | string> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) })
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
    return {
      status: response.status,
      bytes: new Uint8Array(await response.arrayBuffer()),
      retryAfterMs: Number.isFinite(seconds) ? seconds * 1_000 : null,
    }
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error
    return cause instanceof Error ? cause.message : String(cause)
  }
}
