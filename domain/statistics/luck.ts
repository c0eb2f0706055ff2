/* Finds players whose results are unlikely if each won or lost bet is the toss of a fair coin (rules §6.12). */

/** If all results are due to chance, the probability that a search flags any player is at most this. */
export const LUCK_ALPHA = 0.001
export const LUCK_BETS_MIN = 20

/** Returns the two-sided chance that a fair coin gives a count of wins at least as far from the middle as `won`. */
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
 * Returns whether the result is less likely than `LUCK_ALPHA` after Bonferroni's correction (rules §6.12).
 * @param players how many players are looked at, this one included
 */
export const isBeyondChance = (won: number, decided: number, players: number): boolean =>
  decided >= LUCK_BETS_MIN && chanceOf(won, decided) < LUCK_ALPHA / Math.max(1, players)

const logChoose = (n: number, k: number): number => logFactorial(n) - logFactorial(k) - logFactorial(n - k)

/** From this number on, Stirling's series gives the logarithm of a factorial; below this number, a table. */
const STIRLING_FROM = 64
const SMALL: number[] = [0]
for (let n = 1; n < STIRLING_FROM; n++) SMALL.push((SMALL[n - 1] ?? 0) + Math.log(n))

const logFactorial = (n: number): number =>
  SMALL[n] ??
  (n + 0.5) * Math.log(n) - n + 0.5 * Math.log(2 * Math.PI) + 1 / (12 * n) - 1 / (360 * n ** 3) + 1 / (1260 * n ** 5)
