/**
 * Returns the centres of the labels of a price scale, in px. One after another, each label takes the free place that is
 * nearest to its wanted centre. If a label finds no place, all labels form one stack.
 * @param wanted the wanted centres, the most important first
 * @param gap the height of a label
 */
export function labelPlaces(wanted: readonly number[], gap: number, height: number): readonly number[] {
  const half = gap / 2
  const within = (centre: number) => Math.max(half, Math.min(height - half, centre))
  const placed: number[] = []
  for (const centre of wanted) {
    const place = freePlace(within(centre), placed, gap, [half, height - half])
    if (place === null) return stack(wanted, gap, height)
    placed.push(place)
  }
  return placed
}

/** Places the labels one beneath the other, around the middle of the wanted centres. */
function stack(wanted: readonly number[], gap: number, height: number): readonly number[] {
  const middle = wanted.reduce((sum, centre) => sum + centre, 0) / wanted.length
  const top = Math.round(Math.max(0, Math.min(height - wanted.length * gap, middle - (wanted.length * gap) / 2)))
  const order = wanted.map((_, index) => index).toSorted((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0))
  return wanted.map((_, index) => top + (order.indexOf(index) + 0.5) * gap)
}

/** Returns the free centre nearest to the wanted one, or null if there is none. */
function freePlace(
  wanted: number,
  taken: readonly number[],
  gap: number,
  [least, most]: readonly [number, number],
): number | null {
  const isFree = (centre: number) =>
    centre >= least && centre <= most && taken.every((other) => Math.abs(other - centre) >= gap)
  const candidates = [wanted, ...taken.flatMap((other) => [other - gap, other + gap])].filter(isFree)
  return candidates.toSorted((a, b) => Math.abs(a - wanted) - Math.abs(b - wanted))[0] ?? null
}

/** Returns the numbers of the price scale that no label touches. */
export const freeNumbers = <Number extends { readonly y: number }>(
  numbers: readonly Number[],
  labels: readonly number[],
  gap: number,
): readonly Number[] => numbers.filter(({ y }) => labels.every((label) => Math.abs(label - y) >= gap))
