import { useState } from 'react'
import { useIsRoomy, useIsWide } from '#web/ui/media-query.ts'
import { useWidth } from '#web/ui/use-width.ts'

/** From this width of the list (in rem) on, a table that overflows scrolls sideways instead of becoming cards. */
const scrollsFromRem = 64

/**
 * Decides between cards and a table: in a narrow list, a table that scrolls sideways would cut amounts at its edge.
 * `columnsKey` identifies the columns on screen, because a width that was measured with other columns does not apply.
 */
export function useTableRoom(columnsKey: string) {
  const [isWindowWide, isWindowRoomy] = [useIsWide(), useIsRoomy()]
  const { ref, width, rem, isMeasured } = useWidth()
  /** The greatest width at which a table overflowed: `roomy` with all columns, `plain` without `needsRoom` columns. */
  const [tooNarrow, setTooNarrow] = useState({ columnsKey, roomy: 0, plain: 0 })
  const limits = tooNarrow.columnsKey === columnsKey ? tooNarrow : { columnsKey, roomy: 0, plain: 0 }
  const room = isMeasured ? width : Number.POSITIVE_INFINITY
  const isRoomy = isWindowRoomy && room > limits.roomy
  return {
    /**
     * If false, the list shows cards: the window is narrower than 768 px, or the list is narrower than `scrollsFromRem`
     * and a table would overflow.
     */
    isWide: isWindowWide && (isRoomy || room > limits.plain || room >= scrollsFromRem * rem),
    isRoomy,
    ref,
    onOverflow: () => {
      const limit = isRoomy ? 'roomy' : 'plain'
      if (isMeasured && limits[limit] < width) setTooNarrow({ ...limits, [limit]: width })
    },
  }
}
