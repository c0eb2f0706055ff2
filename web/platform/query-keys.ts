/**
 * Query keys that more than one feature uses: the last data of a player's screens is kept on the device under them.
 * `get-config` is the specification's own (spec §9).
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
