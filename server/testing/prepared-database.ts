import type { Database } from '#server/platform/db.ts'

/**
 * Stores the rows that migrations inserted, and creates a function in the database that restores them. Run once on the
 * database that all test databases are copied from.
 */
export async function rememberSeedRows(db: Database): Promise<void> {
  await db.query(`
    create schema test_seed;

    do $$
    declare
      t record;
      has_rows boolean;
    begin
      for t in select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
        and relname <> 'schema_migration'
      loop
        execute format('select exists (select from public.%I)', t.relname) into has_rows;
        if has_rows then
          execute format('create table test_seed.%I as table public.%I', t.relname, t.relname);
        end if;
      end loop;
    end $$;

    create function test_seed.reset() returns void language plpgsql as $$
    declare
      t record;
      has_rows boolean;
      columns text;
    begin
      -- Triggers and foreign keys are off until the end of this transaction: append-only tables refuse deletes.
      perform set_config('session_replication_role', 'replica', true);
      perform set_config('client_min_messages', 'warning', true);
      for t in select oid, relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
        and relname <> 'schema_migration'
      loop
        -- TRUNCATE makes new files each time: for a few rows DELETE takes a fraction of its time.
        if pg_relation_size(t.oid) > 262144 then
          execute format('truncate public.%I cascade', t.relname);
        else
          execute format('select exists (select from public.%I)', t.relname) into has_rows;
          if has_rows then
            execute format('delete from public.%I', t.relname);
          end if;
        end if;
      end loop;
      for t in select relname from pg_class where relnamespace = 'test_seed'::regnamespace and relkind = 'r'
      loop
        select string_agg(quote_ident(attname), ', ') into columns from pg_attribute
          where attrelid = format('public.%I', t.relname)::regclass and attnum > 0
            and not attisdropped and attgenerated = '';
        execute format('insert into public.%I (%s) overriding system value select %s from test_seed.%I',
          t.relname, columns, columns, t.relname);
      end loop;
    end $$;
  `)
}
