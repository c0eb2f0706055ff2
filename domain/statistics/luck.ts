/*
 * Finds players whose bets did not go as chance alone has them go (rules §6.12). A player has one open bet at a time,
 * so their bets follow each other, and each one that the price decides is a fair coin, independent of those before: the
 * number of wins among them is exactly binomial.
 */

/** Chance alone flags anybody at all in one of 1,000 looks, however many players there are. */
export const LUCK_ALPHA = 0.001
export const LUCK_BETS_MIN = 20

/**
 * The chance that a fair coin gives a count at least as far from the middle as this one, on either side: from 0 to 1,
 * exact up to rounding, also far below the smallest share that a normal curve would give rightly.
 * @param won of `decided`, whole numbers
 */
export function chanceOf(won: number, decided: number): number {
  const most = Math.max(won, decided - won)
  if (2 * most === decided) return 1
  let term = Math.exp(logChoose(decided, most) - decided * Math.LN2)
  let tail = 0
  for (let heads = most; heads <= decided; heads++) {
    tail += term
    const next = (term * (decided - heads)) / (heads + 1)
    if (next < tail * 1e-17) break
    term = next
  }
  return Math.min(1, 2 * tail)
}

/**
 * Whether chance alone would not do this among this many players: Bonferroni's correction, which also holds for players
 * who depend on each other. C. E. Bonferroni, "Teoria statistica delle classi e calcolo delle probabilità" (1936).
 * @param players how many are looked at, this one included
 */
export const isBeyondChance = (won: number, decided: number, players: number): boolean =>
  decided >= LUCK_BETS_MIN && chanceOf(won, decided) < LUCK_ALPHA / Math.max(1, players)

const logChoose = (n: number, k: number): number => logFactorial(n) - logFactorial(k) - logFactorial(n - k)

/** Exact sums up to here, and Stirling's series from here on, whose error is then below 1e-14. */
const STIRLING_FROM = 64
const SMALL: number[] = [0]
for (let n = 1; n < STIRLING_FROM; n++) SMALL.push((SMALL[n - 1] ?? 0) + Math.log(n))

const logFactorial = (n: number): number =>
  SMALL[n] ??
  (n + 0.5) * Math.log(n) - n + 0.5 * Math.log(2 * Math.PI) + 1 / (12 * n) - 1 / (360 * n ** 3) + 1 / (1260 * n ** 5)
