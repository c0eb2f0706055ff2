/** Keys that several features use, and under which the device keeps data. `get-config` is the name of spec §9. */
export const sharedKeys = {
  me: ['me'],
  config: ['get-config'],
  banks: ['banks'],
  rounds: ['current-round'],
  bets: ['own-bets'],
  candles: ['candles'],
  market: ['market'],
} as const
