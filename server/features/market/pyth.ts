import * as z from 'zod/mini'
import { parseJson } from '#domain/json.ts'
import { priceFromPyth } from '#domain/market/prices.ts'
import { type FeedReaderOptions, pause, reasonOf, retryDelayMs } from './feed-reader.ts'
import type { SignedQuote } from './ticks.ts'

/** Pyth's id of XAU/USD (rules §5.2). */
const FEED_ID = '765d2ba906dbc32ca17cc11f5310a89e9ee1f6420508c63861f2f8ba4ee34bb2'

const SILENCE_MAX_MS = 10_000
const CONNECT_TIMEOUT_MS = 10_000
/** Limit for one unfinished line of the stream, far above the length of a price update. */
const EVENT_MAX_CHARS = 1_000_000

const update = z.object({
  binary: z.optional(z.object({ encoding: z.enum(['hex', 'base64']), data: z.array(z.string()) })),
  parsed: z.array(
    z.object({ id: z.string(), price: z.object({ price: z.string(), expo: z.int(), publish_time: z.int() }) }),
  ),
})

export interface PythOptions extends FeedReaderOptions {
  readonly apiKey: string | null
  readonly silenceMaxMs?: number
}

export function quoteFromUpdate(text: string): SignedQuote | { readonly garbage: string } {
  const json = parseJson(text)
  if (json === undefined) return { garbage: 'not JSON' }
  const parsed = update.safeParse(json)
  if (!parsed.success) return { garbage: 'not a price update' }
  const { binary } = parsed.data
  const feed = parsed.data.parsed.find(({ id }) => id.replace(/^0x/, '') === FEED_ID)
  if (feed === undefined) return { garbage: 'no XAU/USD' }
  const price = priceFromPyth(feed.price.price, feed.price.expo)
  if (price === null) return { garbage: 'no usable price' }
  const signed = binary?.data[0]
  const evidence = signed === undefined || binary === undefined ? null : Buffer.from(signed, binary.encoding)
  return { price, atMs: feed.price.publish_time * 1000, evidence }
}

/**
 * Yields the payload of each event in a stream of server-sent events.
 * @throws RangeError if an unfinished line or event is too long
 */
export async function* readEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  let data: string[] = []
  for await (const chunk of body) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split(/\r?\n/)
    rest = lines.pop() ?? ''
    if (rest.length > EVENT_MAX_CHARS || data.length > 1000) throw new RangeError('an event without end')
    for (const line of lines) {
      if (line.startsWith('data:')) data.push(line.slice(line.startsWith('data: ') ? 6 : 5))
      else if (line === '' && data.length > 0) {
        yield data.join('\n')
        data = []
      }
    }
  }
}

/** Reads Pyth's stream until the signal aborts, and opens it again when it ends. Pauses grow while no quote comes. */
export async function readPyth(options: PythOptions): Promise<void> {
  let failures = 0
  while (!options.signal.aborted) {
    const { quotes, failure } = await readStream(options)
    if (options.signal.aborted) return
    failures = quotes > 0 ? 0 : failures + 1
    if (failure !== null) options.onFailure(failure)
    await pause(retryDelayMs(failures), options.signal)
  }
}

/** Reads one stream until it ends. `failure` is null only if the provider ended the stream after at least one quote. */
async function readStream({
  baseUrl,
  apiKey,
  onQuote,
  onGarbage,
  signal,
  silenceMaxMs = SILENCE_MAX_MS,
}: PythOptions): Promise<{ readonly quotes: number; readonly failure: string | null }> {
  const silence = new AbortController()
  const giveUp = (reason: string): void => silence.abort(new Error(reason))
  let timer = setTimeout(giveUp, CONNECT_TIMEOUT_MS, 'no answer')
  let quotes = 0
  try {
    const response = await fetch(`${baseUrl}/v2/updates/price/stream?ids[]=${FEED_ID}&parsed=true`, {
      headers: { accept: 'text/event-stream', ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }) },
      signal: AbortSignal.any([signal, silence.signal]),
    })
    if (!response.ok || response.body === null) return { quotes, failure: `HTTP ${response.status}` }
    if (response.headers.get('content-type')?.startsWith('text/event-stream') !== true) {
      onGarbage('not an event stream')
      return { quotes, failure: 'not an event stream' }
    }
    for await (const event of readEvents(response.body)) {
      const quote = quoteFromUpdate(event)
      if ('garbage' in quote) onGarbage(quote.garbage)
      else {
        // Only a quote restarts the timer: a stream of comments or garbage is given up and opened again.
        clearTimeout(timer)
        timer = setTimeout(giveUp, silenceMaxMs, 'no quote for too long')
        quotes++
        onQuote(quote)
      }
    }
    return { quotes, failure: quotes > 0 ? null : 'the stream ended without a quote' }
  } catch (error) {
    return { quotes, failure: reasonOf(silence.signal.aborted ? silence.signal.reason : error) }
  } finally {
    clearTimeout(timer)
    silence.abort()
  }
}
