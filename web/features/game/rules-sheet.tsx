import { useState } from 'react'
import { RATE_PERCENT, ROUND_TYPES } from '#domain/game/calendar.ts'
import { profitOf } from '#domain/game/bet.ts'
import { formatSignedAmount } from '#web/platform/formats.ts'
import { rulesTexts } from './rules-texts.ts'
import { readResultSignal, type ResultSignal, writeResultSignal } from '#web/platform/storage.ts'
import { playMoneyTexts } from '#web/platform/texts.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Sheet } from '#web/ui/dialog.tsx'
import { availableSignals, giveSignal } from './result-signals.ts'

export type RulesSheetProps = {
  /** True when a press on a bet button opened the rules, and the bet waits until they are read. */
  readonly isBeforeBet: boolean
  readonly onUnderstood: () => void
  readonly onClose: () => void
}

/** How a round runs, what it pays and takes, and what decides it: shown before the first bet, and on request. */
export function RulesSheet({ isBeforeBet, onUnderstood, onClose }: RulesSheetProps) {
  return (
    <Sheet
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={rulesTexts.title}
      footer={
        <Button isWide onClick={onUnderstood}>
          {rulesTexts.understood}
        </Button>
      }
    >
      {isBeforeBet && <Banner tone="info">{rulesTexts.beforeFirstBet}</Banner>}
      <Section title={rulesTexts.roundTitle} sentences={rulesTexts.round} />
      <Section title={rulesTexts.payoutTitle} sentences={rulesTexts.payout} />
      <PayoutTable />
      <Section title={rulesTexts.basisTitle} sentences={rulesTexts.basis} />
      <fieldset className="flex flex-col">
        <legend className="text-sm font-semibold">{rulesTexts.signalsTitle}</legend>
        {availableSignals().map((signal) => (
          <SignalSwitch key={signal} signal={signal} />
        ))}
      </fieldset>
      <p className="text-xs text-ink-3">{playMoneyTexts.everywhere}</p>
    </Sheet>
  )
}

type SectionProps = { readonly title: string; readonly sentences: readonly string[] }

function Section({ title, sentences }: SectionProps) {
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

/** The stake of the table's examples, in minor units. */
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

const signalWords: Readonly<Record<ResultSignal, string>> = {
  sound: rulesTexts.sound,
  vibration: rulesTexts.vibration,
}

/** A signal is off by default. Switching it on plays it once, as a sample. */
function SignalSwitch({ signal }: { readonly signal: ResultSignal }) {
  const [isOn, setIsOn] = useState(() => readResultSignal(signal))
  const toggle = () => {
    writeResultSignal(signal, !isOn)
    setIsOn(!isOn)
    if (!isOn) giveSignal(signal, 'won')
  }
  return (
    <label className="flex min-h-target cursor-pointer items-center justify-between gap-3 text-sm text-ink-2">
      {signalWords[signal]}
      <input
        type="checkbox"
        role="switch"
        checked={isOn}
        aria-checked={isOn}
        onChange={toggle}
        className="relative h-6 w-10 shrink-0 cursor-[inherit] appearance-none rounded-pill bg-control transition-colors after:absolute after:top-1 after:left-1 after:size-4 after:rounded-pill after:bg-surface after:transition-transform checked:bg-gold checked:after:translate-x-4"
      />
    </label>
  )
}
