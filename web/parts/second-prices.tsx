import { formatGoldPrice, formatTime } from '#web/platform/formats.ts'
import { pictureTexts as texts } from '#web/ui/picture-texts.ts'

export type SecondPricesProps = {
  /** `second` is a Unix time in seconds. `price` is null if the price source had no price in that second. */
  readonly ticks: ReadonlyArray<{ readonly second: number; readonly price: number | null }>
}

export function SecondPrices({ ticks }: SecondPricesProps) {
  return (
    <details className="text-sm">
      <summary className="flex min-h-target cursor-pointer items-center font-medium text-gold">
        {texts.secondPrices}
      </summary>
      <table className="w-full text-left tabular-nums">
        <thead>
          <tr className="text-xs text-ink-3">
            <th className="py-1 font-medium">{texts.second}</th>
            <th className="py-1 text-right font-medium">{texts.price}</th>
          </tr>
        </thead>
        <tbody translate="no">
          {ticks.map(({ second, price }) => (
            <tr key={second} className="border-t border-line">
              <td className="py-0.5">{formatTime(second * 1000)}</td>
              <td className="py-0.5 text-right">{price === null ? texts.noPrice : formatGoldPrice(price)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}
