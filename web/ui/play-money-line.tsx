import { playMoneyTexts } from '#web/platform/texts.ts'

/** What points are worth, said wherever money is shown (rules §1.1). */
export function PlayMoneyLine() {
  return <p className="text-center text-xs text-balance text-ink-3">{playMoneyTexts.everywhere}</p>
}
