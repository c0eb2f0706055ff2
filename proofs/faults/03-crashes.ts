import { setTimeout as sleep } from 'node:timers/promises'
import { seeded } from '#testing/run/seeded.ts'
import { type BarLine, withinS } from '../report.ts'
import { type Engine, moneyLines, withMoneyWorld } from './money-world.ts'
import { startFastWriters } from './writers.ts'

const WRITERS = 20
const READY_S = 5
/** The same moments in every run, as far as the machine lets them be the same. */
const SEED = 0x5eed
/** One in three starts is killed before it is complete, so that recovery is interrupted, too. */
const EARLY_EVERY = 3
const EARLIEST_MS = 900
const LATEST_MS = 1_500

/** A process that is killed over and over, while writers write: nothing that it acknowledged is lost, or there twice. */
export async function crashes(isShort: boolean): Promise<BarLine[]> {
  const lines: BarLine[] = []
  for (const engine of ['embedded', 'native'] as const) lines.push(...(await crashing(engine, isShort ? 3 : 50)))
  return lines
}

function crashing(engine: Engine, kills: number): Promise<BarLine[]> {
  const random = seeded(SEED)
  // Each account is good for about 3 s of a writer that nothing interrupts.
  const accounts = WRITERS * (2 + kills)
  return withMoneyWorld(engine, 'crashes', accounts, async ({ server, writers: world, judge }) => {
    const readyMs: number[] = []
    const start = async () => void readyMs.push(await server.start())
    // A killed process leaves no compiled code for the next one, so the first process is ended in order before.
    await server.start()
    await server.stop()
    const writers = startFastWriters(server.url, world, WRITERS)
    for (let kill = 1; kill <= kills; kill++) {
      if (kill % EARLY_EVERY === 0) {
        server.spawn()
        await sleep(random() * EARLIEST_MS)
      } else {
        await start()
        await sleep(random() * LATEST_MS)
      }
      await server.kill()
    }
    await start()
    const written = await writers.stop()
    const judged = await judge([written])
    const [p95 = Number.POSITIVE_INFINITY] = readyMs
      .toSorted((one, other) => one - other)
      .slice(Math.ceil(readyMs.length * 0.95) - 1)
    return [
      ...moneyLines(`${engine}, ${kills} × kill -9`, written, judged),
      withinS(`${engine}: ready again, 95 of 100`, p95, READY_S),
    ]
  })
}
