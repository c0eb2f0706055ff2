import type { BookAnswer } from './book-source.ts'

interface HttpAnswer {
  readonly status: number
  readonly headers: { readonly get: (name: string) => string | null }
  readonly arrayBuffer: () => Promise<ArrayBuffer>
}

interface HttpTools {
  readonly send: (path: string) => Promise<HttpAnswer>
  readonly wait: (ms: number) => Promise<unknown>
}

export const ANSWERED_MS = 20_000
/** The statuses by which a host counts as away; 0 stands for no answer. */
const AWAY = [0, 502, 503, 504]
const WAITS_MS = [250, 1_000, 4_000]
const LONGEST_WAIT_MS = 60_000
const MOST_LIMITED = 100

/**
 * Gets a path of a log's host. A host that is away is asked up to three more times, a host that answers 429 up to 100
 * more times. If the last call had no answer, the promise rejects with that call's error.
 */
export const patientGet =
  ({ send, wait }: HttpTools) =>
  async (path: string): Promise<BookAnswer> => {
    for (let [tries, limited] = [0, 0]; ;) {
      const { error, status, bytes, retryAfterMs } = await ask(send, path)
      const isLimited = status === 429 && limited++ < MOST_LIMITED
      const waitMs = isLimited ? 1_000 : AWAY.includes(status) ? WAITS_MS[tries++] : undefined
      if (waitMs !== undefined) await wait(Math.min(LONGEST_WAIT_MS, retryAfterMs ?? waitMs))
      else if (status === 0) throw error
      else return { status, bytes }
    }
  }

async function ask(send: HttpTools['send'], path: string) {
  try {
    const answer = await send(path)
    const seconds = Number(answer.headers.get('retry-after') ?? Number.NaN)
    const bytes = new Uint8Array(await answer.arrayBuffer())
    const retryAfterMs = Number.isFinite(seconds) ? seconds * 1_000 : null
    return { error: null, status: answer.status, bytes, retryAfterMs }
  } catch (error) {
    return { error, status: 0, bytes: new Uint8Array(), retryAfterMs: null }
  }
}
