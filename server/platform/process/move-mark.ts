import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Database, Queryable } from '#server/platform/database/db.ts'
import { readIfThere } from './durable-file.ts'

/* The table move_mark is made here and not by a migration: it is there before the migrations are. */

export interface MoveMark {
  readonly installationId: string
  readonly isFinished: boolean
}

export async function readMoveMark(db: Queryable): Promise<MoveMark | null> {
  const { rows: found } = await db.query<{ is_there: boolean }>(
    `select to_regclass('public.move_mark') is not null as is_there`,
  )
  if (found[0]?.is_there !== true) return null
  const { rows } = await db.query<{ installation_id: string; is_finished: boolean }>(
    'select installation_id, finished_at is not null as is_finished from move_mark',
  )
  const row = rows[0]
  return row === undefined ? null : { installationId: row.installation_id, isFinished: row.is_finished }
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

export function markMovedAway(dataDir: string, url: string): void {
  const text = `${withoutPassword(url)}\n`
  writeFileSync(join(dataDir, MOVED_FILE), text, { mode: 0o600, flush: true })
}

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
