import type { Day } from '#domain/day.ts'
import type { Database, Row } from '#server/platform/database/db.ts'

/** Key of the advisory lock of `packDays`. Without the lock, a process could overwrite a day with older cases. */
const PACK_LOCK = 5_107_245
const KEPT_DAYS_MAX = 800

/**
 * A packed case ends with a byte for topic and flags. The byte's low three bits (`TOPIC`) are an index into this list.
 * The next three bits are the flags `IS_REOPENED`, `IS_RATED` and `IS_GOOD`.
 */
export const TOPICS = [null, 'bet', 'deposit', 'withdrawal', 'account', 'other'] as const
export const TOPIC = 7
export const [IS_REOPENED, IS_RATED, IS_GOOD] = [8, 16, 32] as const
/**
 * Size of a packed case: 5 bytes for the ms from its opening to its first reply, 5 for the ms from its opening to its
 * end, 2 for who replied first, 2 for who ended it (both as a position in the row's `admins`, from 1; 0 for nobody),
 * and 1 for topic and flags.
 */
const CASE_BYTES = 15
/** Takes the place of a duration in ms if the case has no first reply, or has not ended. */
export const NO_MS = 2 ** 40 - 1

const MS = (to: string) => `substring(int8send(case when ${to} is null then ${NO_MS}
    else greatest(0, round(extract(epoch from ${to} - opened_at) * 1000))::bigint end) from 4)`
const PLACE = (id: string) => `int2send(coalesce(array_position(admins, ${id}), 0)::int2)`

const PACKED = `
  select changed.day, of_day.* from changed cross join lateral (
    with counted as materialized (
      select * from care_cases where opened_at >= changed.day::timestamp at time zone interval '7 hours'
         and opened_at < (changed.day + 1)::timestamp at time zone interval '7 hours'),
    people as (
      select coalesce(array_agg(distinct who), '{}') as admins
        from counted cross join unnest(array[first_reply_by, done_by]) who where who is not null)
    select admins, coalesce((select string_agg(
        ${MS('first_reply_at')} || ${MS('done_at')} || ${PLACE('first_reply_by')} || ${PLACE('done_by')}
        || set_byte('\\x00', 0, coalesce(array_position(array['${TOPICS.slice(1).join("','")}'], topic), 0)
             + case when is_reopened then ${IS_REOPENED} else 0 end
             + case satisfaction when 'good' then ${IS_RATED + IS_GOOD} when 'bad' then ${IS_RATED} else 0 end), '')
      from counted), '') as packed from people) of_day`

/**
 * Packs all cases of each changed day into that day's row of care_days (rules §7.16). A trigger adds a row to
 * care_days_changed with each change of a case, so a change during the packing leaves a row for the next call. Once
 * `stopping` is aborted, no further day is packed.
 */
export async function packDays(db: Database, stopping?: AbortSignal): Promise<void> {
  const { rows } = await db.query<{ day: Day }>(`select distinct day::text as day from care_days_changed`)
  for (const { day } of rows) {
    if (stopping?.aborted) return
    await db.tx(async (tx) => {
      await tx.query(`select pg_advisory_xact_lock(${PACK_LOCK})`)
      await tx.query(
        `with noted as (delete from care_days_changed where day = $1 returning day),
              changed as (select distinct day from noted)
         insert into care_days (day, admins, packed) ${PACKED}
         on conflict (day) do update set
           version = care_days.version + 1, admins = excluded.admins, packed = excluded.packed`,
        [day],
      )
    })
  }
}

export interface DurationColumn {
  readonly ms: Float64Array
  /** For each case, the bin of its duration (`binOf`). Cases without this duration (`NO_MS`) are in the last bin. */
  readonly bins: Uint16Array
  /** For each case, who replied first (in `replies`) or ended it (in `ends`): an index of `admins`, 0 for nobody. */
  readonly by: Uint16Array
}

/** Number of bins for durations. Two durations in the same bin differ by less than one percent. */
export const DURATION_BINS = 40 * 128 + 1
const float = new Float32Array(1)
const bits = new Uint32Array(float.buffer)
function binOf(ms: number): number {
  float[0] = ms + 1
  return ((bits[0] as number) >>> 16) - 127 * 128
}

export interface DayCases {
  readonly replies: DurationColumn
  readonly ends: DurationColumn
  readonly topics: Uint8Array
  readonly about: Uint8Array
}

interface DayRow extends Row {
  day: Day
  version: number | null
  admins: readonly string[]
  packed: Uint8Array
}

/**
 * Makes `read`, which returns all cases of a range of days. In one snapshot it reads care_days and, for days whose
 * changes are not packed yet, care_cases. Decoded days are cached with their version.
 */
export function createCareDays(db: Database) {
  /** Ids of admins. The `by` columns hold indexes into this list; index 0 means nobody. */
  const admins = ['']
  const placeOf = new Map<string, number>()
  const kept = new Map<Day, { readonly version: number; readonly cases: DayCases }>()

  function unpack({ admins: ids, packed }: DayRow): DayCases {
    const places = ids.map((id) => {
      const place = placeOf.get(id) ?? admins.push(id) - 1
      placeOf.set(id, place)
      return place
    })
    const bytes = new DataView(packed.buffer, packed.byteOffset, packed.byteLength)
    const length = packed.byteLength / CASE_BYTES
    const columnAt = (msAt: number, placeAt: number): DurationColumn => {
      const column = { ms: new Float64Array(length), bins: new Uint16Array(length), by: new Uint16Array(length) }
      for (let one = 0, at = 0; one < length; one++, at += CASE_BYTES) {
        const ms = bytes.getUint8(at + msAt) * 2 ** 32 + bytes.getUint32(at + msAt + 1)
        column.ms[one] = ms
        column.bins[one] = binOf(ms)
        column.by[one] = places[bytes.getUint16(at + placeAt) - 1] ?? 0
      }
      return column
    }
    const about = new Uint8Array(length)
    for (let one = 0; one < length; one++) about[one] = bytes.getUint8(one * CASE_BYTES + 14)
    const topics = about.map((what) => what & TOPIC)
    return { replies: columnAt(0, 10), ends: columnAt(5, 12), topics, about }
  }

  async function read(from: Day, to: Day): Promise<ReadonlyMap<Day, DayCases>> {
    if (kept.size > KEPT_DAYS_MAX) kept.clear()
    const known = [...kept].filter(([day]) => day >= from && day <= to)
    const { rows } = await db.query<DayRow>(
      `with changed as (select distinct day from care_days_changed where day between $1 and $2)
       select day::text as day, version, admins, packed from care_days
        where day between $1 and $2 and day not in (select day from changed)
          and (day, version) not in (select * from unnest($3::date[], $4::integer[]))
       union all select day::text, null, admins, packed from (${PACKED}) live`,
      [from, to, known.map(([day]) => day), known.map(([, { version }]) => version)],
      { name: 'chat-read-care-days' },
    )
    const days = new Map(known.map(([day, { cases }]) => [day, cases]))
    for (const row of rows) {
      const cases = unpack(row)
      days.set(row.day, cases)
      if (row.version !== null) kept.set(row.day, { version: row.version, cases })
    }
    return days
  }
  return { read, admins }
}
