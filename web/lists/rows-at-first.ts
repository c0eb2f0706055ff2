import { PAGE_LIMIT_DEFAULT, PAGE_SIZES } from '#contract/limits.ts'
import { remPx } from '#web/ui/use-width.ts'

const rowRem = 2.3125
/** From this window on a list is surely a table, with its controls in one line. */
const tableFromPx = 1280

/**
 * 10, and in a higher window the greatest number of which all are seen without scrolling. `besideRem` is what the
 * screen shows above and beneath the rows; undefined where it scrolls as a whole.
 */
export const rowsThatFit = (heightRem: number, besideRem = Number.POSITIVE_INFINITY): number =>
  Math.max(PAGE_LIMIT_DEFAULT, PAGE_SIZES.findLast((size) => size * rowRem <= heightRem - besideRem) ?? 0)

export const rowsAtFirst = ({ besideRem }: { readonly besideRem?: number }): number =>
  innerWidth < tableFromPx ? PAGE_LIMIT_DEFAULT : rowsThatFit(innerHeight / remPx(), besideRem)
