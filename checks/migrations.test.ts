// Gate: every migration is laid.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type EmbeddedDatabase, openEmbedded } from '#server/platform/database/embedded.ts'
import { readMigrations } from '#server/platform/database/migrate.ts'
import { findHarm, type HarmFinding } from './migration-locks.ts'

/**
 * Tables with no more rows than there are processes, staff's settings or days of the calendar, however large the
 * product grows.
 */
const SMALL_TABLES: Readonly<Record<string, string>> = {
  ledger_checkpoint: 'one row',
  audit_tip: 'one row',
  coin_market: 'one row',
  installation: 'one row',
  simulated_seeds: 'one row a day',
  presence_processes: 'one row for each running process',
}

interface Allowance {
  readonly date: string
  readonly tables: readonly string[]
  readonly reason: string
}

/**
 * Exceptions: what a migration may do to which tables, from which version on, and why it blocks nobody and breaks no
 * version.
 */
const ALLOWANCES: Readonly<Record<string, Allowance>> = {
  '0009_staff_lists.sql': { date: '2026-11-22', tables: ['bets'], reason: 'part of 1.0.0: no version before it' },
  '0010_staff_filters.sql': {
    date: '2026-11-22',
    tables: ['cash_requests', 'users'],
    reason: 'part of 1.0.0: no version before it',
  },
  '0012_staff_search.sql': {
    date: '2026-11-22',
    tables: ['audit_log', 'bets', 'users'],
    reason: 'part of 1.0.0: no version before it',
  },
  '0013_old_sessions.sql': { date: '2026-11-22', tables: ['sessions'], reason: 'part of 1.0.0: no version before it' },
  '0018_images_of_messages.sql': {
    date: '2026-11-22',
    tables: ['messages'],
    reason: 'part of 1.0.0: no version before it',
  },
  '0034_bets_in_queue.sql': {
    date: '2026-11-23',
    tables: ['book_queue'],
    reason: 'the open book is younger than 1.0.0, and the queue holds what half a second brings',
  },
  '0036_capabilities.sql': {
    date: '2026-11-23',
    tables: ['users'],
    reason: 'only the rows of admins change: a handful, found by their own index',
  },
  '0062_ticks_until.sql': {
    date: '2026-11-25',
    tables: ['ticks'],
    reason: 'reads the newest tick of each source by the key, before the lock',
  },
  '0066_audit_log_until.sql': {
    date: '2026-11-25',
    tables: ['audit_log'],
    reason: 'reads the newest act by the index of instants, before the lock',
  },
  '0075_admins_money_since.sql': {
    date: '2026-11-25',
    tables: ['users'],
    reason: 'only the rows of admins change: a handful, found by their own index',
  },
  '0113_care_days_noted.sql': {
    date: '2026-11-26',
    tables: ['care_cases'],
    reason: 'reads the first case by the index of opened_at, and writes a row for each day since',
  },
}

/** Runs every migration on the engine, which takes long on a machine that does other work, too. */
const everyMigrationMs = 180_000

test(
  'the product’s migrations hold nobody up and leave the version before working',
  { timeout: everyMigrationMs },
  async () => {
    const migrations = readMigrations()
    expect(migrations.length).toBeGreaterThan(15)
    const db = await openEmbedded({ dataDir: null })
    const found: string[] = []
    for (const { name, text, concurrentStatements } of migrations) {
      // An index that is made concurrently blocks nobody; readMigrations allows nothing else beside it.
      for (const statement of concurrentStatements ?? []) await db.query(statement)
      if (concurrentStatements !== null) continue
      const findings = await db.tx((tx) => findHarm(tx, text))
      for (const { table, kind, message } of findings)
        if (kind !== 'size' || !(table in SMALL_TABLES)) found.push(`${name}: ${table} ${message}`)
    }
    await db.close()
    const allowed = Object.entries(ALLOWANCES).flatMap(([name, { tables }]) =>
      tables.map((table) => `${name}: ${table} `),
    )
    expect(found.filter((finding) => !allowed.some((start) => finding.startsWith(start)))).toEqual([])
    // An allowance that is no longer needed would hide the next finding.
    expect(allowed.filter((start) => !found.some((finding) => finding.startsWith(start)))).toEqual([])
    for (const { date, reason } of Object.values(ALLOWANCES))
      expect(`${date} ${reason}`).toMatch(/^20\d\d-\d\d-\d\d .{20}/)
  },
)

describe('samples', () => {
  let db: EmbeddedDatabase

  beforeAll(async () => {
    db = await openEmbedded({ dataDir: null })
    await db.query(`
      create table users (id bigint primary key, name varchar(10));
      create table bets (id bigint primary key check (id < 9), user_id bigint, amount int not null default 0, note text, known text,
        constraint bets_known check (known is not null));
      alter table bets add constraint bets_amount check (amount > -1) not valid;
      create index bets_note on bets (note);
      alter table bets add constraint bets_user foreign key (user_id) references users (id) not valid;
      create function double_amounts() returns void language sql as 'update bets set amount = 2 * amount'`)
  })
  afterAll(() => db.close())

  /** The findings of this text. It is rolled back, so the next sample begins without it. */
  const findingsOf = async (text: string): Promise<string[]> => {
    let findings: readonly HarmFinding[] = []
    const undo = new Error('rolled back')
    await db
      .tx(async (tx) => {
        findings = await findHarm(tx, text)
        throw undo
      })
      .catch((error: unknown) => {
        if (error !== undo) throw error
      })
    return findings.map(({ table, message }) => `${table} ${message}`)
  }

  const unwritable = 'bets is read whole while nobody can write'
  const unreadable = 'bets is read whole while nobody can read or write'
  const rewritten = 'bets is written anew'
  const backfilled = 'bets has its rows changed in one transaction'
  /** The table becomes the first partition of a new one of its name. */
  const partitioned = (before: number) => `
    alter table bets rename to bets_first;
    create table bets (id bigint not null, user_id bigint, amount int not null default 0, note text, known text) partition by range (id);
    alter table bets attach partition bets_first for values from (minvalue) to (${before})`

  test.each([
    ['an index', 'create index on bets (amount)', unwritable],
    ['a unique index', 'create unique index on bets (note)', unwritable],
    ['a unique constraint', 'alter table bets add unique (note)', unreadable],
    ['an index made again', 'reindex table bets', unwritable],
    ['a check', 'alter table bets add check (amount < 9)', unreadable],
    ['a foreign key', 'alter table bets add foreign key (user_id) references users (id)', unwritable],
    [
      'a default that differs from row to row',
      'alter table bets add at timestamptz default clock_timestamp()',
      rewritten,
    ],
    ['a number for every row', 'alter table bets add seq bigint generated always as identity', rewritten],
    ['a computed column', 'alter table bets add twice int generated always as (amount * 2) stored', rewritten],
    ['a wider type', 'alter table bets alter amount type bigint', rewritten],
    ['another order on the disk', 'cluster bets using bets_pkey', rewritten],
    ['an emptied table', 'truncate bets', rewritten],
    ['no more nulls', 'alter table bets alter note set not null', unreadable],
    ['a backfill', `update bets set note = '' where note is null`, backfilled],
    ['a backfill by an index', `update bets set note = 'b' where note = 'a'`, backfilled],
    ['a clearing', 'delete from bets where amount = 0', backfilled],
    ['a backfill inside a block', `do $$ begin update bets set note = ''; end $$`, backfilled],
    ['a backfill inside a function', 'select double_amounts()', backfilled],
    [
      'a merge',
      'merge into bets using users on user_id = users.id when matched then update set note = name',
      backfilled,
    ],
    ['a copy', 'create table archive as select * from bets', 'bets is copied from'],
    ['a kept copy', 'create materialized view sums as select sum(amount) from bets', 'bets is copied from'],
    [
      'a short lock kept for a long time',
      'alter table bets add extra text; alter table bets validate constraint bets_amount',
      unreadable,
    ],
    ['a dropped column', 'alter table bets drop column note', 'bets loses note'],
    ['a renamed column', 'alter table bets rename note to memo', 'bets loses note'],
    ['a dropped table', 'drop table bets', 'bets is gone'],
    ['a partition whose rows nobody compared with its bounds', partitioned(8), unreadable],
    [
      'a partitioned table without the rows from before',
      `${partitioned(9)}; alter table bets detach partition bets_first`,
      rewritten,
    ],
    ['a renamed table', 'alter table bets rename to wagers', 'bets is gone'],
    ['another type without a rewrite', 'alter table users alter name type text', 'users has name of another type'],
    ['a required column', 'alter table bets add kind text not null', 'refuses every row of the version before'],
    ['a column that became required', 'alter table bets alter known set not null', 'that leave known empty'],
    ['a dropped default', 'alter table bets alter amount drop default', 'loses the default of amount'],
  ])('finds %s: %s', async (_, text, message) => {
    expect((await findingsOf(text)).join('\n')).toContain(message)
  })

  test.each([
    [
      'a new table',
      'create table limits (id int primary key, user_id bigint references users (id), amount int not null)',
    ],
    [
      'rows and an index of a new table',
      'create table limits (id int); insert into limits values (1); create index on limits (id)',
    ],
    ['a new column', 'alter table bets add extra text'],
    ['a new column with one default for all', 'alter table bets add kind text not null default 1'],
    ['a key in a new column', 'alter table bets add column by bigint references users (id)'],
    ['another default', 'alter table bets alter note set default 0'],
    ['a check of new rows', 'alter table bets add check (amount < 9) not valid'],
    ['a foreign key of new rows', 'alter table bets add foreign key (user_id) references users (id) not valid'],
    ['a look at the old rows', 'alter table bets validate constraint bets_amount'],
    ['a look at the old rows’ keys', 'alter table bets validate constraint bets_user'],
    ['a column that may be empty', 'alter table bets alter amount drop not null'],
    ['a dropped index', 'drop index bets_note'],
    ['a new row', `insert into users values (1, 'a')`],
    [
      'a trigger',
      'create trigger quiet before update on bets for each row execute function suppress_redundant_updates_trigger()',
    ],
    ['a partition whose rows are known to be within its bounds', partitioned(9)],
    ['a setting of the table', 'alter table bets set (fillfactor = 80)'],
  ])('lets %s: %s', async (_, text) => {
    expect(await findingsOf(text)).toEqual([])
  })
})
