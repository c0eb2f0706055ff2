import { PAGE_LIMIT_DEFAULT, PAGE_SIZES } from '#contract/limits.ts'
import { remPx } from '#web/ui/use-width.ts'

const rowRem = 2.3125
/** In a window narrower than this, a list begins with ten rows (rules §6.1). */
const tableFromPx = 1280

/**
 * Returns the greatest page size whose rows all fit into the height, but at least 10. `besideRem` is the height of
 * everything above and below the rows; without `besideRem` the result is 10.
 */
export const rowsThatFit = (heightRem: number, besideRem = Number.POSITIVE_INFINITY): number =>
  Math.max(PAGE_LIMIT_DEFAULT, PAGE_SIZES.findLast((size) => size * rowRem <= heightRem - besideRem) ?? 0)

export const rowsAtFirst = ({ besideRem }: { readonly besideRem?: number }): number =>
  innerWidth < tableFromPx ? PAGE_LIMIT_DEFAULT : rowsThatFit(innerHeight / remPx(), besideRem)
