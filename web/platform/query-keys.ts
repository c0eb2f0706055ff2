/** Query keys that several features use. The device keeps their data (last-known.ts). `get-config` is from spec §9. */
export const sharedKeys = {
  me: ['me'],
  config: ['get-config'],
  banks: ['banks'],
  rounds: ['current-round'],
  bets: ['own-bets'],
  candles: ['candles'],
  market: ['market'],
} as const
