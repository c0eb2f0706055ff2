export const adminKeys = {
  requests: ['admin', 'requests'],
  /** Which admins have a request's details on screen (rules §3.11). */
  requestViews: ['admin', 'request-views'],
  users: ['admin', 'users'],
  rounds: ['admin', 'rounds'],
  bets: ['admin', 'bets'],
  disputes: ['admin', 'disputes'],
  proposals: ['admin', 'proposals'],
  audit: ['admin', 'audit'],
  overview: ['admin', 'overview'],
  attention: ['admin', 'attention'],
  figures: ['admin', 'figures'],
  system: ['admin', 'system'],
} as const
