/**
 * Lets thousands of simulated players use a server, by the product's own calls and events (docs/operations.md, "Under
 * load"): `npm run load -- --url http://… --players N --minutes M`.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { parseArgs } from 'node:util'
import type { Database } from '#server/platform/database/db.ts'
import { openNative } from '#server/platform/database/native.ts'
import { setOrigin } from '../../proofs/chat/page.ts'
import { printTable } from '../report.ts'
import { type Account, accountsOfFile, createAccounts, newcomers } from './accounts.ts'
import { PERCENTILES } from './measures.ts'
import { renderReport } from './report.ts'
import { type LoadRun, runLoad } from './run.ts'
import type { Pace } from './schedule.ts'
import { storedByApi, storedInDatabase } from './stored.ts'
import { isRight, judge, verdictLine } from './verdict.ts'

const { values: args } = parseArgs({
  options: {
    url: { type: 'string' },
    players: { type: 'string', default: '100' },
    minutes: { type: 'string', default: '5' },
    ramp: { type: 'string' },
    bets: { type: 'string', default: '0.5' },
    messages: { type: 'string', default: '0.2' },
    looks: { type: 'string', default: '0.5' },
    drops: { type: 'string', default: '0.2' },
    away: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    accounts: { type: 'string' },
    'database-url': { type: 'string' },
    'max-errors': { type: 'string', default: '0' },
    report: { type: 'string' },
  },
})

/** Two cores can hash the passwords of this many sign-ins a second, besides all other work. */
const SIGN_INS_PER_S = 20

function fail(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(2)
}

function number(name: keyof typeof args, isWhole = false): number {
  const value = Number(args[name])
  if (!Number.isFinite(value) || value < 0 || (isWhole && !Number.isInteger(value)))
    fail(`--${name} is ${isWhole ? 'a whole number' : 'a number'} from 0 on`)
  return value
}

const url = args.url ?? fail('Whom? For example: npm run load -- --url http://127.0.0.1:3000 --players 100 --minutes 5')
const players = number('players', true)
const pace: Pace = {
  players,
  rampS: args.ramp === undefined ? Math.ceil(players / SIGN_INS_PER_S) : number('ramp'),
  playS: number('minutes') * 60,
  bets: number('bets'),
  messages: number('messages'),
  looks: number('looks'),
  drops: number('drops'),
  awayS: number('away'),
}
const seed = number('seed', true)
const maxErrors = number('max-errors', true)
const databaseUrl = args['database-url']
const beganAt = new Date()
const reportPath = args.report ?? `load-report/${beganAt.toISOString().replaceAll(':', '-').slice(0, 19)}.html`

const withDatabase = async <T>(address: string, work: (db: Database) => Promise<T>): Promise<T> => {
  const db = openNative({ url: address, max: 2, statementTimeoutMs: 300_000, lockTimeoutMs: 30_000 })
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}

async function accountsOf(): Promise<Account[]> {
  if (args.accounts !== undefined) return accountsOfFile(args.accounts, players)
  return databaseUrl === undefined ? newcomers(players) : withDatabase(databaseUrl, (db) => createAccounts(db, players))
}

const say = (line: string): void => void process.stdout.write(`${line}\n`)

async function check({ clients, acknowledged, undecided }: LoadRun) {
  const stored =
    databaseUrl === undefined
      ? await storedByApi(clients)
      : await withDatabase(databaseUrl, (db) => storedInDatabase(db, clients))
  return judge(acknowledged, stored, undecided)
}

try {
  setOrigin(url)
  const accounts = await accountsOf()
  if (accounts.some(({ referralCode }) => referralCode !== null))
    say('They register first: ten an hour from one address, unless the server has RATE_LIMIT_FACTOR=1000')
  say(`${players} players sign in over ${pace.rampS} s and play for ${pace.playS} s`)
  const run = await runLoad({
    url,
    seed,
    pace,
    accounts,
    onProgress: ({ done, unexpected, lateness }, goneS) =>
      say(
        `${goneS.toFixed(0).padStart(5)} s  ${[...done].map(([timed, count]) => `${timed} ${count}`).join(' · ')} · unexpected ${unexpected} · late p99 ${lateness.p99Ms.toFixed(0)} ms`,
      ),
  })
  const verdict = await check(run)
  const { seen } = run
  const right = isRight(verdict, seen.unexpected, maxErrors)
  mkdirSync(dirname(reportPath), { recursive: true })
  writeFileSync(
    reportPath,
    renderReport({
      ...{ url, seed, pace, beganAt, lastedS: run.lastedS, seen, verdict, maxErrors, isRight: right },
      checkedIn: databaseUrl === undefined ? 'what each player is shown' : 'the database',
    }),
  )
  say('')
  printTable([
    ['ms', 'count', ...PERCENTILES.map((one) => `p${one}`), 'longest'],
    ...seen.summaries.map(({ timed, count, percentiles, maxMs }) => [
      timed,
      String(count),
      ...PERCENTILES.map((one) => (percentiles.get(one) ?? Number.NaN).toFixed(0)),
      maxMs.toFixed(0),
    ]),
  ])
  for (const { timed, outcome, code, count } of seen.counts) say(`${timed}: ${outcome}, ${code}: ${count}`)
  say(`\n${verdictLine(verdict)}; ${seen.unexpected} unexpected answers, ${maxErrors} allowed; ${reportPath}`)
  process.exitCode = right ? 0 : 1
} catch (error) {
  process.stderr.write(`${String((error as Error).stack)}\n`)
  process.exitCode = 1
}
