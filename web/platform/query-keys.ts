/**
 * Query keys of which more than one feature knows: what a player's screens last knew is kept by them on the device.
 * `get-config` is the specification's own (spec §9).
 */
export const sharedKeys = {
  me: ['me'],
  config: ['get-config'],
  rounds: ['current-round'],
  bets: ['own-bets'],
  candles: ['candles'],
  market: ['market'],
} as const
