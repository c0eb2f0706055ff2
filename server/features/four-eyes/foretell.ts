import { type SecondPersonSum, whySecondPerson } from '#domain/four-eyes/proposal.ts'
import type { Minor } from '#domain/money.ts'
import type { Queryable } from '#server/platform/database/db.ts'
import type { FourEyes } from './ports.ts'
import { readDaySumsOf } from './sum.ts'

/**
 * Why an act of this admin would be a proposal if it came now, by the decision of `proposeInstead`: lists say so before
 * anybody presses (rules §3.10).
 */
export async function foretellSecondPerson(
  q: Queryable,
  { fromMinor }: Pick<FourEyes, 'fromMinor'>,
  adminId: string,
  ownerIds: readonly string[],
): Promise<(ownerId: string, amountMinor: Minor) => SecondPersonSum | null> {
  if (fromMinor === null || ownerIds.length === 0) return () => null
  const sums = await readDaySumsOf(q, [...new Set(ownerIds)], adminId)
  return (ownerId, amountMinor) => {
    const sum = sums.get(ownerId)
    return sum === undefined ? null : whySecondPerson({ fromMinor, ...sum, amountMinor })
  }
}
