import { type RefCallback, useState } from 'react'
import { useIsRoomy, useIsWide } from '#web/ui/media-query.ts'
import { useWidth } from '#web/ui/use-width.ts'

export type TableRoom = {
  /** Cards below 768 px, and where a table would be wider than its room. */
  readonly isWide: boolean
  readonly isRoomy: boolean
  readonly ref: RefCallback<HTMLDivElement>
  readonly onOverflow: () => void
}

/** From this room on, in rem, a table scrolls sideways instead, as with columns that were chosen for it. */
const scrollsFromRem = 64

/**
 * A table that scrolls sideways would cut amounts at its edge. `columnsKey` names the columns on screen: others have
 * another width.
 */
export function useTableRoom(columnsKey: string): TableRoom {
  const [isWindowWide, isWindowRoomy] = [useIsWide(), useIsRoomy()]
  const { ref, width, rem, isMeasured } = useWidth()
  /** The widest rooms in which the table with all and the one with the important columns did not fit. */
  const [tooNarrow, setTooNarrow] = useState({ columnsKey, roomy: 0, plain: 0 })
  const limits = tooNarrow.columnsKey === columnsKey ? tooNarrow : { columnsKey, roomy: 0, plain: 0 }
  const room = isMeasured ? width : Number.POSITIVE_INFINITY
  const isRoomy = isWindowRoomy && room > limits.roomy
  return {
    isWide: isWindowWide && (isRoomy || room > limits.plain || room >= scrollsFromRem * rem),
    isRoomy,
    ref,
    onOverflow: () => {
      const limit = isRoomy ? 'roomy' : 'plain'
      if (isMeasured && limits[limit] < width) setTooNarrow({ ...limits, [limit]: width })
    },
  }
}
