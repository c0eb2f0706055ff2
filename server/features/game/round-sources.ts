import { ROUND_TYPES, type RoundType, windowOf } from '#domain/game/calendar.ts'
import type { Database } from '#server/platform/database/db.ts'
import type { RoundPrices } from './ports.ts'

type Known = { readonly index: number; readonly source: string }

/** For this long after a window's start, a missing row is looked up again soon: it is probably about to be written. */
const ROW_DUE_MS = 1_000

/** Caches the price sources of the latest rounds, as this process last read them from the database. */
export function createRoundSources(db: Database, prices: Pick<RoundPrices, 'chooseSource' | 'liveSource'>) {
  /** By type: the newest two windows whose rows this process has read, newest first. */
  const known = new Map<RoundType, readonly Known[]>()

  const sourceOf = (type: RoundType, index: number): string | undefined =>
    known.get(type)?.find((one) => one.index === index)?.source

  return {
    /** Reads the sources. Returns true, to be called again soon, if a window that has just begun has no row yet. */
    async read(nowMs: number): Promise<boolean> {
      if (prices.liveSource === null) return false
      const windows = ROUND_TYPES.map((type) => windowOf(type, nowMs))
      const { rows } = await db.query<{ type: RoundType; index: bigint; price_source: string }>(
        `select w.type, r.index, r.price_source
           from unnest($1::text[], $2::bigint[]) as w (type, index)
           cross join lateral (
             select index, price_source from rounds where type = w.type and index <= w.index
              order by index desc, attempt desc limit 1
           ) r`,
        [windows.map(({ type }) => type), windows.map(({ index }) => BigInt(index))],
        { name: 'round-sources' },
      )
      for (const { type, index, price_source: source } of rows) {
        const before = (known.get(type) ?? []).filter((one) => one.index < Number(index))
        known.set(type, [{ index: Number(index), source }, ...before.slice(0, 1)])
      }
      return windows.some(
        ({ type, index, opensAtMs }) => nowMs - opensAtMs < ROW_DUE_MS && sourceOf(type, index) === undefined,
      )
    },

    /**
     * Returns whether the socket room of a round type gets a source's tick. In the second in which a round opens, the
     * room gets the ticks of the new round's source and of the previous round's source (rules §6.5).
     */
    isOf(type: RoundType, source: string, second: number): boolean {
      if (prices.liveSource === null) return true
      const { index, opensAtMs } = windowOf(type, second * 1000)
      const own = sourceOf(type, index)
      if (opensAtMs === second * 1000) return own === undefined || [own, sourceOf(type, index - 1)].includes(source)
      // In a window without a round, the source of the last known round is used, so that the room still gets prices.
      return source === (own ?? known.get(type)?.[0]?.source ?? prices.chooseSource(opensAtMs, opensAtMs))
    },
  }
}
