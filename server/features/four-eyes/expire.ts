import type { Database } from '#server/platform/database/db.ts'
import type { Logger } from '#server/platform/process/log.ts'
import { logging, repeating, type Stop } from '#server/platform/process/jobs.ts'
import { endProposalRow, EXPIRED } from './end-proposal.ts'
import type { FourEyes } from './ports.ts'
import { readRow } from './rows.ts'

const LOOK_EVERY_MS = 10_000

/**
 * Ends the open proposals whose time is over, each in a transaction of its own, so that a failure does not keep the
 * others from being ended. Returns the number of proposals found.
 * @throws AggregateError after all were tried, with the errors of those that could not be ended
 */
export async function expireProposals(db: Database, fourEyes: Pick<FourEyes, 'hints'>): Promise<number> {
  const { rows } = await db.query<{ id: string }>(
    `select id from money_proposals where status = 'open' and expires_at <= clock_timestamp() order by expires_at`,
  )
  const failures: unknown[] = []
  for (const { id } of rows) await expire(db, fourEyes, id).catch((error: unknown) => failures.push(error))
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} of ${rows.length} proposals could not be ended`)
  return rows.length
}

const expire = (db: Database, fourEyes: Pick<FourEyes, 'hints'>, proposalId: string) =>
  db.tx(async (tx) => {
    const row = await readRow(tx, proposalId, 'for update skip locked')
    // The row is null while another transaction locks it, and is not open if the proposal has ended meanwhile.
    if (row?.status === 'open') await endProposalRow(tx, fourEyes, row, EXPIRED)
  })

/** Ends proposals whose time is over, at intervals. Lists show such a proposal as expired even before it is ended. */
export const startExpiringProposals = (db: Database, fourEyes: Pick<FourEyes, 'hints'>, log: Logger): Stop =>
  repeating(
    LOOK_EVERY_MS,
    () => expireProposals(db, fourEyes),
    logging(log, 'Proposals whose time is over could not be ended'),
  )
