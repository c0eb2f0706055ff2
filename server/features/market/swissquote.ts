import * as z from 'zod/mini'
import { parseJson } from '#domain/json.ts'
import { midPrice } from '#domain/market/prices.ts'
import { type FeedReaderOptions, pause, reasonOf, retryDelayMs } from './feed-reader.ts'
import type { SignedQuote } from './ticks.ts'

const ASK_EVERY_MS = 1_000
const TIMEOUT_MS = 2_000
const PROFILE = 'premium'

export interface SwissquoteOptions extends FeedReaderOptions {
  readonly askEveryMs?: number
}

const answer = z.array(
  z.object({
    spreadProfilePrices: z.array(z.object({ spreadProfile: z.string(), bid: z.number(), ask: z.number() })),
    ts: z.int(),
  }),
)

/** Returns the newest quote of the profile `premium` (rules §5.3). */
export function quoteFromAnswer(text: string): SignedQuote | { readonly garbage: string } {
  const json = parseJson(text)
  if (json === undefined) return { garbage: 'not JSON' }
  const parsed = answer.safeParse(json)
  if (!parsed.success) return { garbage: 'not a quote' }
  const quotes = parsed.data.flatMap(({ spreadProfilePrices, ts }) => {
    const profile = spreadProfilePrices.find(({ spreadProfile }) => spreadProfile === PROFILE)
    // The prices are passed as decimal texts, so that the middle is computed without floating-point errors.
    const price = profile === undefined ? null : midPrice(String(profile.bid), String(profile.ask))
    return price === null ? [] : [{ price, atMs: ts, evidence: null }]
  })
  return quotes.toSorted((a, b) => b.atMs - a.atMs)[0] ?? { garbage: `no ${PROFILE} price` }
}

/** Requests a quote every second until the signal aborts, less often while requests fail (rules §5.3). */
export async function readSwissquote(options: SwissquoteOptions): Promise<void> {
  const { askEveryMs = ASK_EVERY_MS } = options
  let failures = 0
  let nextAt = performance.now()
  while (!options.signal.aborted) {
    const failed = await ask(options)
    if (options.signal.aborted) return
    failures = failed === null ? 0 : failures + 1
    if (failed !== null) options.onFailure(failed)
    nextAt = Math.max(nextAt + askEveryMs, performance.now() + (failures > 1 ? retryDelayMs(failures) : 0))
    await pause(nextAt - performance.now(), options.signal)
  }
}

async function ask({ baseUrl, onQuote, onGarbage, signal }: FeedReaderOptions): Promise<string | null> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  try {
    const response = await fetch(`${baseUrl}/public-quotes/bboquotes/instrument/XAU/USD`, {
      signal: AbortSignal.any([signal, timeout]),
    })
    if (!response.ok) {
      await response.body?.cancel()
      return `HTTP ${response.status}`
    }
    const quote = quoteFromAnswer(await response.text())
    if ('garbage' in quote) {
      onGarbage(quote.garbage)
      return quote.garbage
    }
    onQuote(quote)
    return null
  } catch (error) {
    return timeout.aborted ? 'no answer' : reasonOf(error)
  }
}
