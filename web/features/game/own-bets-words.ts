import type { BetTicks, OwnBetsSummary } from '#contract/game.ts'
import { betsTexts } from './bets-texts.ts'
import { formatCount, formatGoldChange, formatGoldPrice, formatShare, formatTime } from '#web/platform/formats.ts'
import type { GameBet } from './api.ts'

/** Describes the totals. Bets that staff or a script decided are counted in a sentence of their own (rules §1.2). */
export function summaryWords(summary: OwnBetsSummary): readonly string[] {
  const { won, lost, voided, open, leftOut } = summary
  const ended = won + lost
  const sentences: string[] = []
  if (ended === 0) sentences.push(betsTexts.none)
  else {
    sentences.push(betsTexts.ended(formatCount(ended), formatCount(won), formatCount(lost)))
    sentences.push(betsTexts.share(formatShare(won / ended)))
  }
  if (voided > 0) sentences.push(betsTexts.voided(formatCount(voided)))
  if (open > 0) sentences.push(betsTexts.open(formatCount(open)))
  if (leftOut > 0) sentences.push(betsTexts.leftOut(formatCount(leftOut)))
  return sentences
}

/** Describes the steps that decided a bet, one sentence each (rules §2.5). */
export function betStory(bet: GameBet): readonly string[] {
  const { story } = betsTexts
  const accepted = story.accepted(formatTime(bet.createdAtMs))
  if (bet.voidReason === 'ROUND_DELETED') return [accepted, story.deleted]
  if (bet.basis === 'ADMIN') return [accepted, story.admin]
  if (bet.basis === 'SCRIPTED') return [accepted, story.scripted]
  const sentences: string[] = [accepted]
  if (bet.entryPrice !== null && bet.entryAtMs !== null)
    sentences.push(story.entry(formatTime(bet.entryAtMs), formatGoldPrice(bet.entryPrice)))
  if (bet.status === 'open') return [...sentences, story.running]
  if (bet.entryPrice === null) return [...sentences, story.noEntry]
  if (bet.exitPrice === null) return [...sentences, story.noExit]
  sentences.push(story.exit(formatTime(bet.closesAtMs), formatGoldPrice(bet.exitPrice)))
  const change = bet.exitPrice - bet.entryPrice
  const size = formatGoldPrice(Math.abs(change))
  sentences.push(change > 0 ? story.higher(size) : change < 0 ? story.lower(size) : story.same)
  return sentences
}

export type TickMark = 'accepted' | 'entry' | 'exit'

export type AuditTick = {
  readonly second: number
  /** In thousandths of a dollar, or null if the source had no price in this second. */
  readonly price: number | null
  readonly mark: TickMark | null
  /** The change from the entry price. Null before the bet's entry, or if this second has no price. */
  readonly changeText: string | null
}

/** Returns the ticks of a bet, and marks the seconds of its acceptance, entry and exit. */
export function auditTicks(bet: GameBet, { ticks, acceptedAtMs }: BetTicks): readonly AuditTick[] {
  const entrySecond = bet.entryAtMs === null ? null : bet.entryAtMs / 1000
  const exitSecond = bet.closesAtMs / 1000
  const acceptedSecond = Math.floor(acceptedAtMs / 1000)
  return ticks.map(({ second, price }) => {
    const mark =
      second === entrySecond ? 'entry' : second === exitSecond ? 'exit' : second === acceptedSecond ? 'accepted' : null
    const isAfterEntry = entrySecond !== null && second >= entrySecond
    const changeText =
      isAfterEntry && price !== null && bet.entryPrice !== null ? formatGoldChange(price - bet.entryPrice) : null
    return { second, price, mark, changeText }
  })
}

/** Places prices in a box of the given size. A run of prices without a gap becomes the points of an SVG polyline. */
export function linePoints(
  ticks: readonly Pick<AuditTick, 'second' | 'price'>[],
  width: number,
  height: number,
): { readonly runs: readonly string[]; readonly place: (second: number, price: number) => { x: number; y: number } } {
  const prices = ticks.flatMap(({ price }) => (price === null ? [] : [price]))
  const [least, most] = [Math.min(...prices), Math.max(...prices)]
  const first = ticks[0]?.second ?? 0
  const span = Math.max(1, (ticks.at(-1)?.second ?? 1) - first)
  const range = Math.max(1, most - least)
  const round = (value: number) => Math.round(value * 10) / 10
  const place = (second: number, price: number) => ({
    x: round(((second - first) / span) * width),
    y: round(height - ((price - least) / range) * height),
  })
  const runs: string[][] = [[]]
  for (const { second, price } of ticks) {
    if (price === null) runs.push([])
    else runs.at(-1)?.push(Object.values(place(second, price)).join(','))
  }
  return { runs: runs.filter((run) => run.length > 0).map((run) => run.join(' ')), place }
}
