import { type RefObject, useMemo, useState } from 'react'
import { useWidth } from '#web/ui/use-width.ts'
import { focusedRowId } from './shortcuts.ts'
import type { RowKeys } from './use-list-shortcuts.tsx'

/** From this width of the list (in rem) on, details open beside the list. */
const besideFromRem = 81

type DetailsBesideOptions<Row> = Pick<RowKeys<Row>, 'onOpen'> & {
  readonly listRef: RefObject<HTMLElement | null>
  readonly rows: readonly Row[]
  readonly rowId: (row: Row) => string
}

export function useDetailsBeside<Row>({ listRef, rows, rowId, onOpen }: DetailsBesideOptions<Row>) {
  const { ref, width, rem, isMeasured } = useWidth()
  const [place, setPlace] = useState<HTMLElement | null>(null)
  const [openId, setOpenId] = useState<string>()
  return {
    ref,
    openId,
    room: useMemo(() => (place === null ? null : { place, onShow: setOpenId }), [place]),
    follow: () => {
      const id = openId === undefined ? undefined : focusedRowId(listRef.current)
      const row = id === openId ? undefined : rows.find((one) => rowId(one) === id)
      if (row !== undefined) onOpen?.run(row)
    },
    aside: onOpen !== undefined && isMeasured && width >= besideFromRem * rem && (
      <div ref={setPlace} className="flex min-h-0 flex-col empty:hidden" />
    ),
  }
}
