/** A range of up to this many hours is shown by hour, a longer one by day. */
export const HOURLY_UP_TO = 48

export const FIGURES_DAYS_MAX = 366

/**
 * Widths of the bands around the expectation, in standard deviations. Chance alone leaves the band `usual` in 5 % and
 * the band `rare` in 0.1 % of cases (quantiles of the normal distribution).
 */
export const BAND_DEVIATIONS = { usual: 1.96, rare: 3.29 } as const
