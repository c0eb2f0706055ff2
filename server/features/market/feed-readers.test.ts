import { createServer, type Server, type ServerResponse } from 'node:http'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { FAIR, type FeedServer, type FeedWeather, startFeedServer } from '#testing/machines/feed.ts'
import { quoteFromUpdate, readEvents, readPyth } from './pyth.ts'
import { quoteFromAnswer, readSwissquote } from './swissquote.ts'
import { letTimeFly } from '#testing/time/flying-time.ts'
import type { SignedQuote } from './ticks.ts'

const GOLD = '765d2ba906dbc32ca17cc11f5310a89e9ee1f6420508c63861f2f8ba4ee34bb2'

const update = (change: object = {}): string =>
  JSON.stringify({
    binary: { encoding: 'hex', data: ['504e4155ff'] },
    parsed: [
      { id: 'ab'.repeat(32), price: { price: '1', expo: 0, publish_time: 1 } },
      { id: GOLD, price: { price: '401234567890', conf: '1', expo: -8, publish_time: 1_800_000_000 } },
    ],
    ...change,
  })

describe('an update of Pyth', () => {
  test('gives price, own time and the signed bytes', () => {
    expect(quoteFromUpdate(update())).toEqual({
      price: 4_012_346,
      atMs: 1_800_000_000_000,
      evidence: Buffer.from('504e4155ff', 'hex'),
    })
  })

  test('may be signed in base64, or not at all', () => {
    const signed = update({ binary: { encoding: 'base64', data: [Buffer.from('signed').toString('base64')] } })
    expect(quoteFromUpdate(signed)).toMatchObject({ evidence: Buffer.from('signed') })
    expect(quoteFromUpdate(update({ binary: undefined }))).toMatchObject({ price: 4_012_346, evidence: null })
  })

  test('names the feed with or without 0x', () => {
    const prefixed = update({ parsed: [{ id: `0x${GOLD}`, price: { price: '4', expo: 3, publish_time: 7 } }] })
    expect(quoteFromUpdate(prefixed)).toMatchObject({ price: 4_000_000, atMs: 7_000 })
  })

  test.each([
    ['', 'not JSON'],
    ['{"parsed":[{"id":1,', 'not JSON'],
    ['null', 'not a price update'],
    ['{}', 'not a price update'],
    ['{"parsed":[]}', 'no XAU/USD'],
    [
      JSON.stringify({ parsed: [{ id: GOLD, price: { price: 'NaN', expo: 'x', publish_time: 1 } }] }),
      'not a price update',
    ],
    [JSON.stringify({ parsed: [{ id: GOLD, price: { price: 'NaN', expo: -8, publish_time: 1 } }] }), 'no usable price'],
    [JSON.stringify({ parsed: [{ id: GOLD, price: { price: '-5', expo: 0, publish_time: 1 } }] }), 'no usable price'],
  ])('%s is %s', (text, garbage) => {
    expect(quoteFromUpdate(text)).toEqual({ garbage })
  })
})

describe('a stream of events', () => {
  async function eventsOf(...chunks: string[]): Promise<string[]> {
    async function* body(): AsyncGenerator<Uint8Array> {
      for (const chunk of chunks) yield Buffer.from(chunk, 'latin1')
    }
    const events: string[] = []
    for await (const event of readEvents(body())) events.push(event)
    return events
  }

  test('is reassembled however it was cut', async () => {
    expect(
      await eventsOf('da', 'ta:{"a"', ':1}\r', '\n\r\nda', 'ta: two\n', 'data: lines\n\n', 'data: cut off'),
    ).toEqual(['{"a":1}', 'two\nlines'])
  })

  test('may hold comments and other fields', async () => {
    expect(await eventsOf(':ping\n\nevent: x\nid: 7\ndata: 1\nretry: 5\n\n\n\n')).toEqual(['1'])
  })

  test('is aborted when an event does not end', async () => {
    await expect(eventsOf(...Array.from({ length: 12 }, () => 'x'.repeat(100_000)))).rejects.toThrow(RangeError)
  })
})

describe('an answer of Swissquote', () => {
  const answer = (profiles: object[], ts = 1_800_000_000_123) => ({ topo: {}, spreadProfilePrices: profiles, ts })
  const premium = { spreadProfile: 'premium', bid: 4012.014, ask: 4012.676 }
  const standard = { spreadProfile: 'standard', bid: 4011, ask: 4014 }

  test('gives the middle of the premium profile, at any position', () => {
    const quote = { price: 4_012_345, atMs: 1_800_000_000_123, evidence: null }
    expect(quoteFromAnswer(JSON.stringify([answer([standard, premium])]))).toEqual(quote)
    expect(quoteFromAnswer(JSON.stringify([answer([premium, standard])]))).toEqual(quote)
  })

  test('gives the youngest of several platforms', () => {
    const text = JSON.stringify([answer([premium], 5), answer([premium], 9), answer([standard], 11)])
    expect(quoteFromAnswer(text)).toMatchObject({ atMs: 9 })
  })

  test.each([
    ['<html>', 'not JSON'],
    ['{}', 'not a quote'],
    ['[]', 'no premium price'],
    [JSON.stringify([answer([standard])]), 'no premium price'],
    [JSON.stringify([answer([{ spreadProfile: 'premium', bid: -1, ask: 1 }])]), 'no premium price'],
    [JSON.stringify([answer([{ spreadProfile: 'premium', bid: '4012', ask: 4013 }])]), 'not a quote'],
  ])('%s is %s', (text, garbage) => {
    expect(quoteFromAnswer(text)).toEqual({ garbage })
  })
})

/** A running reader and what it has reported. */
interface Reading {
  readonly quotes: SignedQuote[]
  readonly garbage: string[]
  readonly failures: string[]
  stop(): Promise<void>
}

const readings: Reading[] = []
type Feed = 'pyth' | 'swissquote'
function read(feed: Feed, baseUrl: string, apiKey: string | null = 'secret', silenceMaxMs = 10_000): Reading {
  const stopped = new AbortController()
  const [quotes, garbage, failures]: [SignedQuote[], string[], string[]] = [[], [], []]
  const options = {
    baseUrl,
    signal: stopped.signal,
    onQuote: (quote: SignedQuote) => void quotes.push(quote),
    onGarbage: (reason: string) => void garbage.push(reason),
    onFailure: (reason: string) => void failures.push(reason),
  }
  const work =
    feed === 'pyth' ? readPyth({ ...options, apiKey, silenceMaxMs }) : readSwissquote({ ...options, askEveryMs: 100 })
  const reading = {
    quotes,
    garbage,
    failures,
    async stop() {
      stopped.abort()
      await work
    },
  }
  readings.push(reading)
  return reading
}
const until = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: 10_000, interval: 1 })

let landTime: () => Promise<void>
beforeAll(() => void (landTime = letTimeFly()))
afterAll(() => landTime())
afterEach(async () => {
  for (const reading of readings.splice(0)) await reading.stop()
})

describe('against a server that speaks as the services do', () => {
  let server: FeedServer
  beforeAll(async () => {
    server = await startFeedServer({ key: 'secret' })
  })
  afterAll(() => server.stop())
  afterEach(() => server.set(FAIR))

  test.each<Feed>(['pyth', 'swissquote'])('%s gives quotes of gold of this moment', async (feed) => {
    const { quotes, garbage, failures } = read(feed, server.url)
    await until(() => expect(quotes.length).toBeGreaterThanOrEqual(2))
    for (const { price, atMs, evidence } of quotes) {
      expect(price).toBeGreaterThan(1_000_000)
      expect(price).toBeLessThan(10_000_000)
      expect(Math.abs(Date.now() - atMs)).toBeLessThan(5_000)
      expect(evidence === null).toBe(feed === 'swissquote')
    }
    expect([garbage, failures]).toEqual([[], []])
  })

  test('pyth with a wrong key is refused, and retries with longer pauses', async () => {
    const { quotes, failures } = read('pyth', server.url, 'wrong')
    await until(() => expect(failures.length).toBeGreaterThanOrEqual(2))
    expect(new Set(failures)).toEqual(new Set(['HTTP 401']))
    expect(quotes).toEqual([])
  })

  test('a key is sent only when there is one', async () => {
    const { failures } = read('pyth', server.url, null)
    await until(() => expect(failures).toContain('HTTP 401'))
  })

  test.each<readonly [Feed, FeedWeather['gives'], RegExp]>([
    ['pyth', 'cut', /terminated|closed|reset|fetch failed|aborted/],
    ['pyth', 500, /terminated|closed|reset|fetch failed|aborted|HTTP 500/],
    ['swissquote', 'cut', /closed|reset|fetch failed/],
    ['swissquote', 500, /HTTP 500/],
    ['swissquote', 401, /HTTP 401/],
    ['swissquote', 'garbage', /not JSON/],
  ])('%s survives %s and goes on', async (feed, mode, expected) => {
    const { quotes, failures } = read(feed, server.url)
    await until(() => expect(quotes.length).toBeGreaterThan(0))
    server.set({ gives: mode })
    await until(() => expect(failures.length).toBeGreaterThan(0))
    expect(failures[0]).toMatch(expected)
    server.set(FAIR)
    const before = quotes.length
    await until(() => expect(quotes.length).toBeGreaterThan(before))
  })

  test.each<FeedWeather['gives']>([401, 500, 'garbage'])(
    'pyth that begins with %s goes on when it is over',
    async (mode) => {
      server.set({ gives: mode })
      const { quotes, failures } = read('pyth', server.url)
      await until(() => expect(failures.length).toBeGreaterThan(0))
      expect(failures[0]).toBe(mode === 'garbage' ? 'not an event stream' : `HTTP ${mode}`)
      expect(quotes).toEqual([])
      server.set(FAIR)
      await until(() => expect(quotes.length).toBeGreaterThan(0))
    },
  )

  test('pyth counts garbage within a stream and goes on reading the same one', async () => {
    const { quotes, garbage, failures } = read('pyth', server.url)
    await until(() => expect(quotes.length).toBeGreaterThan(0))
    server.set({ gives: 'garbage' })
    await until(() => expect(garbage.length).toBeGreaterThanOrEqual(2))
    server.set(FAIR)
    const before = quotes.length
    await until(() => expect(quotes.length).toBeGreaterThan(before))
    expect(new Set(garbage)).toEqual(new Set(['not JSON']))
    expect(failures).toEqual([])
  })

  test('pyth opens a stalled stream again', async () => {
    const { quotes, failures } = read('pyth', server.url, 'secret', 900)
    await until(() => expect(quotes.length).toBeGreaterThan(0))
    server.set({ gives: 'stalled' })
    await until(() => expect(failures).toContain('no quote for too long'))
    server.set(FAIR)
    const before = quotes.length
    await until(() => expect(quotes.length).toBeGreaterThan(before))
  })

  test.each<Feed>(['pyth', 'swissquote'])('%s passes old quotes on with their own time', async (feed) => {
    server.set({ lateMs: 3_600_000 })
    const { quotes } = read(feed, server.url)
    await until(() => expect(quotes.length).toBeGreaterThan(0))
    expect(Date.now() - (quotes[0]?.atMs ?? 0)).toBeGreaterThan(3_590_000)
  })
})

describe('a local server', () => {
  let server: Server
  let url: string
  let respond: (response: ServerResponse) => void = () => {}
  let requests = 0
  beforeAll(async () => {
    server = createServer((_, response) => {
      requests++
      respond(response)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    url = typeof address === 'object' && address !== null ? `http://127.0.0.1:${address.port}` : ''
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })

  test('a stream that ends by itself after a quote is opened again at once, and is no failure', async () => {
    respond = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(`data: ${update()}\n\n`)
    }
    const { quotes, failures } = read('pyth', url)
    await until(() => expect(quotes.length).toBeGreaterThanOrEqual(4))
    expect(failures).toEqual([])
  })

  test('a stream that ends without a quote is opened again with growing pauses', async () => {
    respond = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(': nothing\n\n')
    }
    requests = 0
    const { failures } = read('pyth', url)
    await until(() => expect(failures.length).toBeGreaterThanOrEqual(2))
    expect(failures[0]).toBe('the stream ended without a quote')
    expect(requests).toBeLessThan(5)
  })

  test('a request without an answer times out, and stopping does not wait for it', async () => {
    respond = () => {}
    const timeouts = vi.spyOn(AbortSignal, 'timeout').mockImplementationOnce((ms) => {
      const flying = new AbortController()
      setTimeout(() => flying.abort(), ms)
      return flying.signal
    })
    const slow = read('swissquote', url)
    await until(() => expect(slow.failures).toContain('no answer'))
    timeouts.mockRestore()
    const hanging = read('pyth', url)
    const before = performance.now()
    await hanging.stop()
    expect(performance.now() - before).toBeLessThan(500)
  })
})
