/**
 * A round for the practice, recorded from the simulated prices of 2026-06-01 (rules §5.6). Of the recorded rounds, four
 * end above their entry price and four below it, so either side wins half of them (checks/practice-rounds.test.ts).
 */
export type PracticeRound = {
  readonly opensAtMs: number
  /** The price of each second, from the opening to the end, in thousandths of a dollar. */
  readonly prices: readonly number[]
}

/** Unix seconds of 2026-06-01T00:00:00Z. */
export const PRACTICE_DAY_SECOND = 1_780_272_000

/** The bet of a practice is accepted after this second of its round. The next second's price is the entry price. */
export const PRACTICE_BET_SECOND = 9
export const PRACTICE_ENTRY_SECOND = PRACTICE_BET_SECOND + 1
export const PRACTICE_EXIT_SECOND = 30

/** By the second of the day at which the round opens: its first price, then each second's change. */
const recorded: Readonly<Record<number, readonly number[]>> = {
  30: [
    4000490, 170, 210, 155, -120, 143, 93, 6, 92, -103, 30, -18, 69, -45, 48, 34, -10, -141, 56, 156, -238, -192, 117,
    122, 22, -48, -78, 136, -132, -40, -110,
  ],
  90: [
    4000447, 30, 126, 92, -259, 21, 72, -270, -49, 190, -156, 3, 67, -255, 101, 46, -180, -91, 188, 23, 13, 25, -61,
    182, 27, 2, 14, 48, 9, -91, 171,
  ],
  120: [
    4000485, 110, 20, -129, 63, -62, -30, -305, -25, -115, -111, -68, -5, -45, -36, -25, -143, 4, -56, -105, 24, 199,
    -27, -99, 99, -23, -76, 9, 105, 42, -56,
  ],
  150: [
    3999619, 6, -7, 64, -99, 22, -112, -192, 137, 109, -116, -106, 40, -53, -189, -312, -68, -25, -68, 41, -48, 68,
    -174, 93, 82, 70, -155, -25, -84, -40, -4,
  ],
  180: [
    3998474, -100, -122, -13, -217, -81, 81, -29, 85, 139, 19, -70, -50, 36, 137, -60, -276, 186, 380, -100, 78, 42,
    161, -125, -90, 139, -23, 130, -75, -169, -9,
  ],
  270: [
    3997655, -115, 106, 1, -14, -60, -90, 43, -4, 96, 131, -39, 26, 61, 45, 200, 47, -38, -49, 3, -106, -200, -120, -43,
    114, 63, 132, 117, 13, -63, -2,
  ],
  300: [
    3997910, -106, 18, -18, -179, 10, 29, -71, 149, -119, 167, -213, 25, -69, -92, -42, 249, 39, -8, 26, -90, 146, 31,
    156, 110, -17, 9, 1, -6, 100, -207,
  ],
  390: [
    3999614, -33, 44, -113, 166, -25, 34, -168, 24, 9, 73, -66, -24, 192, -131, -136, 9, -107, -169, -126, -86, -145,
    95, 120, 248, 101, -29, 69, 26, -203, -195,
  ],
}

export const practiceRounds: readonly PracticeRound[] = Object.entries(recorded).map(([second, moves]) => {
  let price = 0
  return {
    opensAtMs: (PRACTICE_DAY_SECOND + Number(second)) * 1000,
    prices: moves.map((move) => (price += move)),
  }
})

/** Returns one of the rounds, each with the same probability. @param chance a random number from 0 to below 1 */
export const drawRound = (chance: number): PracticeRound => {
  const round = practiceRounds[Math.floor(chance * practiceRounds.length)]
  if (round === undefined) throw new RangeError('chance is 0 to below 1')
  return round
}

export const practiceEnd = ({ prices }: PracticeRound): 'up' | 'down' =>
  (prices[PRACTICE_EXIT_SECOND] ?? 0) > (prices[PRACTICE_ENTRY_SECOND] ?? 0) ? 'up' : 'down'
