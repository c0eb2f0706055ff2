import { formatAmount } from '#web/platform/formats.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { classNames } from '#web/ui/class-names.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { gameTexts } from './game-texts.ts'

/** @param balanceMinor in minor units; undefined until the balance is loaded */
export function GameBalance({ balanceMinor }: { readonly balanceMinor: bigint | undefined }) {
  const amount = balanceMinor === undefined ? null : formatAmount(balanceMinor)
  return (
    <div className="flex min-h-7 flex-wrap items-baseline justify-end gap-x-1.5 text-sm text-ink-2 tabular-nums">
      <span className="leading-tight">{gameTexts.balance}</span>
      {amount === null ? (
        <Skeleton className="h-6 w-24 self-center" />
      ) : (
        <span translate="no" className="whitespace-nowrap">
          <span className={classNames('font-semibold tracking-tight text-ink', sizeOf(amount))}>{amount}</span>{' '}
          <span className={amount.length > 14 ? 'sr-only' : undefined}>{commonTexts.points}</span>
        </span>
      )}
    </div>
  )
}

/** Returns a smaller text size for a longer amount, because a phone leaves little room beside the tabs. */
const sizeOf = (amount: string) =>
  amount.length > 14 ? 'text-sm' : amount.length > 10 ? 'text-base' : 'text-lg max-[22rem]:text-base'
