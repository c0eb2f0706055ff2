import type { FeedClosedReason } from '#domain/market/feed-state.ts'
import type { Database } from '#server/platform/database/db.ts'
import type { Logger } from '#server/platform/process/log.ts'
import { logging, repeating, type Stop } from '#server/platform/process/jobs.ts'

/** The state of feed and ledger is stored once in each time slot of this length, by the process that comes first. */
export const SLOT_MS = 10_000
/** Counts of refusals are written at this interval. A process that is killed loses its counts since the last write. */
const REFUSALS_EVERY_MS = 5_000

export type FeedState = 'open' | 'silent' | 'closed' | 'unsure'

export const feedStateOf = (isClockSure: boolean, closedReason: FeedClosedReason | null): FeedState => {
  if (!isClockSure) return 'unsure'
  if (closedReason === null) return 'open'
  return closedReason === 'STALE' || closedReason === 'UNPRICED' ? 'silent' : 'closed'
}

/**
 * Stores the state of feed and ledger for the current time slot, by the database's clock. Stores nothing while another
 * process has locked the row of `figure_marks`, for example to count figures. Each process tries twice in a slot.
 */
export async function noteState(db: Database, feed: FeedState, isLedgerOpen: boolean): Promise<void> {
  await db.query(
    `with slot as materialized (select floor(extract(epoch from clock_timestamp()) * 1000 / ${SLOT_MS})::bigint as n),
     free as materialized (select last_slot from figure_marks for update skip locked),
     noted as (
       update figure_marks m set last_slot = slot.n,
              states_from = coalesce(m.states_from, to_timestamp(slot.n * ${SLOT_MS} / 1000.0))
         from slot, free where m.last_slot is distinct from slot.n returning slot.n)
     insert into figure_states as f (hour, feed, is_ledger_open, slots)
     select date_bin('1 hour', to_timestamp(n * ${SLOT_MS} / 1000.0), timestamptz 'epoch'), $1, $2, 1 from noted
     on conflict (hour, feed, is_ledger_open) do update set slots = f.slots + 1`,
    [feed, isLedgerOpen],
  )
}

export function createRefusalCounter(db: Database) {
  let counts = new Map<string, number>()
  let isBegun = false
  return {
    note(code: string): void {
      counts.set(code, (counts.get(code) ?? 0) + 1)
    },
    /** Writes the counts. If writing fails, the counts are kept for the next call. */
    async write(): Promise<void> {
      if (!isBegun)
        await db.query(`update figure_marks set refusals_from = clock_timestamp() where refusals_from is null`)
      isBegun = true
      if (counts.size === 0) return
      const written = counts
      counts = new Map()
      try {
        // The codes are sorted, so that two processes that write the same rows do not deadlock.
        const codes = [...written.keys()].toSorted()
        await db.query(
          `insert into figure_refusals as f (hour, code, n)
           select date_bin('1 hour', clock_timestamp(), timestamptz 'epoch'), code, n
             from unnest($1::text[], $2::bigint[]) as t (code, n)
           on conflict (hour, code) do update set n = f.n + excluded.n`,
          [codes, codes.map((code) => BigInt(written.get(code) ?? 0))],
        )
      } catch (error) {
        for (const [code, n] of written) counts.set(code, (counts.get(code) ?? 0) + n)
        throw error
      }
    },
  }
}

export interface NotingDeps {
  readonly db: Database
  readonly log: Logger
  readonly refusals: ReturnType<typeof createRefusalCounter>
  readonly readState: () => { readonly feed: FeedState; readonly isLedgerOpen: boolean }
}

/** Starts storing refusals and states at intervals. The returned function stops this, and writes refusals once more. */
export function startNotingFigures({ db, log, refusals, readState }: NotingDeps): Stop {
  const failed = logging(log, 'The overview’s figures could not be noted')
  const stops = [
    repeating(REFUSALS_EVERY_MS, () => refusals.write(), failed),
    repeating(
      SLOT_MS / 2,
      async () => {
        const { feed, isLedgerOpen } = readState()
        await noteState(db, feed, isLedgerOpen)
      },
      failed,
    ),
  ]
  return async () => {
    await Promise.all(stops.map((stop) => stop()))
    await refusals.write().catch(logging(log, 'Refusals could not be noted'))
  }
}
