import type { Coin } from '#contract/market.ts'

/** Coins shown as a sample until the first list is fetched (rules §5.7). The prices are of no particular day. */
const SAMPLE: ReadonlyArray<readonly [id: string, symbol: string, name: string, priceUsd: number]> = [
  ['bitcoin', 'btc', 'Bitcoin', 97_500],
  ['ethereum', 'eth', 'Ethereum', 3_650],
  ['tether', 'usdt', 'Tether', 1],
  ['ripple', 'xrp', 'XRP', 2.4],
  ['binancecoin', 'bnb', 'BNB', 905],
  ['solana', 'sol', 'Solana', 185],
  ['usd-coin', 'usdc', 'USDC', 1],
  ['tron', 'trx', 'TRON', 0.29],
  ['dogecoin', 'doge', 'Dogecoin', 0.19],
  ['cardano', 'ada', 'Cardano', 0.62],
  ['staked-ether', 'steth', 'Lido Staked Ether', 3_648],
  ['wrapped-bitcoin', 'wbtc', 'Wrapped Bitcoin', 97_450],
  ['hyperliquid', 'hype', 'Hyperliquid', 41],
  ['chainlink', 'link', 'Chainlink', 16.2],
  ['bitcoin-cash', 'bch', 'Bitcoin Cash', 505],
  ['stellar', 'xlm', 'Stellar', 0.28],
  ['leo-token', 'leo', 'LEO Token', 9.4],
  ['litecoin', 'ltc', 'Litecoin', 98],
  ['avalanche-2', 'avax', 'Avalanche', 18.1],
  ['shiba-inu', 'shib', 'Shiba Inu', 0.000_009_8],
]

export const SAMPLE_COINS: Coin[] = SAMPLE.map(([id, symbol, name, priceUsd], index) => ({
  id,
  symbol,
  name,
  rank: index + 1,
  priceUsd,
  change24hPercent: null,
  weekShape: [],
}))
