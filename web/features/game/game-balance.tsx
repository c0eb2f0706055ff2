import { commonTexts } from '#web/platform/texts.ts'
import { AmountText } from '#web/ui/amounts.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { gameTexts } from './game-texts.ts'

/** @param balanceMinor minor units, undefined while unknown */
export function GameBalance({ balanceMinor }: { readonly balanceMinor: bigint | undefined }) {
  return (
    <p className="flex items-baseline gap-1.5 text-sm text-ink-2">
      {gameTexts.balance}
      {balanceMinor === undefined ? (
        <Skeleton className="h-6 w-24 self-center" />
      ) : (
        <AmountText amountMinor={balanceMinor} className="text-lg font-semibold tracking-tight text-ink" />
      )}
      {commonTexts.points}
    </p>
  )
}
