import { createServer, type ServerResponse } from 'node:http'

const GOLD_AT_PYTH = '765d2ba906dbc32ca17cc11f5310a89e9ee1f6420508c63861f2f8ba4ee34bb2'
const STREAM_EVERY_MS = 400

/** How a feed behaves. */
export interface FeedWeather {
  /** How old quotes are when they are sent, in ms. */
  readonly lateMs: number
  /** The factor on the price. */
  readonly factor: number
  /** The content of answers: quotes, garbage, or nothing. */
  readonly gives: 'quotes' | 'garbage' | 'nothing'
}

export const FAIR: FeedWeather = { lateMs: 0, factor: 1, gives: 'quotes' }

/** A server in this process that speaks the protocols of both live price services and behaves as a test sets it. */
export interface FeedServer {
  readonly url: string
  /** Changes its behaviour from now on. */
  set(weather: Partial<FeedWeather>): void
  stop(): Promise<void>
}

/** Thousandths of a dollar at a Unix time in ms: it moves all the time, and never by half a per cent in a minute. */
export const fairPrice = (ms: number): number => 4_000_000 + Math.round(5_000 * Math.sin(ms / 9_000))

export async function startFeedServer(): Promise<FeedServer> {
  let weather = FAIR
  const streams = new Set<ServerResponse>()
  const now = () => {
    const atMs = Date.now() - weather.lateMs
    return { atMs, price: Math.round(fairPrice(atMs) * weather.factor) }
  }

  const server = createServer((request, response) => {
    if (request.url?.startsWith('/v2/updates/price/stream') === true) {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
      streams.add(response)
      response.on('close', () => streams.delete(response))
      return
    }
    if (weather.gives === 'nothing') return
    const { atMs, price } = now()
    const premium = { spreadProfile: 'premium', bid: (price - 300) / 1000, ask: (price + 300) / 1000 }
    const answer = JSON.stringify([{ topo: {}, spreadProfilePrices: [premium], ts: atMs }])
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(weather.gives === 'garbage' ? answer.slice(0, -9) : answer)
  })
  const timer = setInterval(() => {
    if (weather.gives === 'nothing') return
    const { atMs, price } = now()
    const update = {
      parsed: [{ id: GOLD_AT_PYTH, price: { price: String(price), expo: -3, publish_time: Math.floor(atMs / 1000) } }],
    }
    const text = JSON.stringify(update)
    for (const stream of streams) stream.write(`data: ${weather.gives === 'garbage' ? text.slice(0, -9) : text}\n\n`)
  }, STREAM_EVERY_MS)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('The feed server has no address.')

  return {
    url: `http://127.0.0.1:${address.port}`,
    set: (change) => void (weather = { ...weather, ...change }),
    async stop() {
      clearInterval(timer)
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
