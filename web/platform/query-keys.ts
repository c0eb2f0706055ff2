/** Query keys whose data last-known.ts keeps on the device. `get-config` is from spec §9.2. */
export const sharedKeys = {
  me: ['me'],
  config: ['get-config'],
  banks: ['banks'],
  rounds: ['current-round'],
  bets: ['own-bets'],
  candles: ['candles'],
  market: ['market'],
} as const
