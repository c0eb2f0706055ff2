import type { Queryable, Tx } from '#server/platform/database/db.ts'

export interface HarmFinding {
  /** A table that existed before the migration. */
  readonly table: string
  /** `size`: blocks users of a table that has grown. `version before`: breaks the version that still runs. */
  readonly kind: 'size' | 'version before'
  readonly message: string
}

interface Table {
  readonly name: string
  /** Identifies the table's file; it changes when the whole table is rewritten. */
  readonly file: number
  /** The partitioned table that it is a partition of. */
  readonly parent: string | null
  /** The number of sequential and index scans, as counted in this connection. */
  readonly scans: number
  readonly indexScans: number
  /** The locks that this transaction holds on the table. */
  readonly locks: readonly string[]
}

interface Column {
  readonly name: string
  readonly type: string
  readonly isRequired: boolean
  readonly hasDefault: boolean
}

interface Schema {
  readonly tables: ReadonlyMap<string, Table>
  readonly columns: ReadonlyMap<string, ReadonlyMap<string, Column>>
}

/** PostgreSQL's table locks, from the weakest. */
const LOCKS = [
  'AccessShareLock',
  'RowShareLock',
  'RowExclusiveLock',
  'ShareUpdateExclusiveLock',
  'ShareLock',
  'ShareRowExclusiveLock',
  'ExclusiveLock',
  'AccessExclusiveLock',
]

/** The effect on others of reading a whole table, by the strongest lock that is held on it until the end. */
const WHOLE_TABLE_UNDER: Readonly<Record<string, string>> = {
  AccessShareLock: 'is copied from in one transaction: copy in batches, after the start',
  RowExclusiveLock: 'has its rows changed in one transaction: change them in batches, after the start',
  ShareLock: 'is read whole while nobody can write: create the index concurrently, in a migration of its own',
  ShareRowExclusiveLock:
    'is read whole while nobody can write: add the constraint as not valid, and validate it in a later migration',
  ExclusiveLock: 'is read whole while nobody can write',
  AccessExclusiveLock:
    'is read whole while nobody can read or write: check it by a constraint that is not valid at first, and validate it in a later migration',
}

/**
 * Applies a migration to a database that has the ones before it, inside a transaction, and returns everything that
 * would harm a large table or the version before. Nothing is guessed from the text: the engine reports which locks the
 * migration took on existing tables, whether it read or rewrote them in full, and how their columns changed. The size
 * of a table does not matter here: the tables may be empty.
 */
export async function findHarm(tx: Tx, text: string): Promise<HarmFinding[]> {
  const before = await schemaOf(tx)
  await tx.query(text)
  const after = await schemaOf(tx)
  return [...before.tables.values()].flatMap((table) => [
    ...heldUp(table, successorOf(table, after)).map(
      (message) => ({ table: table.name, kind: 'size', message }) as const,
    ),
    ...leftBehind(table.name, before, after).map(
      (message) => ({ table: table.name, kind: 'version before', message }) as const,
    ),
  ])
}

/** The table of that name; where that is new and partitioned, its partition that is the table from before. */
function successorOf({ name, file }: Table, { tables }: Schema): Table | undefined {
  const isAsBefore = (table: Table) => table.file === file && table.parent === name
  return [...tables.values()].find(isAsBefore) ?? tables.get(name)
}

/** Locks that are held during work that grows with the table. */
function heldUp(before: Table, after: Table | undefined): string[] {
  if (after === undefined) return []
  if (after.file !== before.file) return ['is written anew while nobody can read or write']
  if (after.scans <= before.scans && after.indexScans <= before.indexScans) return []
  const strongest = LOCKS.findLast((lock) => after.locks.includes(lock)) ?? ''
  const message = WHOLE_TABLE_UNDER[strongest]
  return message === undefined ? [] : [message]
}

/** Columns that statements of the version before name, or leave out of an insert. */
function leftBehind(table: string, before: Schema, after: Schema): string[] {
  const columns = after.columns.get(table)
  if (columns === undefined) return ['is gone, and the version before uses it']
  const was = before.columns.get(table) ?? new Map<string, Column>()
  const changed = [...was.values()].flatMap(({ name, type, isRequired, hasDefault }) => {
    const now = columns.get(name)
    if (now === undefined) return [`loses ${name}, which the version before uses`]
    if (now.type !== type) return [`has ${name} of another type than the version before expects`]
    if (now.isRequired && !isRequired) return [`refuses rows of the version before that leave ${name} empty`]
    return hasDefault && !now.hasDefault ? [`loses the default of ${name}, which the version before relies on`] : []
  })
  const added = [...columns.values()]
    .filter(({ name, isRequired, hasDefault }) => !was.has(name) && isRequired && !hasDefault)
    .map(({ name }) => `refuses every row of the version before, which knows no ${name}`)
  return [...changed, ...added]
}

async function schemaOf(db: Queryable): Promise<Schema> {
  const tables = await db.query<Table & Record<string, unknown>>(`
    select c.relname as name, c.relfilenode::int4 as file, p.relname as parent, coalesce(s.seq_scan, 0)::int as scans,
        coalesce(s.idx_scan, 0)::int as "indexScans",
        array(select mode from pg_locks l where l.relation = c.oid and l.pid = pg_backend_pid()) as locks
      from pg_class c left join pg_stat_xact_user_tables s on s.relid = c.oid
      left join pg_inherits i on i.inhrelid = c.oid left join pg_class p on p.oid = i.inhparent
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'm')
     order by c.relname`)
  const columns = await db.query<{ table: string } & Record<keyof Column, never>>(`
    select c.relname as table, a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
        a.attnotnull as "isRequired", a.atthasdef or a.attidentity <> '' as "hasDefault"
      from pg_attribute a join pg_class c on c.oid = a.attrelid
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'm') and a.attnum > 0 and not a.attisdropped`)
  const byTable = new Map(tables.rows.map(({ name }) => [name, new Map<string, Column>()]))
  for (const { table, ...column } of columns.rows) byTable.get(table)?.set(column.name, column)
  return { tables: new Map(tables.rows.map((table) => [table.name, table])), columns: byTable }
}
