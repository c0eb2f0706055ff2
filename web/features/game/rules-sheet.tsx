import { RATE_PERCENT, ROUND_TYPES } from '#domain/game/calendar.ts'
import { profitOf } from '#domain/game/bet.ts'
import { formatSignedAmount, formatCount, formatShare } from '#web/platform/formats.ts'
import { rulesTexts } from './rules-texts.ts'
import { playMoneyTexts } from '#web/platform/texts.ts'
import { Button } from '#web/ui/button.tsx'
import { Sheet } from '#web/ui/dialog.tsx'
import { HelpLink } from '#web/parts/help-link.tsx'
import { practiceTexts } from './practice-texts.ts'
import { availableSignals } from './result-signals.ts'
import { shortcutTexts } from './shortcut-texts.ts'
import { SignalSwitch } from './signal-switch.tsx'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { wilsonInterval } from '#domain/statistics/chance.ts'
import { bookPageEndpoints } from '#contract/book-pages.ts'
import { endpointQuery } from '#web/platform/endpoint-query.ts'

export type RulesSheetProps = {
  readonly returnsTo: string
  readonly onPractice: () => void
  readonly onUnderstood: () => void
  readonly onShortcuts: () => void
  readonly onClose: () => void
}

export function RulesSheet({ returnsTo, onPractice, onUnderstood, onShortcuts, onClose }: RulesSheetProps) {
  return (
    <Sheet
      onClose={onClose}
      title={rulesTexts.title}
      returnsTo={returnsTo}
      footer={
        <Button isWide onClick={onUnderstood}>
          {rulesTexts.understood}
        </Button>
      }
    >
      <Section title={rulesTexts.roundTitle} sentences={rulesTexts.round} />
      <Section title={rulesTexts.payoutTitle} sentences={rulesTexts.payout} />
      <PayoutTable />
      <Section title={rulesTexts.basisTitle} sentences={rulesTexts.basis} />
      <MeasuredLine />
      <fieldset className="flex flex-col">
        <legend className="text-sm font-semibold">{rulesTexts.signalsTitle}</legend>
        {availableSignals().map((signal) => (
          <SignalSwitch key={signal} signal={signal} />
        ))}
      </fieldset>
      <div className="flex flex-wrap gap-2">
        <Button variant="outline" onClick={onPractice} className="flex-1">
          {practiceTexts.title}
        </Button>
        <Button variant="outline" onClick={onShortcuts} className="flex-1">
          {shortcutTexts.title}
        </Button>
      </div>
      <HelpLink question="ket-qua">{rulesTexts.help}</HelpLink>
      <p className="text-xs text-ink-3">{playMoneyTexts.everywhere}</p>
    </Sheet>
  )
}

function Section({ title, sentences }: { readonly title: string; readonly sentences: readonly string[] }) {
  return (
    <section className="flex flex-col gap-1.5">
      <h3 className="text-sm font-semibold">{title}</h3>
      <ul className="flex list-disc flex-col gap-1 pl-4.5 text-sm text-ink-2 marker:text-gold">
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </section>
  )
}

const exampleMinor = 10_000n

function PayoutTable() {
  return (
    <table className="w-full overflow-hidden rounded-s bg-surface-2 text-sm tabular-nums">
      <thead>
        <tr className="text-left text-xs text-ink-3">
          <th className="px-3 py-1.5 font-medium">{rulesTexts.type}</th>
          <th className="px-3 py-1.5 text-right font-medium">{rulesTexts.rate}</th>
          <th className="px-3 py-1.5 text-right font-medium">{rulesTexts.example}</th>
        </tr>
      </thead>
      <tbody>
        {ROUND_TYPES.map((type) => {
          const profitMinor = profitOf(type, exampleMinor)
          return (
            <tr key={type} className="border-t border-line">
              <td className="px-3 py-1.5 font-medium">{type}</td>
              <td className="px-3 py-1.5 text-right">{RATE_PERCENT[type]}%</td>
              <td className="px-3 py-1.5 text-right whitespace-nowrap">
                <span className="text-up">{formatSignedAmount(profitMinor)}</span>
                <span className="text-ink-3"> / </span>
                <span className="text-down">{formatSignedAmount(-profitMinor)}</span>
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

const measuredQuery = { ...endpointQuery(['book'], bookPageEndpoints.readRates, { query: {} }), staleTime: 60_000 }

/** Shows the share of wins among won and lost bets that the price decided, once loaded (docs/open-book.md §6). */
export function MeasuredLine() {
  const { data } = useQuery(measuredQuery)
  const won = data?.types.reduce((sum, type) => sum + type.won, 0) ?? 0
  const decided = won + (data?.types.reduce((sum, type) => sum + type.lost, 0) ?? 0)
  const interval = wilsonInterval(won, decided)
  return (
    <p className="text-sm text-ink-2">
      {interval === null
        ? rulesTexts.book
        : rulesTexts.measured(
            formatCount(decided),
            formatShare(won / decided),
            formatShare(interval.low),
            formatShare(interval.high),
          )}{' '}
      <Link to="/so-mo" className="font-medium text-gold underline underline-offset-4">
        {rulesTexts.toBook}
      </Link>
    </p>
  )
}
