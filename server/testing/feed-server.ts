import { createServer, type ServerResponse } from 'node:http'

const GOLD_AT_PYTH = '765d2ba906dbc32ca17cc11f5310a89e9ee1f6420508c63861f2f8ba4ee34bb2'
const STREAM_EVERY_MS = 400

/** How a feed behaves. */
export interface FeedWeather {
  /** How old quotes are when they are made, in ms; below zero they are stamped in the future. */
  readonly lateMs: number
  /** The factor on the price. */
  readonly factor: number
  /** The content of answers: quotes, garbage, nothing, an error's status, or a connection that is cut. */
  readonly gives: 'quotes' | 'garbage' | 'nothing' | 'cut' | 500 | 401
  /** How long a quote lies before it is sent, in ms. */
  readonly delayMs: number
  /** Whether each quote is sent twice, the second time with another price under the same stamp. */
  readonly isDoubled: boolean
  /** The stamp of every quote, Unix ms; null as time goes by. */
  readonly stampMs: number | null
}

/** What the server has sent, as a reader that knows the protocol understands it. */
export interface SentQuote {
  /** Unix ms. */
  readonly stampMs: number
  readonly leftMs: number
  /** Thousandths of a dollar. */
  readonly price: number
  /** The weather's. */
  readonly factor: number
}

export const FAIR: FeedWeather = {
  ...{ lateMs: 0, factor: 1, gives: 'quotes' },
  ...{ delayMs: 0, isDoubled: false, stampMs: null },
}

/** A server in this process that speaks the protocols of both live price services and behaves as a test sets it. */
export interface FeedServer {
  readonly url: string
  /** Changes its behaviour from now on. */
  set(weather: Partial<FeedWeather>): void
  readonly sent: readonly SentQuote[]
  stop(): Promise<void>
}

/** Thousandths of a dollar at a Unix time in ms: it moves all the time, and never by half a per cent in a minute. */
export const fairPrice = (ms: number): number => 4_000_000 + Math.round(5_000 * Math.sin(ms / 9_000))

export async function startFeedServer(): Promise<FeedServer> {
  let weather = FAIR
  const streams = new Set<ServerResponse>()
  const sent: SentQuote[] = []
  const now = () => {
    const atMs = weather.stampMs ?? Date.now() - weather.lateMs
    const price = Math.round(fairPrice(atMs) * weather.factor)
    return [{ atMs, price }, ...(weather.isDoubled ? [{ atMs, price: price + 7 }] : [])]
  }
  /** Sends when it is due; what is garbage by then, or reaches nobody, is no quote. */
  const send = (of: readonly { readonly atMs: number; readonly price: number }[], write: () => boolean) => {
    const { gives, factor, delayMs } = weather
    setTimeout(() => {
      const leftMs = Date.now()
      if (write() && gives === 'quotes')
        for (const { atMs, price } of of) sent.push({ stampMs: atMs, leftMs, price, factor })
    }, delayMs)
  }
  const cutOff = (text: string) => (weather.gives === 'garbage' ? text.slice(0, -9) : text)

  const server = createServer((request, response) => {
    if (weather.gives === 'cut') return void response.destroy()
    if (weather.gives === 500 || weather.gives === 401) return void response.writeHead(weather.gives).end('{}')
    if (request.url?.startsWith('/v2/updates/price/stream') === true) {
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
    if (weather.gives === 'nothing') return
    if (weather.gives !== 'quotes' && weather.gives !== 'garbage') {
      for (const stream of streams) stream.destroy()
      return
    }
    const quotes = now().map(({ atMs, price }) => ({ atMs: Math.floor(atMs / 1000) * 1000, price }))
    const texts = quotes.map(({ atMs, price }) => {
      const update = {
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
    set: (change) => void (weather = { ...weather, ...change }),
    sent,
    async stop() {
      clearInterval(timer)
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
