import type { Database } from '#server/platform/database/db.ts'

/**
 * Stores the rows that migrations inserted, and creates a function in the database that restores them. Run once on the
 * database that all test databases are copied from.
 */
export async function rememberSeedRows(db: Database): Promise<void> {
  await db.query(`
    create schema test_seed;
    create schema test_made;
    create table test_made.inserts (statement text);

    do $$
    declare
      t record;
      has_rows boolean;
    begin
      for t in select oid, relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
        and relname <> 'schema_migration'
      loop
        execute format('select exists (select from public.%I)', t.relname) into has_rows;
        continue when not has_rows;
        execute format('create table test_seed.%I as table public.%I', t.relname, t.relname);
        insert into test_made.inserts
          select format('insert into public.%I (%s) overriding system value select %2$s from test_seed.%1$I', t.relname,
              string_agg(quote_ident(attname), ', '))
            from pg_attribute where attrelid = t.oid and attnum > 0 and not attisdropped and attgenerated = '';
      end loop;
    end $$;

    create function test_seed.reset() returns void language plpgsql as $$
    declare
      t record;
    begin
      -- Triggers and foreign keys are off until the end of this transaction: append-only tables refuse deletes.
      perform set_config('session_replication_role', 'replica', true);
      perform set_config('client_min_messages', 'warning', true);
      for t in select relname, size from pg_class, pg_relation_size(oid) as size
        where relnamespace = 'public'::regnamespace and relkind = 'r' and size > 0 and relname <> 'schema_migration'
      loop
        -- TRUNCATE makes new files each time: for a few rows DELETE takes a fraction of its time.
        execute format(case when t.size > 262144 then 'truncate public.%I cascade' else 'delete from public.%I' end,
          t.relname);
      end loop;
      for t in select statement from test_made.inserts loop
        execute t.statement;
      end loop;
    end $$;

    -- Everything but rows that a test may change. A session's schema of temporary tables stays once there was one.
    create function test_made.shape() returns text language sql as $$
      select md5(string_agg(line, ' ' order by line)) from (
        select concat_ws(' ', 'class', oid, relname, relkind, relnamespace, reloptions) as line
          from pg_class where oid >= 16384 and relnamespace <> 'pg_toast'::regnamespace
        union all select concat_ws(' ', 'column', attrelid, attname, atttypid, attnotnull, attisdropped)
          from pg_attribute where attrelid >= 16384
        union all select concat_ws(' ', 'default', adrelid, adnum, adbin) from pg_attrdef
        union all select concat_ws(' ', 'constraint', oid, conname, convalidated) from pg_constraint
        union all select concat_ws(' ', 'index', indexrelid, indisvalid, indisready) from pg_index
        union all select concat_ws(' ', 'trigger', oid, tgenabled) from pg_trigger
        union all select concat_ws(' ', 'function', oid, prosrc) from pg_proc where oid >= 16384
        union all select concat_ws(' ', 'type', oid, typname) from pg_type where oid >= 16384
        union all select concat_ws(' ', 'schema', nspname) from pg_namespace where nspname !~ '^pg_(toast_)?temp_'
        union all select concat_ws(' ', 'role', rolname) from pg_roles
        union all select concat_ws(' ', 'setting', setdatabase, setrole, setconfig) from pg_db_role_setting
          -- Every database of the tests has this one (test-database.ts); other files beside this one change those of theirs.
          where setconfig <> '{synchronous_commit=off}'
            and setdatabase in (0, (select oid from pg_database where datname = current_database()))
        union all select concat_ws(' ', 'session', name, setting) from pg_settings where source = 'session'
        union all select concat_ws(' ', 'migration', t) from public.schema_migration t
      ) as lines $$;
    -- Puts back sequences and counters; false where anything but rows is not as it was made.
    create function test_made.is_again() returns boolean language plpgsql as $$
    begin
      perform pg_stat_reset();
      perform setval(seq, value, is_called) from test_made.sequences;
      return test_made.shape() = (select shape from test_made.shapes);
    end $$;
    create table test_made.sequences as
      select format('%I.%I', schemaname, sequencename)::regclass as seq, coalesce(last_value, start_value) as value,
        last_value is not null as is_called
      from pg_sequences;
    create table test_made.shapes (shape text);
    insert into test_made.shapes select test_made.shape();
  `)
}
