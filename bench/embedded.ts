import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type EmbeddedDatabase, openEmbedded } from '#server/platform/database/embedded.ts'
import { inFolder } from '#testing/machines/folder.ts'
import { migrate } from '#server/platform/database/migrate.ts'
import { checkLedger } from './scratch.ts'
import { makeWorld } from './world.ts'

/** A folder with an embedded database of this many players; every measurement gets its own copy. */
export interface EmbeddedTemplate {
  readonly players: number
  drop(): void
  readonly folder: string
}

export async function makeEmbeddedTemplate(players: number): Promise<EmbeddedTemplate> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'))
  const db = await openEmbedded({ dataDir: folder, durable: false })
  try {
    await migrate(db)
    await makeWorld(db, players)
  } finally {
    await db.close()
  }
  return { players, folder, drop: () => rmSync(folder, { recursive: true }) }
}

/** Runs one measurement on a fresh copy of the database, and verifies the copy's ledger afterwards. */
export function onEmbeddedCopy<T>(template: EmbeddedTemplate, work: (dataDir: string) => Promise<T>): Promise<T> {
  return inFolder(async (dataDir) => {
    cpSync(template.folder, dataDir, { recursive: true })
    const result = await work(dataDir)
    await withEmbedded(dataDir, checkLedger)
    return result
  })
}

export async function withEmbedded<T>(dataDir: string, work: (db: EmbeddedDatabase) => Promise<T>): Promise<T> {
  const db = await openEmbedded({ dataDir })
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}
