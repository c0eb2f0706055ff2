import { PAGE_LIMIT_DEFAULT, PAGE_SIZES } from '#contract/limits.ts'
import { remPx } from '#web/ui/use-width.ts'

const rowRem = 2.3125
/** From this window width on, every list is a table with its filters in one line. */
const tableFromPx = 1280

/**
 * Returns 10, or in a higher window the greatest page size whose rows all fit without scrolling. `besideRem` is the
 * height of everything above and beneath the rows; undefined if the screen scrolls as a whole.
 */
export const rowsThatFit = (heightRem: number, besideRem = Number.POSITIVE_INFINITY): number =>
  Math.max(PAGE_LIMIT_DEFAULT, PAGE_SIZES.findLast((size) => size * rowRem <= heightRem - besideRem) ?? 0)

export const rowsAtFirst = ({ besideRem }: { readonly besideRem?: number }): number =>
  innerWidth < tableFromPx ? PAGE_LIMIT_DEFAULT : rowsThatFit(innerHeight / remPx(), besideRem)
