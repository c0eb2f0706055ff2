import { useEffect, useRef, useState } from 'react'
import { ReadAlong, timedPrice } from '#web/ui/read-along.tsx'
import { priceScaleWidth } from './chart-base.ts'
import type { RoundPicture } from './live-round.ts'
import { marketTexts } from './market-texts.ts'
import { createRoundDrawing, type RoundDrawing } from './round-drawing.ts'
import { RoundStatus } from './round-status.tsx'
import { RoundTable } from './round-table.tsx'
import { useMissedTicks } from './use-round-ticks.ts'

export type RoundViewProps = Omit<RoundPicture, 'fetched'> & { readonly isTable: boolean }

export function RoundView({ isTable, ...shown }: RoundViewProps) {
  const picture = { ...shown, fetched: useMissedTicks(shown.round) }
  return (
    <div className="flex h-full flex-col">
      <RoundStatus {...picture} />
      <div className="min-h-0 flex-1">{isTable ? <RoundTable {...picture} /> : <RoundLine {...picture} />}</div>
    </div>
  )
}

function RoundLine({ round, bet, isByPrice, fetched }: RoundPicture) {
  const hostRef = useRef<HTMLDivElement>(null)
  const [drawing, setDrawing] = useState<RoundDrawing>()
  useEffect(() => {
    if (hostRef.current === null) return
    const made = createRoundDrawing(hostRef.current)
    setDrawing(made)
    return made.remove
  }, [])
  useEffect(() => drawing?.show({ round, bet, isByPrice, fetched }), [drawing, round, bet, isByPrice, fetched])
  return (
    <ReadAlong
      label={marketTexts.captions.round}
      xs={() => drawing?.xs() ?? []}
      textOf={(at) => timedPrice(drawing?.points()[at])}
      drawn={{ onRead: (at) => drawing?.read(at), scaleWidth: priceScaleWidth }}
      className="size-full"
    >
      <div ref={hostRef} className="pointer-events-none size-full" />
    </ReadAlong>
  )
}
