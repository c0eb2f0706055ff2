import type { Database } from '#server/platform/database/db.ts'
import type { Logger } from '#server/platform/process/log.ts'
import { logging, repeating, type Stop } from '#server/platform/process/jobs.ts'
import { endProposalRow } from './end-proposal.ts'
import type { FourEyes } from './ports.ts'
import { PROPOSAL_ROWS, type ProposalRow } from './rows.ts'

const LOOK_EVERY_MS = 10_000
const AT_ONCE = 50

export async function expireProposals(db: Database, fourEyes: Pick<FourEyes, 'hints'>): Promise<number> {
  return db.tx(async (tx) => {
    const { rows } = await tx.query<ProposalRow>(
      `${PROPOSAL_ROWS} where status = 'open' and expires_at <= clock_timestamp()
        order by expires_at limit ${AT_ONCE} for update skip locked`,
    )
    for (const row of rows)
      await endProposalRow(tx, fourEyes, row, { status: 'expired', by: null, actorId: null, reason: null })
    return rows.length
  })
}

/** Ends proposals whose time is over, at intervals; they are shown as expired even before. */
export const startExpiringProposals = (db: Database, fourEyes: Pick<FourEyes, 'hints'>, log: Logger): Stop =>
  repeating(
    LOOK_EVERY_MS,
    () => expireProposals(db, fourEyes),
    logging(log, 'Proposals whose time is over could not be ended'),
  )
