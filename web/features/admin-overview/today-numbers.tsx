import { useQuery } from '@tanstack/react-query'
import type { FiguresBucket } from '#contract/overview-figures.ts'
import { formatCount, formatSignedAmount, formatWholeAmount } from '#web/platform/formats.ts'
import { serverNowMs } from '#web/platform/server-time.ts'
import { Card } from '#web/ui/card.tsx'
import { adminOverviewTexts as texts } from './admin-overview-texts.ts'
import { figuresQuery } from './api.ts'
import { lastDays } from './range.ts'

const numbers: ReadonlyArray<{
  readonly label: string
  readonly textOf: (day: FiguresBucket) => string
  readonly valueOf: (day: FiguresBucket) => number
}> = [
  { label: texts.betsToday, textOf: ({ bets }) => formatCount(bets), valueOf: ({ bets }) => bets },
  {
    label: texts.stakedToday,
    textOf: ({ stakedMinor }) => formatWholeAmount(stakedMinor),
    valueOf: ({ stakedMinor }) => Number(stakedMinor),
  },
  {
    label: texts.net,
    textOf: ({ netMinor }) => formatSignedAmount(netMinor),
    valueOf: ({ netMinor }) => Number(netMinor),
  },
  { label: texts.playersToday, textOf: ({ active }) => formatCount(active), valueOf: ({ active }) => active },
]

/** Four figures of today, each beside seven bars for the last seven days (rules §6.13). */
export function TodayNumbers() {
  const range = lastDays(7, serverNowMs())
  const { data } = useQuery(figuresQuery(range))
  const today = data?.buckets.at(-1)
  const yesterday = data?.buckets.at(-2)
  return (
    <div className="grid grid-cols-2 gap-2 md:gap-3 lg:grid-cols-4">
      {numbers.map(({ label, textOf, valueOf }) => (
        <Card key={label} className="p-3!">
          <dl className="flex flex-col gap-0.5">
            <dt className="text-xs text-ink-3">{label}</dt>
            <dd className="flex min-h-7 items-end justify-between gap-2">
              <span translate="no" className="text-lg font-semibold tracking-tight tabular-nums">
                {today === undefined ? '–' : textOf(today)}
              </span>
              {data !== undefined && <Days values={data.buckets.map(valueOf)} />}
            </dd>
            <dd className="text-xs text-ink-2 tabular-nums">
              {yesterday === undefined ? '\u00a0' : texts.yesterday(textOf(yesterday))}
            </dd>
          </dl>
        </Card>
      ))}
    </div>
  )
}

const step = 6
const height = 20

/** Draws a bar for each day. Bars of negative values hang below the zero line. */
function Days({ values }: { readonly values: readonly number[] }) {
  const highest = Math.max(0, ...values)
  const lowest = Math.min(0, ...values)
  const scale = height / (highest - lowest || 1)
  return (
    <svg aria-hidden width={step * values.length - 2} height={height} className="mb-1 shrink-0">
      {values.map((value, at) => (
        <rect
          // The key is the index, because a day has no identity but its place in the range.
          // oxlint-disable-next-line react/no-array-index-key -- see above
          key={at}
          x={at * step}
          width={step - 2}
          y={(highest - Math.max(0, value)) * scale}
          height={Math.max(1, Math.abs(value) * scale)}
          className={at === values.length - 1 ? 'fill-gold-fill' : 'fill-line-strong'}
        />
      ))}
    </svg>
  )
}
