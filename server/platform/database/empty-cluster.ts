import { existsSync, mkdirSync, openAsBlob, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { unfinishedPath } from '#server/platform/process/durable-file.ts'

const packages = fileURLToPath(new URL('../../../node_modules/', import.meta.url))

function keptPath(): string {
  const manifest = readFileSync(join(packages, '@electric-sql/pglite/package.json'), 'utf8')
  const { version } = JSON.parse(manifest) as { version: string }
  return join(packages, '.cache/kim-phien', `empty-cluster-${version}.tar`)
}

/** Stores an empty database for first starts, because making one takes much of the time of a first start. */
export async function keepEmptyCluster(makeDump: () => Promise<Blob>): Promise<void> {
  const path = keptPath()
  if (existsSync(path)) return
  mkdirSync(dirname(path), { recursive: true })
  const ownPath = unfinishedPath(path)
  writeFileSync(ownPath, Buffer.from(await (await makeDump()).arrayBuffer()))
  renameSync(ownPath, path)
}

export async function keptEmptyCluster(): Promise<Blob | null> {
  const path = keptPath()
  return existsSync(path) ? await openAsBlob(path) : null
}
