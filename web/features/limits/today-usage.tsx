import type { Minor } from '#domain/money.ts'
import { formatAmount } from '#web/platform/formats.ts'
import { limitsTexts } from './limits-texts.ts'
import { TitledCard } from '#web/ui/titled-card.tsx'
import { classNames } from '#web/ui/class-names.ts'
import type { Limits } from './api.ts'

export function TodayUsage({ limits }: { readonly limits: Limits }) {
  const { netLossTodayMinor } = limits
  return (
    <TitledCard title={limitsTexts.today}>
      <Usage
        id="staked"
        label={limitsTexts.staked}
        usedMinor={limits.stakedTodayMinor}
        limitMinor={limits.dailyStakeMinor}
      />
      {netLossTodayMinor < 0n ? (
        <p className="flex flex-wrap justify-between gap-x-3 text-sm">
          <span className="text-ink-2">{limitsTexts.netWin}</span>
          <span className="font-medium text-up tabular-nums">
            {limitsTexts.points(formatAmount(-netLossTodayMinor))}
          </span>
        </p>
      ) : (
        <Usage id="lost" label={limitsTexts.netLoss} usedMinor={netLossTodayMinor} limitMinor={limits.dailyLossMinor} />
      )}
    </TitledCard>
  )
}

type UsageProps = {
  readonly id: string
  readonly label: string
  readonly usedMinor: Minor
  readonly limitMinor: Minor | null
}

function Usage({ id, label, usedMinor, limitMinor }: UsageProps) {
  // The meter needs a number, but amounts are bigints.
  const percent =
    limitMinor === null ? null : limitMinor === 0n ? 100 : Math.min(100, Number((usedMinor * 100n) / limitMinor))
  return (
    <div className="flex flex-col gap-1.5">
      <p className="flex flex-wrap justify-between gap-x-3 text-sm">
        <span id={id} className="text-ink-2">
          {label}
        </span>
        <span className="font-medium tabular-nums">
          {limitMinor === null
            ? limitsTexts.used(formatAmount(usedMinor))
            : limitsTexts.usedOf(formatAmount(usedMinor), formatAmount(limitMinor))}
        </span>
      </p>
      {percent !== null && (
        <div
          role="meter"
          aria-labelledby={id}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={percent}
          className="h-2 overflow-hidden rounded-pill bg-line"
        >
          <div
            className={classNames('h-full rounded-pill', percent >= 80 ? 'bg-down-fill' : 'bg-gold-fill')}
            style={{ width: `${percent}%` }}
          />
        </div>
      )}
    </div>
  )
}
