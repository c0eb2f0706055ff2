/** Query keys of the back office, so that a hint about one list refreshes every screen that shows it. */
export const adminKeys = {
  requests: ['admin', 'requests'],
  users: ['admin', 'users'],
  rounds: ['admin', 'rounds'],
  bets: ['admin', 'bets'],
  disputes: ['admin', 'disputes'],
  audit: ['admin', 'audit'],
  overview: ['admin', 'overview'],
} as const
