import { formatWholeAmount } from '#web/platform/formats.ts'

export type StakeBarProps = {
  readonly upMinor: bigint
  readonly downMinor: bigint
  readonly words: { readonly up: string; readonly down: string }
}

export function StakeBar({ upMinor, downMinor, words }: StakeBarProps) {
  const total = upMinor + downMinor
  const upPercent = total === 0n ? 50 : Number((upMinor * 1000n) / total) / 10
  return (
    <div className="flex flex-col gap-1">
      <div aria-hidden className="flex h-1.5 gap-0.5 overflow-hidden rounded-pill bg-line">
        {total > 0n && (
          <>
            <div className="bg-up-fill" style={{ width: `${upPercent}%` }} />
            <div className="flex-1 bg-down-fill" />
          </>
        )}
      </div>
      <p translate="no" className="flex justify-between text-xs font-medium tabular-nums">
        <span className="text-up">{`${words.up} ▲ ${formatWholeAmount(upMinor)}`}</span>
        <span className="text-down">{`${formatWholeAmount(downMinor)} ▼ ${words.down}`}</span>
      </p>
    </div>
  )
}
