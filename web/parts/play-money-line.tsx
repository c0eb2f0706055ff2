import { playMoneyTexts } from '#web/platform/texts.ts'

/** The play-money notice, shown wherever money is shown (rules §1.1). */
export function PlayMoneyLine() {
  return <p className="text-center text-xs text-balance text-ink-3">{playMoneyTexts.everywhere}</p>
}
