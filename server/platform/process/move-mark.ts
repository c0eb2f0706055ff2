import { join } from 'node:path'
import type { Database, Queryable } from '#server/platform/database/db.ts'
import { hasTable } from '#server/platform/database/migrate.ts'
import { readIfThere, writeAndSync } from './durable-file.ts'

/* The table move_mark is created here and by no migration, because it must exist before the migrations run. */

export async function readMoveMark(db: Queryable) {
  if (!(await hasTable(db, 'move_mark'))) return null
  const { rows } = await db.query<{ readonly installationId: string; readonly isFinished: boolean }>(
    `select installation_id as "installationId", finished_at is not null as "isFinished" from move_mark`,
  )
  return rows[0] ?? null
}

export const beginMove = (db: Database, installationId: string): Promise<void> =>
  db.tx(async (tx) => {
    await tx.query(`create table public.move_mark (
      only_row boolean primary key default true check (only_row),
      installation_id uuid not null,
      began_at timestamptz not null default clock_timestamp(),
      finished_at timestamptz
    )`)
    await tx.query('insert into move_mark (installation_id) values ($1)', [installationId])
  })

export async function finishMove(db: Database): Promise<void> {
  await db.query('update move_mark set finished_at = clock_timestamp()')
}

export async function refuseUnfinishedMove(db: Database): Promise<void> {
  if ((await readMoveMark(db))?.isFinished === false)
    throw new Error('DATABASE_URL: a move to this database is not finished; run npm run move again, or drop it')
}

const MOVED_FILE = 'moved-to'

export const markMovedAway = (dataDir: string, url: string): void =>
  writeAndSync(join(dataDir, MOVED_FILE), `${withoutPassword(url)}\n`)

const withoutPassword = (url: string): string =>
  url.replace(/^([^/]*\/\/[^:@/?#]*):[^@]*@/, '$1@').replace(/([?&]password=)[^&]*/g, '$1…')

export function refuseMovedAway(dataDir: string): void {
  const path = join(dataDir, MOVED_FILE)
  const target = readIfThere(path)?.trim()
  if (target === undefined) return
  throw new Error(
    `DATABASE_URL is not set, and the database of ${dataDir} was moved to ${target}: set DATABASE_URL (with its password) to that. What is here is as old as the move; ${path} says so.`,
  )
}
