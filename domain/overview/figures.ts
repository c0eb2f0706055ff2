/** A range of up to this many hours is shown by hour, a longer one by day. */
export const HOURLY_UP_TO = 48

export const FIGURES_DAYS_MAX = 366

/**
 * Half widths of two bands of chance, in standard deviations. Of a normal distribution, 5 % lie outside `usual`, and
 * 0.1 % outside `rare`.
 */
export const BAND_DEVIATIONS = { usual: 1.96, rare: 3.29 } as const
