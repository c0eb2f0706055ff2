import { formatAmount, formatSignedAmount, formatSignedPercent, formatWholeAmount } from '#web/platform/formats.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { classNames } from './class-names.ts'

export type AmountTextProps = {
  /** Minor units, 100 to a point. */
  readonly amountMinor: bigint
  /** `signed` shows + or − and the colour of what was won or lost; `whole` drops the decimals of whole points. */
  readonly kind?: 'plain' | 'signed' | 'whole'
  /** Adds the word "điểm". */
  readonly hasUnit?: boolean
  readonly className?: string
}

/** An amount of points: `1,234.50 điểm`. */
export function AmountText({ amountMinor, kind = 'plain', hasUnit = false, className }: AmountTextProps) {
  const text =
    kind === 'signed'
      ? formatSignedAmount(amountMinor)
      : kind === 'whole'
        ? formatWholeAmount(amountMinor)
        : formatAmount(amountMinor)
  const tone = kind !== 'signed' || amountMinor === 0n ? '' : amountMinor > 0n ? 'text-up' : 'text-down'
  return (
    <span className={classNames('whitespace-nowrap tabular-nums', tone, className)}>
      {text}
      {hasUnit && <> {commonTexts.points}</>}
    </span>
  )
}

export type PriceChangeProps = {
  /** In per cent; its sign gives arrow and colour. Null while unknown. */
  readonly percent: number | null
  /** The change itself with its sign, as formats.ts wrote it: `+6.420`. The percentage then stands in brackets. */
  readonly changeText?: string
  readonly className?: string
}

/** How a price moved: `▲ +6.420 (+0.16%)`. Arrow and sign say it as well as the colour. */
export function PriceChange({ percent, changeText, className }: PriceChangeProps) {
  if (percent === null) return <span className={classNames('text-ink-3', className)}>–</span>
  const percentText = formatSignedPercent(percent)
  // What is written decides, so that "0.00%" never wears an arrow.
  const way = percentText.startsWith('+') ? 'up' : /[1-9]/.test(percentText) ? 'down' : 'flat'
  const { look, arrow, word } = ways[way]
  return (
    <span className={classNames('font-medium whitespace-nowrap tabular-nums', look, className)}>
      <span aria-hidden>{arrow}</span>
      <span className="sr-only">{word} </span>
      {changeText === undefined ? percentText : `${changeText} (${percentText})`}
    </span>
  )
}

const ways = {
  up: { look: 'text-up', arrow: '▲ ', word: commonTexts.rising },
  down: { look: 'text-down', arrow: '▼ ', word: commonTexts.falling },
  flat: { look: 'text-ink-3', arrow: '', word: commonTexts.unchanged },
} as const

/** Tints a number for a moment when it changed; the text says it all, so reduced motion may leave the tint out. */
export function tint(element: HTMLElement, direction: 'up' | 'down'): void {
  if (globalThis.matchMedia('(prefers-reduced-motion: reduce)').matches) return
  const colour = getComputedStyle(element).getPropertyValue(`--${direction}`)
  element.animate([{ color: colour }, {}], { duration: 200, easing: 'ease-out' })
}
