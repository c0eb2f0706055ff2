import { anchorLog, readAuditTip } from '#server/features/audit/index.ts'
import { prepareDetachingTicks } from '#server/features/market/index.ts'
import type { Database } from '#server/platform/database/db.ts'
import { readNowMs } from '#server/platform/database/now.ts'
import {
  detachPartition,
  listDetached,
  listPartitions,
  PARTITIONED,
  type PartitionedTable,
  putAside,
} from '#server/platform/database/partitions.ts'

/** A partition can be detached only this long after its end. */
const DETACHED_AFTER_DAYS = 90
const DAY_MS = 86_400_000

export interface PartitionLine {
  readonly name: string
  /** Null for the first partition, and for a detached table. */
  readonly from: string | null
  readonly until: string | null
  readonly bytes: number
}

export type DetachReport =
  | { readonly is: 'detached'; readonly tables: readonly string[] }
  | { readonly is: 'refused'; readonly reason: string }

const isoDay = (at: Date): string => at.toISOString().slice(0, 10)

export async function describePartitions(db: Database): Promise<PartitionLine[]> {
  const lines: PartitionLine[] = []
  for (const table of PARTITIONED)
    for (const { name, starts, ends } of await listPartitions(db, table)) {
      const { rows } = await db.query<{ bytes: number }>(
        'select pg_total_relation_size($1::regclass)::float8 as bytes',
        [name],
      )
      lines.push({ name, from: starts && isoDay(starts), until: isoDay(ends), bytes: rows[0]?.bytes ?? 0 })
    }
  for (const { name, bytes } of await listDetached(db)) lines.push({ name, from: null, until: null, bytes })
  return lines
}

/** Detaches the partitions of a table up to the end of a month, such as `2027-01` (decision 033). */
export async function detachThrough(
  { db, dataDir }: { readonly db: Database; readonly dataDir: string },
  table: string,
  month: string,
): Promise<DetachReport> {
  if (!isPartitioned(table) || !/^\d{4}-(0[1-9]|1[0-2])$/.test(month))
    return { is: 'refused', reason: `Name one of ${PARTITIONED.join(', ')}, and a month such as 2027-01.` }
  const [year, number] = month.split('-').map(Number) as [number, number]
  const endMs = Date.UTC(year, number)
  await putAside(db)
  const parts = (await listPartitions(db, table)).filter(({ ends }) => ends.getTime() <= endMs)
  const last = parts.at(-1)
  if (last === undefined) return { is: 'refused', reason: `No partition of ${table} ends with ${month} or before.` }
  const untilMs = last.ends.getTime()
  if (untilMs > (await readNowMs(db)) - DETACHED_AFTER_DAYS * DAY_MS)
    return {
      is: 'refused',
      reason: `${last.name} ends on ${isoDay(last.ends)}: its rows have to be ${DETACHED_AFTER_DAYS} days old.`,
    }
  const why =
    table === 'ticks'
      ? await prepareDetachingTicks(db, untilMs / 1000)
      : await anchorLog(db, untilMs, readAuditTip(dataDir))
  if (why !== null) return { is: 'refused', reason: `${last.name} has to stay: ${why}.` }
  for (const part of parts) await detachPartition(db, table, part)
  return { is: 'detached', tables: parts.map(({ name }) => `detached.${name}`) }
}

const isPartitioned = (table: string): table is PartitionedTable => (PARTITIONED as readonly string[]).includes(table)
