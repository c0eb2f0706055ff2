import { formatAmount, formatPercentChange, formatSignedAmount, formatWholeAmount } from '#web/platform/formats.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { classNames } from './class-names.ts'

export type AmountTextProps = {
  readonly amountMinor: bigint
  readonly kind?: 'plain' | 'signed' | 'whole'
  readonly hasUnit?: boolean
  readonly className?: string
}

/** Shows an amount, excluded from the browser's translation, which might change figures. */
export function AmountText({ amountMinor, kind = 'plain', hasUnit = false, className }: AmountTextProps) {
  const text =
    kind === 'signed'
      ? formatSignedAmount(amountMinor)
      : kind === 'whole'
        ? formatWholeAmount(amountMinor)
        : formatAmount(amountMinor)
  const tone = kind !== 'signed' || amountMinor === 0n ? '' : amountMinor > 0n ? 'text-up' : 'text-down'
  return (
    <span translate="no" className={classNames('whitespace-nowrap tabular-nums', tone, className)}>
      {hasUnit ? `${text} ${commonTexts.points}` : text}
    </span>
  )
}

/** Shows a price's change in percent. Arrow and colour show the direction, so the number has no sign. */
export function PriceChange({ percent }: { readonly percent: number | null }) {
  if (percent === null)
    return (
      <span translate="no" className="text-ink-3">
        –
      </span>
    )
  const size = formatPercentChange(percent)
  // The formatted text decides, so that "0.00%" never has an arrow.
  const way = !/[1-9]/.test(size) ? 'flat' : percent > 0 ? 'up' : 'down'
  const { look, arrow, word } = ways[way]
  return (
    <span translate="no" className={classNames('font-medium whitespace-nowrap tabular-nums', look)}>
      <span aria-hidden>{arrow}</span>
      <span className="sr-only">{word} </span>
      {size}
    </span>
  )
}

const ways = {
  up: { look: 'text-up', arrow: '▲ ', word: commonTexts.rising },
  down: { look: 'text-down', arrow: '▼ ', word: commonTexts.falling },
  flat: { look: 'text-ink-3', arrow: '', word: commonTexts.unchanged },
} as const
