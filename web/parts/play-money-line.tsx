import { playMoneyTexts } from '#web/platform/texts.ts'

export function PlayMoneyLine() {
  return <p className="text-center text-xs text-balance text-ink-3">{playMoneyTexts.everywhere}</p>
}
