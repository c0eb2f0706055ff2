import type { Database } from '#server/platform/database/db.ts'
import { migrate } from '#server/platform/database/migrate.ts'
import { openNative } from '#server/platform/database/native.ts'
import { inFolder } from '#testing/machines/folder.ts'
import { brokenInvariants } from '#testing/play/books.ts'
import { withEmbedded } from '../../bench/embedded.ts'
import { onDatabase } from '../../bench/scratch.ts'
import { makeOwnServer, type OwnServer, runProgram } from '#testing/machines/process.ts'
import { type BarLine, exactly } from '../report.ts'
import { type Compared, compareWritten, createWritersWorld, type WritersWorld, type Written } from './writers.ts'

export type Engine = 'embedded' | 'native'

/** One of our own servers, not started yet, with the accounts of writers in its database. */
export interface MoneyWorld {
  readonly engine: Engine
  readonly server: OwnServer
  readonly writers: WritersWorld
  readonly dataDir: string
  /** Compares the acknowledged acts with the database, and has the books audited. Ends the server, which must run. */
  readonly judge: (written: readonly Written[]) => Promise<Judged>
}

export interface Judged extends Compared {
  /** Findings of the ledger's verifier, of the books' promises and of the audit log's verifier. */
  readonly findings: readonly string[]
}

/** Makes a world of `accounts` accounts, on a PostgreSQL database of its own or embedded in a folder of its own. */
export function withMoneyWorld<T>(
  engine: Engine,
  name: string,
  accounts: number,
  work: (world: MoneyWorld) => Promise<T>,
): Promise<T> {
  if (engine === 'native')
    return onDatabase(name, (url, db) => withMoneyWorldAt(url, db, accounts, {}, (world) => work(world)))
  return inFolder(async (dataDir) => {
    const writers = await withEmbedded(dataDir, async (db) => {
      await migrate(db)
      return await createWritersWorld(db, accounts)
    })
    const server = await makeOwnServer(dataDir, {})
    const judge = (written: readonly Written[]) =>
      judging(server, dataDir, {}, () => withEmbedded(dataDir, (db) => compareAll(db, written)))
    return await endingWith(server, () => work({ engine, server, writers, dataDir, judge }))
  })
}

/** Makes such a world on an existing PostgreSQL database, which the server reaches under `serverUrl`, if given. */
export function withMoneyWorldAt<T>(
  url: string,
  db: Database,
  accounts: number,
  { serverUrl = url, filingsOfAccount }: { readonly serverUrl?: string; readonly filingsOfAccount?: number },
  work: (world: MoneyWorld) => Promise<T>,
): Promise<T> {
  return inFolder(async (dataDir) => {
    const writers = await createWritersWorld(db, accounts, filingsOfAccount)
    const server = await makeOwnServer(dataDir, { DATABASE_URL: serverUrl })
    const judge = (written: readonly Written[]) =>
      judging(server, dataDir, { DATABASE_URL: url }, async () => {
        // Connections of its own, since a fault may break the server's.
        const own = openNative({ url, max: 2, statementTimeoutMs: 300_000 })
        try {
          return await compareAll(own, written)
        } finally {
          await own.close()
        }
      })
    return await endingWith(server, () => work({ engine: 'native', server, writers, dataDir, judge }))
  })
}

async function endingWith<T>(server: OwnServer, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } finally {
    await server.kill()
  }
}

type ComparedAll = Compared & { readonly broken: readonly string[] }

async function compareAll(db: Database, written: readonly Written[]): Promise<ComparedAll> {
  const all = { lost: 0, doubled: 0, wrong: 0 }
  for (const one of written) {
    const { lost, doubled, wrong } = await compareWritten(db, one)
    all.lost += lost
    all.doubled += doubled
    all.wrong += wrong
  }
  return { ...all, broken: await brokenInvariants(db) }
}

/** The embedded database is audited by its server, which holds it, and compared when that has ended. */
async function judging(
  server: OwnServer,
  dataDir: string,
  env: Record<string, string>,
  compare: () => Promise<ComparedAll>,
): Promise<Judged> {
  const audited = await auditBooks(dataDir, env)
  await server.kill()
  const { broken, ...compared } = await compare()
  const findings = [...broken, ...audited]
  for (const finding of findings) process.stderr.write(`  ${finding}\n`)
  return { ...compared, findings }
}

/** The findings of the verifiers of ledger and audit log, on an embedded database whose server runs. */
export async function auditBooks(dataDir: string, env: Record<string, string>): Promise<string[]> {
  const audits = await Promise.all(
    ['audit-ledger', 'audit-log'].map((name) =>
      runProgram(`server/commands/${name}.ts`, { env: { DATA_DIR: dataDir, ...env } }),
    ),
  )
  return audits.flatMap(({ code, said }) => (code === 0 ? [] : [said]))
}

const acknowledgedIn = ({ acts }: Written): number => acts.length

/** The lines that every fault of money has. */
export const moneyLines = (what: string, written: Written, judged: Judged): BarLine[] => [
  exactly(`${what}, ${acknowledgedIn(written)} acknowledged writes: lost`, judged.lost, 0),
  exactly(`${what}: written twice`, judged.doubled, 0),
  exactly(`${what}: of ${written.resolved} calls without a first answer, undecided at the end`, written.unanswered, 0),
  exactly(`${what}: balances other than acknowledged`, judged.wrong, 0),
  exactly(`${what}: findings in the books and the audit log`, judged.findings.length, 0),
]
