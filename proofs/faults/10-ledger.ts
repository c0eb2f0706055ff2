import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { points } from '#domain/money.ts'
import type { Database } from '#server/platform/database/db.ts'
import { tamperWith } from '#testing/database/tamper.ts'
import { onDatabase } from '../../bench/scratch.ts'
import { type BarLine, exactly, withinS } from '../report.ts'
import { type Engine, withMoneyWorldAt } from './money-world.ts'
import { runProgram } from '#testing/machines/process.ts'
import { startFastWriters, type WritersWorld } from './writers.ts'

/** Stories of the model test: their number, and the steps of each. */
const STORIES = { short: { runs: 5, steps: 50 }, full: { runs: 5_000, steps: 200 } } as const
const SEED = 16
const FOUND_S = 70
const GIVEN_UP_MS = 120_000
const ASK_EVERY_MS = 250

/** A fault that an attacker with SQL, or a mistake of ours, could leave behind. Each touches its own rows alone. */
interface Planted {
  readonly name: string
  readonly plant: string
  readonly repair: string
}

/** The rows are of accounts that nobody writes any more or not yet, so that no new transfer leads there. */
const plantedIn = ({ players, roundId }: WritersWorld): readonly Planted[] => {
  const [idle, holder, bettor] = players.slice(-3).map(({ id }) => id)
  const wallet = `update ledger_accounts set balance = balance`
  return [
    {
      name: 'a cent too many',
      plant: `${wallet} + 1 where owner_id = '${idle}' and kind = 'wallet'`,
      repair: `${wallet} - 1 where owner_id = '${idle}' and kind = 'wallet'`,
    },
    {
      name: 'a hold without its withdrawal',
      plant: `update cash_requests set amount = amount + ${points(1)} where owner_id = '${holder}' and status = 'pending'`,
      repair: `update cash_requests set amount = amount - ${points(1)} where owner_id = '${holder}' and status = 'pending'`,
    },
    {
      name: 'a bet left open in an ended round',
      plant: `insert into rounds (id, type, index, opens_at, locks_at, closes_at, price_source, book, status, ended_at)
        select '${STUCK}', type, 800000000, opens_at, locks_at, closes_at, price_source, 'out', 'ended', now() from rounds where id = '${roundId}';
        update bets set round_id = '${STUCK}' where user_id = '${bettor}'`,
      repair: `update bets set round_id = '${roundId}' where user_id = '${bettor}'; delete from rounds where id = '${STUCK}'`,
    },
  ]
}
const STUCK = '01900000-0000-7000-9000-00000000dead'

/**
 * Proves by a second implementation of the rules that any order of acts leaves the books right, and that a wrong book
 * is noticed within a minute.
 */
export async function ledger(isShort: boolean): Promise<BarLine[]> {
  const planted = await plantAll(isShort)
  const { runs, steps } = STORIES[isShort ? 'short' : 'full']
  // At the same time: each of the two takes about one core.
  const told = await Promise.all(
    (['embedded', 'native'] as const).map(async (engine) => {
      const violations = (await runStories(engine, runs, steps)) ? 0 : 1
      return exactly(`${engine}, ${runs} stories of ${steps} acts, seed ${SEED}: violations`, violations, 0)
    }),
  )
  return [...told, ...planted]
}

/** Returns whether every story left the books right; prints the output of those that did not. */
async function runStories(engine: Engine, runs: number, steps: number): Promise<boolean> {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const child = spawn(
    process.execPath,
    ['scripts/test.mjs', '--project', 'server', 'server/features/game/model.test.ts', '-t', 'any story', '--retry=0'],
    {
      cwd: root,
      env: {
        ...process.env,
        ...{ MODEL_RUNS: String(runs), MODEL_STEPS: String(steps), MODEL_SEED: String(SEED), TEST_ENGINES: engine },
        // Without a server's address the test runs on the embedded engine alone.
        TEST_DATABASE_URL:
          engine === 'embedded'
            ? ''
            : (process.env['TEST_DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres'),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let said = ''
  for (const output of [child.stdout, child.stderr])
    output.on('data', (bytes) => {
      said += String(bytes)
      for (const progress of String(bytes).match(/^.* stories, \d+ s$/gm) ?? []) process.stderr.write(`${progress}\n`)
    })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) process.stderr.write(said)
  // A test run whose name filter matches no test would end well, too.
  if (code === 0 && !/[1-9][0-9]* passed/.test(said)) throw new Error(`No story was told: ${said}`)
  return code === 0
}

const plantAll = (isShort: boolean): Promise<BarLine[]> =>
  onDatabase('ledger', (url, db) =>
    withMoneyWorldAt(url, db, 400, {}, async ({ server, writers, dataDir }) => {
      await server.start()
      const last = { ...writers, players: writers.players.slice(-3), filingsOfAccount: 2 }
      await prepare(server.url, last)
      const lines: BarLine[] = []
      // A player who wrote before one fault still has a bet open, and could not write before the next.
      let unused = writers.players.slice(0, -3)
      for (const { name, plant, repair } of plantedIn(writers).slice(0, isShort ? 1 : 3)) {
        const writing = startFastWriters(server.url, { ...writers, players: unused }, 4)
        await sleep(2_000)
        const { playerIds } = await writing.stop()
        unused = unused.filter(({ id }) => !playerIds.includes(id))
        await tamper(db, plant)
        const seen = await untilClosed(server.url, writers.players[0]?.bearer ?? '')
        process.stderr.write(`  ${name}: closed after ${(seen.closedMs / 1_000).toFixed(1)} s\n`)
        lines.push(
          withinS(`${name}: money acts are answered 503 after`, seen.closedMs, FOUND_S),
          exactly(`${name}: reads that failed, of ${seen.reads}`, seen.failedReads, 0),
        )
        await tamper(db, repair)
        const { code, said } = await runProgram('server/commands/audit-ledger.ts', {
          args: ['--clear'],
          env: { DATA_DIR: dataDir, DATABASE_URL: url },
        })
        if (code !== 0) throw new Error(`The books are not right after the repair: ${said}`)
        await untilOpen(server.url, writers.players[0]?.bearer ?? '')
      }
      return lines
    }),
  )

/** Places a bet and files a withdrawal that stays pending for each of these accounts. */
async function prepare(url: string, world: WritersWorld): Promise<void> {
  for (const { bearer } of world.players)
    for (const [path, body] of [
      ['/history', { gameId: world.roundId, score: 10, value: 'UP', seenBasis: 'PRICE' }],
      ['/transaction', { type: 'WITHDRAW', money: 1 }],
    ] as const) {
      const answer = await fetch(`${url}/api/v1${path}`, {
        method: 'POST',
        headers: { authorization: bearer, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      if (!answer.ok) throw new Error(`${path} was answered ${answer.status}: ${await answer.text()}`)
    }
}

const tamper = (db: Database, statements: string) => tamperWith(db, ...statements.split(';'))

/** Files a deposit again and again until that is refused for the ledger's sake, and reads meanwhile and for a second more. */
async function untilClosed(
  url: string,
  bearer: string,
): Promise<{ closedMs: number; reads: number; failedReads: number }> {
  const beganMs = performance.now()
  let reads = 0
  let failedReads = 0
  const read = async () => {
    for (const path of ['/history/user', '/transaction', '/user/ledger', '/game/list-all']) {
      const answer = await fetch(`${url}/api/v1${path}`, { headers: { authorization: bearer } })
      await answer.arrayBuffer()
      reads++
      if (!answer.ok) failedReads++
    }
  }
  for (;;) {
    await read()
    if (await isClosed(url, bearer)) break
    if (performance.now() - beganMs > GIVEN_UP_MS) break
    await sleep(ASK_EVERY_MS)
  }
  const closedMs = performance.now() - beganMs
  for (let more = 0; more < 10; more++) await read()
  return { closedMs, reads, failedReads }
}

async function untilOpen(url: string, bearer: string): Promise<void> {
  const beganMs = performance.now()
  while (await isClosed(url, bearer)) {
    if (performance.now() - beganMs > GIVEN_UP_MS) throw new Error('Money acts stay closed.')
    await sleep(ASK_EVERY_MS)
  }
}

/** Asks by a deposit that is never filed: its sum is refused only after the ledger's state was judged. */
async function isClosed(url: string, bearer: string): Promise<boolean> {
  const answer = await fetch(`${url}/api/v1/transaction`, {
    method: 'POST',
    headers: { authorization: bearer, 'content-type': 'application/json' },
    body: JSON.stringify({ type: 'WITHDRAW', money: 100_000_000 }),
  })
  const { code } = (await answer.json()) as { code?: string }
  return code === 'LEDGER_CHECK_FAILED'
}
