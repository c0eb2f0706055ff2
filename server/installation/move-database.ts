import { brokenText, knownText, openAuditLog, readAuditTip, verifyAuditLog } from '#server/features/audit/index.ts'
import { type CopiedUploads, copyUploads, type FileStorage } from '#server/features/files/index.ts'
import { verifyLedger } from '#server/features/wallet/index.ts'
import type { Database, Param, Queryable, Row, Tx } from '#server/platform/database/db.ts'
import { migrate, readAppliedMigrations, readMigrations } from '#server/platform/database/migrate.ts'
import { beginMove, finishMove, markMovedAway, readMoveMark } from '#server/platform/process/move-mark.ts'
import {
  listDetached,
  listPartitions,
  PARTITIONED,
  type PartitionedTable,
} from '#server/platform/database/partitions.ts'
import { collectParams } from '#server/platform/database/sql.ts'

export interface MoveDeps {
  readonly source: Database
  /** Has one connection and long time limits, because all rows are copied in one transaction. */
  readonly target: Database
  readonly auditKey: Uint8Array
  readonly dataDir: string
  readonly targetUrl: string
  /** The storages between which the images of the chat are copied; null copies none. */
  readonly uploads: { readonly from: FileStorage; readonly to: FileStorage } | null
  readonly onStep: (step: string) => void
}

export interface MoveReport {
  readonly tables: number
  readonly rows: number
  readonly transfers: number
  readonly auditRows: bigint
  readonly known: readonly string[]
  readonly uploads: CopiedUploads | null
  /** The detached partitions of the source, which are not moved. */
  readonly left: readonly string[]
}

const PAGES = 64
/** Tables that are not copied: the target has its own migrations and move mark, and sums up its ledger anew. */
const NOT_COPIED = new Set(['schema_migration', 'move_mark', 'ledger_checkpoint_balances'])
const AS_TEXT = `set datestyle = 'ISO, MDY'; set intervalstyle = 'postgres'; set bytea_output = 'hex'; set extra_float_digits = 1`

interface Column {
  readonly name: string
  readonly type: string
  readonly isIdentity: boolean
}
interface Table {
  readonly name: string
  /** All columns except generated ones and those with transaction ids, which mean nothing in another cluster. */
  readonly columns: readonly Column[]
  readonly refersTo: readonly string[]
  readonly isPartitioned: boolean
}

/**
 * Copies an embedded installation into an empty PostgreSQL database and proves the rows of all copied tables, the
 * ledger and the audit log. No server starts on the target before the proof is complete, so an interrupted move can be
 * started again.
 * @throws Error with one line for the operator; the source database is then unchanged
 */
export async function moveDatabase(deps: MoveDeps): Promise<MoveReport> {
  const { source, target, auditKey, dataDir, onStep } = deps
  await source.query('set default_transaction_read_only = on')
  await requireThisVersion(source)
  await claimTarget(target, await installationOf(source), () => markMovedAway(dataDir, deps.targetUrl))
  onStep('claimed')
  const uploads =
    deps.uploads === null
      ? null
      : await copyUploads(source, deps.uploads.from, deps.uploads.to, (files) => onStep(`copied images ${files}`))
  await migrate(target)
  onStep('migrated')
  await source.query(AS_TEXT)

  const tables = await readTables(source)
  const theirs = await readTables(target)
  if (JSON.stringify(tables) !== JSON.stringify(theirs))
    throw new Error('The tables of the two databases differ: the target was changed by hand. Drop it.')
  for (const table of PARTITIONED) await makeMonthsOf(source, target, table)
  const { rows: triggered } = await target.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`,
  )
  const setTriggers = (state: 'enable' | 'disable') =>
    triggered.map(({ name }) => `alter table "${name}" ${state} trigger user`).join(';')
  const rows = await target.tx(async (tx) => {
    await tx.query(AS_TEXT.replaceAll('set ', 'set local '))
    await tx.query(setTriggers('disable'))
    await tx.query(`truncate ${[...tables.map(({ name }) => `"${name}"`), 'ledger_checkpoint_balances'].join(', ')}`)
    let all = 0
    for (const table of inOrder(tables)) {
      const { count, digest } = await copyTable(source, tx, table)
      const { rows: found } = await tx.query<Contents>(`select ${contentsOf(table)} from "${table.name}"`)
      if (found[0]?.count !== BigInt(count) || found[0].digest !== digest)
        throw new Error(`${table.name}: ${count} rows were sent, and the target has others.`)
      all += count
      if (count > 0) onStep(`copied ${table.name} ${count}`)
    }
    await continueNumbers(source, tx, tables)
    await tx.query(setTriggers('enable'))
    return all
  })
  onStep('committed')
  const proof = await prove(target, auditKey, dataDir)
  onStep('proved')
  await finishMove(target)
  markMovedAway(dataDir, deps.targetUrl)
  const left = (await listDetached(source)).map(({ name }) => name)
  return { tables: tables.length, rows, uploads, ...proof, left }
}

async function requireThisVersion(source: Database): Promise<void> {
  const known = readMigrations().map(({ name }) => name)
  if ((await readAppliedMigrations(source)).join() !== known.join())
    throw new Error('The database is of another version: start the server of this version on it once.')
}

async function installationOf(source: Database): Promise<string> {
  const { rows } = await source.query<{ id: string }>('select id from installation')
  if (rows[0] === undefined) throw new Error('No server ever started on this database: there is nothing to move.')
  return rows[0].id
}

async function claimTarget(target: Database, installationId: string, markSource: () => void): Promise<void> {
  const mark = await readMoveMark(target)
  if (mark === null) {
    const { rows } = await target.query<{ name: string }>(
      `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname !~ '^(pg_|information_schema$)' and c.relkind in ('r', 'p', 'v', 'm', 'S', 'f')
          and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
        order by 1 limit 1`,
    )
    if (rows[0] !== undefined) throw new Error(`The target is not empty: it has ${rows[0].name}.`)
    await beginMove(target, installationId)
  } else if (mark.installationId !== installationId)
    throw new Error('Another installation is being moved, or was moved, to this database.')
  else if (mark.isFinished) {
    // Marks the source as moved away, in case the earlier move was interrupted before it did this.
    markSource()
    throw new Error('This installation was moved here already: set DATABASE_URL.')
  }
}

async function readTables(db: Database): Promise<Table[]> {
  const { rows } = await db.query<Column & Row & { table: string; isPartitioned: boolean }>(
    `select c.relname as "table", a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
            a.attidentity <> '' as "isIdentity", c.relkind = 'p' as "isPartitioned"
       from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and a.attnum > 0 and not a.attisdropped
        and a.attgenerated = '' and a.atttypid <> 'xid8'::regtype
      order by c.relname, a.attname`,
  )
  const { rows: references } = await db.query<{ from: string; to: string }>(
    `select conrelid::regclass::text as "from", confrelid::regclass::text as "to" from pg_constraint
      where contype = 'f' and connamespace = 'public'::regnamespace order by 1, 2`,
  )
  const names = [...new Set(rows.map(({ table }) => table))].filter((name) => !NOT_COPIED.has(name))
  return names.map((name) => ({
    name,
    columns: rows
      .filter(({ table }) => table === name)
      .map((row) => ({ name: row.name, type: row.type, isIdentity: row.isIdentity })),
    refersTo: references.flatMap(({ from, to }) => (from === name && to !== name ? [to] : [])),
    isPartitioned: rows.some((row) => row.table === name && row.isPartitioned),
  }))
}

const INSTANT: Readonly<Record<PartitionedTable, string>> = { ticks: 'to_timestamp(second)', audit_log: 'at' }

/** Makes a partition in the target for each month that has rows in the source after the target's first partition. */
async function makeMonthsOf(source: Queryable, target: Queryable, table: PartitionedTable): Promise<void> {
  const end = (await listPartitions(target, table))[0]?.ends
  if (end === undefined) throw new Error(`${table} has no partitions in the target.`)
  for (const { name, ends } of await listPartitions(source, table)) {
    if (ends <= end) continue
    const { rows } = await source.query<{ month: string }>(
      `select distinct to_char(${INSTANT[table]} at time zone 'UTC', 'YYYY-MM-01') as month from "${name}"
        where ${INSTANT[table]} >= $1`,
      [end],
    )
    for (const { month } of rows) await target.query('select make_month($1, $2::date)', [table, month])
  }
}

function inOrder(tables: readonly Table[]): Table[] {
  const done: Table[] = []
  while (done.length < tables.length) {
    const ready = tables.filter(
      (table) => !done.includes(table) && table.refersTo.every((name) => done.some((other) => other.name === name)),
    )
    if (ready.length === 0) throw new Error('Tables refer to each other in a circle.')
    done.push(...ready)
  }
  return done
}

interface Contents extends Record<string, unknown> {
  readonly count: bigint
  /** The sum of the hashes of all rows. It does not depend on the order of the rows. */
  readonly digest: string
}

const contentsOf = ({ columns }: Table): string =>
  `count(*) as count, coalesce(sum(('x' || left(md5(row(${columns.map(({ name }) => `"${name}"`).join(', ')})::text), 15))::bit(60)::bigint), 0)::text as digest`

/**
 * Copies up to PAGES pages of a table at a time, each column as an array of texts. While the target writes some pages,
 * the next pages are read.
 */
async function copyTable(source: Queryable, tx: Tx, table: Table): Promise<{ count: number; digest: string }> {
  const { columns } = table
  const names = columns.map(({ name }) => `"${name}"`)
  const write = (stretch: Contents): readonly [text: string, params: readonly Param[]] => {
    const sent = collectParams()
    const lists = columns.map((_, index) => `${sent.add(stretch[`c${index}`] as Param)}::text[]`)
    const text = `insert into "${table.name}" (${names.join(', ')}) overriding system value
      select ${columns.map(({ type }, index) => `c${index}::${type}`).join(', ')}
        from unnest(${lists.join(', ')}) as sent (${columns.map((_, index) => `c${index}`).join(', ')})`
    return [text, sent.values]
  }
  let count = 0
  let digest = 0n
  let writing: Promise<unknown> = Promise.resolve()
  // Rows are read by partition and written to the whole table, so that the target chooses the partition.
  const parts = table.isPartitioned ? await listPartitions(source, table.name as PartitionedTable) : [table]
  for (const { name: part } of parts) {
    const { rows: sizes } = await source.query<{ pages: number; share: number }>(
      `select (pg_relation_size($1::regclass) / current_setting('block_size')::int)::int as pages,
              (pg_relation_size($1::regclass)::float8 / greatest(pg_table_size($1::regclass), 1)) as share`,
      [`"${part}"`],
    )
    const { pages = 0, share = 1 } = sizes[0] ?? {}
    // Long values lie outside the pages (TOAST): with many of them, fewer pages are read together.
    const step = Math.max(1, Math.floor(PAGES * share))
    const read = `select ${contentsOf(table)}, ${names.map((name, index) => `array_agg(${name}::text)::text as c${index}`).join(', ')}
      from "${part}" where ctid >= $1::tid and ctid < $2::tid`
    for (let from = 0; from < pages; from += step) {
      const { rows } = await source.query<Contents>(read, [`(${from},0)`, `(${from + step},0)`])
      const stretch = rows[0]
      if (stretch === undefined || stretch.count === 0n) continue
      count += Number(stretch.count)
      digest += BigInt(stretch.digest)
      await writing
      writing = tx.query(...write(stretch))
      // `writing` is awaited only later: without a handler, a failure before then would be an unhandled rejection.
      writing.catch(() => {})
    }
  }
  await writing
  return { count, digest: String(digest) }
}

async function continueNumbers(source: Queryable, tx: Tx, tables: readonly Table[]): Promise<void> {
  const numbered = tables.flatMap(({ name, columns }) =>
    columns.filter(({ isIdentity }) => isIdentity).map((column) => [name, column.name] as const),
  )
  for (const [table, column] of numbered) {
    const { rows: names } = await source.query<{ name: string }>('select pg_get_serial_sequence($1, $2) as name', [
      `"${table}"`,
      column,
    ])
    const { rows } = await source.query<{ last: bigint; is_called: boolean }>(
      `select last_value as last, is_called from ${names[0]?.name}`,
    )
    const last = rows[0]
    if (last === undefined) throw new Error(`${table}.${column} has no numbers.`)
    await tx.query('select setval(pg_get_serial_sequence($1, $2), $3, $4)', [
      `"${table}"`,
      column,
      last.last,
      last.is_called,
    ])
  }
}

async function prove(target: Database, auditKey: Uint8Array, dataDir: string) {
  const { rows: off } = await target.query<{ name: string }>(
    `select tgname as name from pg_trigger where not tgisinternal and tgenabled <> 'O' limit 1`,
  )
  if (off[0] !== undefined) throw new Error(`The trigger ${off[0].name} is off in the target.`)
  await openAuditLog(target, auditKey)
  const { findings, transfers } = await verifyLedger(target, true)
  const [finding] = findings
  if (finding !== undefined)
    throw new Error(
      `The books do not add up (${finding.rule}: expected ${finding.expected}, found ${finding.found}); npm run audit:ledger shows all.`,
    )
  const { verified, broken, known } = await verifyAuditLog(target, readAuditTip(dataDir))
  if (broken.length > 0) throw new Error(`The audit log is broken: ${brokenText(broken)}.`)
  return { transfers, auditRows: verified, known: known.map(knownText) }
}
