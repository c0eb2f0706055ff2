/* Limits of the API, and constants of spec §9 other than the rules of the game (those are in domain/game). */

export const CREDIT_SCORE_MAX = 100
export const CREDIT_SCORE_RED_BELOW = 90
export const CREDIT_SCORE_FALLBACK = 10
export const VIP_MAX = 10
export const SEARCH_DEBOUNCE_MS = 500
export const REFRESH_AFTER_COUNTDOWN_MS = 1_000
export const MARKET_REFRESH_MS = 60_000
export const PAGE_LIMIT_DEFAULT = 10
export const PAGE_LIMIT_MAX = 100
export const PAGE_SIZES = [6, 10, 20, 30, 40, 50] as const
export const TOTAL_COUNTED_TO = 10_000
/** Sums over a list of rounds cover at most this many rounds, because summing reads the bets of each round. */
export const ROUNDS_SUMMED_TO = 1_000
export const BODY_LIMIT_BYTES = 64 * 1024
export const IDEMPOTENCY_KEY_MAX = 128
export const SESSION_DAYS = 7
export const SOCKET_RECONNECT_ATTEMPTS = 5
export const SOCKET_RECONNECT_MIN_MS = 1_000
export const SOCKET_RECONNECT_MAX_MS = 5_000
export const SOCKET_TIMEOUT_MS = 20_000
export const SOCKET_FRAME_BYTES = 64 * 1024

/** Which admins have to prove a second factor (rules §4.10): none, those who have added a factor, or all. */
export const SECOND_FACTOR_MODES = ['off', 'optional', 'required'] as const
export type SecondFactorMode = (typeof SECOND_FACTOR_MODES)[number]
