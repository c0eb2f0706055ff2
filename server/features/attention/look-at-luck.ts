import type { Attention } from '#contract/attention.ts'
import { chanceOf, isBeyondChance, LUCK_BETS_MIN } from '#domain/statistics/luck.ts'
import type { Database, Row } from '#server/platform/database/db.ts'
import { logging, onDemand } from '#server/platform/process/jobs.ts'
import type { Logger } from '#server/platform/process/log.ts'
import { readNowMs } from '#server/platform/database/now.ts'

/** Players per statement: few on the embedded engine, where all other queries wait while a statement runs. */
const AT_ONCE = { embedded: 200, native: 2_000 } as const
/** Luck is computed at most this often, since a look reads the statistics of all players. */
const LOOK_EVERY_MS = 10 * 60_000
const NO_ID = '00000000-0000-0000-0000-000000000000'

export type Look = Attention['luck'] & { readonly lookedAtMs: number }

interface BatchRow extends Row {
  last_id: string | null
  players: bigint
  /** Players at least three standard deviations from the expected number of wins: others are too near to be flagged. */
  far: Array<{ id: string; username: string; won: number; decided: number }>
}

/** Flags players whose number of wins chance hardly explains (rules §6.12). Null if `isStopping` ends the look. */
export async function lookAtLuck(db: Database, isStopping: () => boolean = () => false): Promise<Look | null> {
  const lookedAtMs = await readNowMs(db)
  const far: BatchRow['far'] = []
  let players = 0
  for (let afterId: string | null = NO_ID; afterId !== null;) {
    if (isStopping()) return null
    const row: BatchRow | undefined = (
      await db.query<BatchRow>(
        `select (array_agg(user_id order by user_id desc))[1] as last_id,
                count(*) filter (where is_there and decided >= ${LUCK_BETS_MIN}) as players,
                coalesce(json_agg(json_build_object('id', user_id, 'username', username, 'won', won, 'decided', decided))
                  filter (where is_there and decided >= ${LUCK_BETS_MIN} and (2 * won - decided) ^ 2 >= 9 * decided), '[]') as far
           from (select m.user_id, u.username, u.deleted_at is null as is_there, coalesce(sum(t.won), 0)::float8 as won,
                        coalesce(sum(t.won + t.lost), 0)::float8 as decided
                   from (select user_id from statistics_marks where user_id > $1 order by user_id limit ${AT_ONCE[db.engine]}) m
                   join users u on u.id = m.user_id
                   left join statistics_types t on t.user_id = m.user_id group by m.user_id, u.id) totals`,
        [afterId],
      )
    ).rows[0]
    far.push(...(row?.far ?? []))
    players += Number(row?.players ?? 0n)
    afterId = row?.last_id ?? null
  }
  const flags = far
    .filter(({ won, decided }) => isBeyondChance(won, decided, players))
    .toSorted((a, b) => chanceOf(a.won, a.decided) - chanceOf(b.won, b.decided))
    .map(({ id, username, won, decided }) => ({ player: { id, username }, won, decided }))
  return { lookedAtMs, players, flags }
}

/** `last` returns the newest finished look, and begins a look unless one began within the last `LOOK_EVERY_MS`. */
export function startLuckLooks(db: Database, log: Logger) {
  let found: Look | null = null
  let dueAtMs = Number.NEGATIVE_INFINITY
  const look = async (signal: AbortSignal): Promise<void> => {
    found = (await lookAtLuck(db, () => signal.aborted)) ?? found
  }
  const { begin, stop } = onDemand(look, logging(log, 'The wins of players could not be looked at'))
  return {
    last(): Look | null {
      if (performance.now() >= dueAtMs && begin()) dueAtMs = performance.now() + LOOK_EVERY_MS
      return found
    },
    stop,
  }
}
