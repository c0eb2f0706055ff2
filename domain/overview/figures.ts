/** A range of up to this many hours is told hour by hour, a longer one day by day. */
export const HOURLY_UP_TO = 48

/** The longest range of the overview's figures, in days: a year and a day. */
export const FIGURES_DAYS_MAX = 366

/**
 * How often chance alone leaves the band of so many standard deviations around what is expected: 5 %, and one in a
 * thousand (quantiles of the normal distribution).
 */
export const BAND_DEVIATIONS = { usual: 1.96, rare: 3.29 } as const
