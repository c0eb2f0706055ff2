import { setTimeout as sleep } from 'node:timers/promises'
import { openCutProxy } from '#testing/machines/proxy.ts'
import { onDatabase } from '../../bench/scratch.ts'
import { type BarLine, exactly } from '../report.ts'
import { moneyLines, withMoneyWorldAt } from './money-world.ts'
import { startFastWriters } from './writers.ts'

const WRITERS = 20
/** The pools are whole again by the next cut, for the most part. */
const BETWEEN_MS = 150
/** The process itself commits every second, so a cut that waits for longer will never come. */
const CUT_WITHIN_MS = 30_000

/**
 * A connection is lost once COMMIT is on its way, or after it was carried out, and the process does not learn which: it
 * has to look up every such outcome.
 */
export function unknownCommits(isShort: boolean): Promise<BarLine[]> {
  const cuts = isShort ? 10 : 200
  return onDatabase('unknown_commits', async (url, db) => {
    const proxy = await openCutProxy(url)
    try {
      const accounts = WRITERS * (2 + Math.ceil(cuts / 10))
      return await withMoneyWorldAt(url, db, accounts, { serverUrl: proxy.url }, async ({ server, writers, judge }) => {
        await server.start()
        const writing = startFastWriters(server.url, writers, WRITERS)
        await sleep(500)
        for (let cut = 1; cut <= cuts; cut++) {
          proxy.cutNext(cut % 2 === 0 ? 'at-commit' : 'after-commit')
          const endMs = performance.now() + CUT_WITHIN_MS
          while (proxy.cuts() < cut) {
            if (performance.now() > endMs) throw new Error('Nothing commits any more.')
            await sleep(2)
          }
          await sleep(BETWEEN_MS)
        }
        const made = proxy.cuts()
        const written = await writing.stop()
        const isUp = server.isRunning()
        const judged = await judge([written])
        return [
          exactly('COMMITs whose answer was lost', made, cuts),
          ...moneyLines(`${cuts} lost answers`, written, judged),
          exactly('processes that ended over it', isUp ? 0 : 1, 0),
        ]
      })
    } finally {
      await proxy.close()
    }
  })
}
