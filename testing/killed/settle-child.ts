import { flushCompileCache } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import { settleDue } from '#server/features/game/index.ts'
import { createLog } from '#server/platform/process/log.ts'
import { openNative } from '#server/platform/database/native.ts'
import { createFakeClock } from '#testing/time/fake-clock.ts'
import { fixedPrices, noHints } from '#testing/play/rounds.ts'
import { type StepVisitor, stepDatabase } from './stepped-database.ts'

/**
 * A process that settles due rounds on each order, and kills itself at the step that the order names. Started with
 * `fork` and the database's url; sends `ready`, then answers each order with the number of steps it took, unless it
 * died.
 */
export interface SettleOrder {
  readonly chunkSize: number
  /** Counts all steps, or commits alone: two lanes take their steps in an order that differs from run to run. */
  readonly dieAt: {
    readonly of: 'steps' | 'commits'
    readonly nth: number
    readonly moment: 'before' | 'during' | 'after'
  } | null
}

export interface SettleReport {
  /** A description of each step, in order. */
  readonly steps: readonly string[]
}

const isCommit = (what: string): boolean => what.startsWith('commit')

const url = process.argv[2]
if (url === undefined || process.send === undefined) throw new Error('This is started by a test.')
const db = openNative({ url, max: 2, applicationName: 'test-settler' })

async function settle({ chunkSize, dieAt }: SettleOrder): Promise<SettleReport> {
  const steps: string[] = []
  const commits: number[] = []
  const dieIf = (moment: string) => (step: number) => {
    if (dieAt === null || dieAt.moment !== moment) return
    if (dieAt.nth === (dieAt.of === 'steps' ? step : commits.indexOf(step) + 1)) process.kill(process.pid, 'SIGKILL')
  }
  const visitor: StepVisitor = {
    before(step, what) {
      steps.push(what.replaceAll(/\s+/g, ' ').trim().slice(0, 60))
      if (isCommit(what)) commits.push(step)
      dieIf('before')(step)
    },
    during: dieIf('during'),
    after: dieIf('after'),
  }
  const deps = {
    db: stepDatabase(db, visitor),
    prices: fixedPrices((second) => second),
    hints: noHints,
    clock: createFakeClock(),
    log: createLog('warn'),
    chunkSize,
  }
  while (await settleDue(deps)) await sleep(5)
  return { steps }
}

process.on('message', (order: SettleOrder) => {
  settle(order).then(
    (report) => process.send?.(report),
    (error: unknown) => {
      process.stderr.write(`${String(error)}\n`)
      process.exit(1)
    },
  )
})
process.on('disconnect', () => process.exit(0))
await db.query('select 1')
// A killed process writes no compile cache, and later ones should not have to compile everything again.
flushCompileCache()
process.send('ready')
