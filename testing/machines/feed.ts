import { createServer, type ServerResponse } from 'node:http'

const GOLD_AT_PYTH = '765d2ba906dbc32ca17cc11f5310a89e9ee1f6420508c63861f2f8ba4ee34bb2'
const STREAM_EVERY_MS = 400

/** How a feed behaves. */
export interface FeedWeather {
  /** How old quotes are when they are made, in ms; below zero they are stamped in the future. */
  readonly lateMs: number
  /** The factor on the price. */
  readonly factor: number
  /**
   * The content of answers: quotes, garbage, nothing, an error's status, or a connection that is cut. While it has
   * stalled, streams stay silent and requests get the price and stamp of the moment when it did.
   */
  readonly gives: 'quotes' | 'garbage' | 'nothing' | 'stalled' | 'cut' | 500 | 401
  /** How long a quote is held back before it is sent, in ms. */
  readonly delayMs: number
  /** Whether each quote is sent twice, the second time with another price under the same stamp. */
  readonly isDoubled: boolean
  /** The stamp of every quote, Unix ms; null for the running time. */
  readonly stampMs: number | null
}

/** A quote that the server has sent, as a reader that knows the protocol understands it. */
export interface SentQuote {
  /** Unix ms. */
  readonly stampMs: number
  readonly leftMs: number
  /** Thousandths of a dollar. */
  readonly price: number
  /** The factor of the weather at that time. */
  readonly factor: number
}

export const FAIR: FeedWeather = {
  ...{ lateMs: 0, factor: 1, gives: 'quotes' },
  ...{ delayMs: 0, isDoubled: false, stampMs: null },
}

/** A server in this process that speaks the protocols of both live price services and of the coins' list, and behaves as a test sets it. */
export interface FeedServer {
  readonly url: string
  /** Changes its behaviour from now on. */
  set(weather: Partial<FeedWeather>): void
  readonly sent: readonly SentQuote[]
  stop(): Promise<void>
}

/** Thousandths of a dollar at a Unix time in ms: it moves all the time, and never by half a per cent in a minute. */
export const fairPrice = (ms: number): number => 4_000_000 + Math.round(5_000 * Math.sin(ms / 9_000))

/** Coins as CoinGecko lists them: rising, falling, still and without a change. */
const COINS = [
  { id: 'bitcoin', symbol: 'btc', name: 'Bitcoin', current_price: 97_412.5, price_change_percentage_24h: 1.234_56 },
  { id: 'ethereum', symbol: 'eth', name: 'Ethereum', current_price: 3_651.2, price_change_percentage_24h: -0.98 },
  { id: 'tether', symbol: 'usdt', name: 'Tether', current_price: 1, price_change_percentage_24h: 0 },
  { id: 'shiba-inu', symbol: 'shib', name: 'Shiba Inu', current_price: 0.000_009_8, price_change_percentage_24h: null },
].map((coin, index) => ({ ...coin, market_cap_rank: index + 1 }))

/**
 * @param key the key that Pyth's streams require; without it every caller is let in
 * @param clockShiftMs the difference of its clock from the machine's
 */
export async function startFeedServer({
  key = null,
  clockShiftMs = 0,
}: { readonly key?: string | null; readonly clockShiftMs?: number } = {}): Promise<FeedServer> {
  const clock = () => Date.now() + clockShiftMs
  let weather = FAIR
  let stalledAtMs = 0
  const streams = new Set<ServerResponse>()
  const sent: SentQuote[] = []
  const now = () => {
    const atMs = weather.stampMs ?? (weather.gives === 'stalled' ? stalledAtMs : clock()) - weather.lateMs
    const price = Math.round(fairPrice(atMs) * weather.factor)
    return [{ atMs, price }, ...(weather.isDoubled ? [{ atMs, price: price + 7 }] : [])]
  }
  /** Sends the quote when it is due; one that is garbage by then, or reaches nobody, is not recorded as sent. */
  const send = (of: readonly { readonly atMs: number; readonly price: number }[], write: () => boolean) => {
    const { gives, factor, delayMs } = weather
    setTimeout(() => {
      const leftMs = clock()
      if (write() && gives === 'quotes')
        for (const { atMs, price } of of) sent.push({ stampMs: atMs, leftMs, price, factor })
    }, delayMs)
  }
  const cutOff = (text: string) => (weather.gives === 'garbage' ? text.slice(0, -9) : text)

  const server = createServer((request, response) => {
    if (weather.gives === 'cut') return void response.destroy()
    if (weather.gives === 500 || weather.gives === 401) return void response.writeHead(weather.gives).end('{}')
    const { url = '/', headers } = request
    if (url.startsWith('/api/v3/coins/markets'))
      return void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(COINS))
    if (url.startsWith('/v2/updates/price/stream')) {
      if (key !== null && headers.authorization !== `Bearer ${key}`) return void response.writeHead(401).end('{}')
      if (weather.gives === 'garbage')
        return void response.writeHead(200, { 'content-type': 'application/json' }).end('{"parsed":')
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
      streams.add(response)
      response.on('close', () => streams.delete(response))
      return
    }
    if (weather.gives === 'nothing') return
    // One answer has one quote.
    const [quote] = now().slice(-1)
    if (quote === undefined) return
    const { atMs, price } = quote
    const premium = { spreadProfile: 'premium', bid: (price - 300) / 1000, ask: (price + 300) / 1000 }
    const answer = cutOff(JSON.stringify([{ topo: {}, spreadProfilePrices: [premium], ts: atMs }]))
    response.writeHead(200, { 'content-type': 'application/json' })
    send([quote], () => response.end(answer).writableEnded && !response.destroyed)
  })
  const timer = setInterval(() => {
    if (weather.gives === 'nothing' || weather.gives === 'stalled') return
    if (weather.gives !== 'quotes' && weather.gives !== 'garbage') {
      for (const stream of streams) stream.destroy()
      return
    }
    const quotes = now().map(({ atMs, price }) => ({ atMs: Math.floor(atMs / 1000) * 1000, price }))
    const texts = quotes.map(({ atMs, price }) => {
      const update = {
        // The signed bytes, which begin with "PNAU".
        binary: { encoding: 'hex', data: [`504e4155${BigInt(atMs).toString(16).padStart(16, '0')}`] },
        parsed: [{ id: GOLD_AT_PYTH, price: { price: String(price), expo: -3, publish_time: atMs / 1000 } }],
      }
      return `data: ${cutOff(JSON.stringify(update))}\n\n`
    })
    send(quotes, () => {
      for (const stream of streams) stream.write(texts.join(''))
      return streams.size > 0
    })
  }, STREAM_EVERY_MS)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('The feed server has no address.')

  return {
    url: `http://127.0.0.1:${address.port}`,
    set(change) {
      if (change.gives === 'stalled') stalledAtMs = clock()
      weather = { ...weather, ...change }
    },
    sent,
    async stop() {
      clearInterval(timer)
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
