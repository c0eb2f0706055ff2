import { existsSync, mkdirSync, openAsBlob, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { unfinishedPath } from '#server/platform/process/durable-file.ts'

const packages = fileURLToPath(new URL('../../../node_modules/', import.meta.url))

/** The name contains the engine's version: files of another version would not open. */
function keptPath(): string {
  const manifest = readFileSync(join(packages, '@electric-sql/pglite/package.json'), 'utf8')
  const { version } = JSON.parse(manifest) as { version: string }
  return join(packages, '.cache/kim-phien', `empty-cluster-${version}.tar`)
}

/**
 * Stores the dump of a new, empty database (newClusterDump) for the first start: creating a database takes twice as
 * long as the rest of that start. Runs beside a build of the web.
 */
export async function keepEmptyCluster(dump: Blob): Promise<void> {
  const path = keptPath()
  mkdirSync(dirname(path), { recursive: true })
  const ownPath = unfinishedPath(path)
  writeFileSync(ownPath, Buffer.from(await dump.arrayBuffer()))
  renameSync(ownPath, path)
}

/** The stored dump, or null where there is none: then the engine creates a new database itself. */
export async function keptEmptyCluster(): Promise<Blob | null> {
  const path = keptPath()
  return existsSync(path) ? await openAsBlob(path) : null
}
