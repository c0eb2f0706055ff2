import { formatCount } from '#web/platform/formats.ts'
import { AskCare } from '#web/ui/ask-care.tsx'
import { HelpLink } from '#web/parts/help-link.tsx'
import type { GameBet } from './api.ts'
import { voidWords } from './bet-words.ts'
import { gameTexts } from './game-texts.ts'
import { betsTexts } from './bets-texts.ts'

/** For a voided bet: links to the help about returned stakes, and to customer care with a question about the bet. */
export function VoidHelp({ bet }: { readonly bet: GameBet }) {
  if (bet.voidReason === null) return null
  const round = gameTexts.round(formatCount(bet.round.roundNumber))
  return (
    <p className="flex flex-wrap items-center justify-between gap-3 text-sm">
      <HelpLink question="hoan-diem">{betsTexts.whyVoid}</HelpLink>
      <AskCare about={betsTexts.caseOfVoid(bet.round.type, round, voidWords[bet.voidReason])} />
    </p>
  )
}
