import { PassThrough, pipeline, Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import type { Database } from '#server/platform/database/db.ts'
import type { Refused } from '#server/platform/http/errors.ts'
import { DATA_SETS } from './data-sets.ts'
import { README } from './readme.ts'
import { csvOf, jsonOf, type Scope } from './write-rows.ts'

/** Reads the wallet's last position and all balances as of one moment. Null for a user without a wallet. */
export async function readScope(db: Database, userId: string): Promise<Scope | null> {
  const { rows } = await db.query<Omit<Scope, 'userId'>>(
    `select w.id as "walletId", w.transfer_count as position, w.balance, s.balance as staked, r.balance as reserved
       from ledger_accounts w
       join ledger_accounts s on s.owner_id = w.owner_id and s.kind = 'staked'
       join ledger_accounts r on r.owner_id = w.owner_id and r.kind = 'reserved'
      where w.owner_id = $1 and w.kind = 'wallet'`,
    [userId],
  )
  return rows[0] === undefined ? null : { userId, ...rows[0] }
}

async function* afterJudging(judge: () => Promise<Refused | null>, texts: () => AsyncGenerator<string>) {
  const refused = await judge()
  if (refused !== null) throw refused
  yield* texts()
}

/**
 * Returns the data sets of one account as a ZIP of JSON and CSV files. Rows are read page by page as the client takes
 * bytes, without a transaction. An error aborts the download, so that no client mistakes half a file for a whole one.
 * @param judge is called before each data file; a refusal aborts the download (rules §4.1)
 * @param onEnd called once, when the stream has ended in any way
 */
export function writeArchive(
  db: Database,
  scope: Scope,
  judge: () => Promise<Refused | null>,
  onEnd: () => void,
): Readable {
  const zip = new ZipFile()
  const out = new PassThrough()
  const stopping = new AbortController()
  const add = (name: string, texts: () => AsyncGenerator<string>) =>
    zip.addReadStreamLazy(name, (give) => {
      const source = Readable.from(afterJudging(judge, texts), { objectMode: false, signal: stopping.signal })
      // The ZIP library ignores errors of a source, so an error is passed on to the output here.
      source.once('error', (error) => out.destroy(error))
      give(null, source)
    })

  zip.addBuffer(Buffer.from(README), 'README.txt')
  for (const set of DATA_SETS) {
    add(`${set.name}.json`, () => jsonOf(db, set, scope))
    add(`${set.name}.csv`, () => csvOf(db, set, scope))
  }
  zip.end()
  zip.on('error', (error: Error) => out.destroy(error))
  pipeline(zip.outputStream, out, () => {
    stopping.abort()
    onEnd()
  })
  return out
}
