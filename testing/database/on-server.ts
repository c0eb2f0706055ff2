import { openNative } from '#server/platform/database/native.ts'

/** Runs a statement in the database that `url` names. */
export async function onServer(url: string, statement: string): Promise<void> {
  const server = openNative({ url, max: 1 })
  try {
    await server.query(statement)
  } finally {
    await server.close()
  }
}

/** Makes a copy of a database for tests. None of them ends the machine, so its commits do not wait for the disk. */
export async function copyDatabase(serverUrl: string, template: string, name: string): Promise<void> {
  await onServer(serverUrl, `create database ${name} template ${template}`)
  await onServer(serverUrl, `alter database ${name} set synchronous_commit = off`)
}

export const dropDatabase = (serverUrl: string, name: string): Promise<void> =>
  onServer(serverUrl, `drop database if exists ${name} with (force)`)

/** A database of a run that began longer ago was left behind. */
export const STALE_MS = 24 * 60 * 60 * 1000

/** Drops the databases whose names match, of those created before `untilMs`. */
export async function dropAll(serverUrl: string, pattern: string, untilMs = Infinity): Promise<void> {
  const server = openNative({ url: serverUrl, max: 1 })
  try {
    const { rows } = await server.query<{ datname: string }>('select datname from pg_database where datname ~ $1', [
      pattern,
    ])
    for (const { datname } of rows)
      if (Number(datname.split('_')[1]) < untilMs) await server.query(`drop database if exists ${datname} with (force)`)
  } finally {
    await server.close()
  }
}
