/**
 * Query keys that more than one feature uses. The device keeps the last data of a player's screens under these keys.
 * `get-config` is the specification's own name (spec §9).
 */
export const sharedKeys = {
  me: ['me'],
  config: ['get-config'],
  banks: ['banks'],
  rounds: ['current-round'],
  bets: ['own-bets'],
  candles: ['candles'],
  market: ['market'],
} as const
