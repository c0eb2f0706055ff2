export const LIVE_FEEDS = ['pyth', 'swissquote'] as const
export type LiveFeed = (typeof LIVE_FEEDS)[number]

/**
 * The source of a price: `simulated`, `pyth`, `swissquote` or, for a host that is not the provider's own, the feed with
 * the host, such as `pyth@127.0.0.1:7070`, so that prices of a test server stay apart from real ones.
 */
export type PriceSource = string

export const SIMULATED: PriceSource = 'simulated'

/** The providers' own hosts. An entry is one host or, with a leading dot, all subdomains of that host. */
const OWN_HOSTS: Readonly<Record<LiveFeed, readonly string[]>> = {
  pyth: ['.pyth.network', 'pyth.dourolabs.app'],
  swissquote: ['.swissquote.com'],
}

const isOwnHost = (feed: LiveFeed, host: string): boolean =>
  OWN_HOSTS[feed].some((own) => (own.startsWith('.') ? host.endsWith(own) : host === own))

export const liveSource = (feed: LiveFeed, host: string): PriceSource =>
  isOwnHost(feed, host) ? feed : `${feed}@${host}`

export const isLive = (source: PriceSource): boolean => source !== SIMULATED
