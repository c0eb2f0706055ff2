import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { TestPlayer } from '#testing/play/rounds.ts'
import { onDatabase, onServer } from '../../bench/scratch.ts'
import { type BarLine, exactly, withinS } from '../report.ts'
import { moneyLines, withMoneyWorldAt } from './money-world.ts'
import { startFastWriters } from './writers.ts'

const WRITERS = 40
/** How many of these writers have their accounts locked: more than the process has connections for requests. */
const LOCKED = 34
/** Each account bets once and then files: small, so that bets go on all the time. */
const FILINGS_OF_ACCOUNT = 6
/** This many players read all the time, each as soon as the last answer is there. */
const READERS = 10
const LONGEST_S = 10
const HEALED_S = 3
/** A pause between calls, so that they wait for the trouble, and not for each other. */
const PAUSE_MS = 150
/** No call is given up before its time is known. */
const CALL_TIMEOUT_MS = 60_000
const GIVEN_UP_MS = 60_000
const STORM_EVERY_MS = 200
/** Connections that the process may still open when PostgreSQL has no more for others. */
const LEFT = 3

/** The process signs in as a role of its own that is no superuser, since superusers are never refused a connection. */
const ROLE = `bench_${process.pid}_role`

interface Trouble {
  readonly name: string
  readonly ms: number
  readonly begin: (operator: pg.Client, who: Who) => Promise<Begun>
}

interface Who {
  /** The accounts that are written now. */
  readonly players: readonly string[]
  readonly admins: readonly string[]
}

interface Begun {
  readonly end: () => Promise<unknown>
  /** The accounts whose calls it holds up to its end; null where it spares nobody, and nobody for sure. */
  readonly held: readonly string[] | null
}

const troublesOf = (isShort: boolean): readonly Trouble[] => [
  { name: 'connections terminated 5 times a second', ms: isShort ? 2_000 : 10_000, begin: storm },
  // The short form has this fault among the many below.
  ...(isShort ? [] : [{ name: 'an account locked by hand', ms: 20_000, begin: lockAccounts(1) }]),
  // Longer than the 5 s for which a lock is waited for.
  { name: 'the audit log’s tip locked by hand', ms: isShort ? 6_000 : 20_000, begin: lockTip },
  { name: 'the table of transfers locked by hand', ms: isShort ? 6_000 : 20_000, begin: lockTransfers },
  { name: 'every connection for requests waiting', ms: isShort ? 6_000 : 20_000, begin: lockAccounts(LOCKED) },
  { name: `PostgreSQL with ${LEFT} connections left`, ms: isShort ? 2_000 : 20_000, begin: refuseConnections },
  // Longer than a call may take, and in the full form also longer than a statement may, which is 30 s.
  { name: 'statements that do not end', ms: isShort ? 11_000 : 40_000, begin: neverEnd },
]

/** Faults that an operator sees on a bad day: no call may take long, and none may be lost or carried out twice. */
export async function databaseTrouble(isShort: boolean): Promise<BarLine[]> {
  try {
    return await onDatabase('trouble', async (url, db) => {
      await db.query(SLOW_FILINGS)
      await db.query(`create role ${ROLE} login in role current_user`)
      const own = new URL(url)
      own.username = ROLE
      const world = { serverUrl: own.href, filingsOfAccount: FILINGS_OF_ACCOUNT }
      return await withMoneyWorldAt(url, db, isShort ? 1_000 : 3_000, world, async ({ server, writers, judge }) => {
        await server.start()
        const writing = startFastWriters(server.url, writers, WRITERS, {
          pauseMs: PAUSE_MS,
          callTimeoutMs: CALL_TIMEOUT_MS,
        })
        const reading = startReaders(server.url, writers.players.slice(-READERS))
        const spans: Array<{ name: string; beginMs: number; endMs: number; healedMs: number }> = []
        for (const { name, ms, begin } of troublesOf(isShort)) {
          await sleep(1_000)
          const operator = new pg.Client({ connectionString: url })
          await operator.connect()
          try {
            const beginMs = performance.now()
            const who = { players: writing.current(), admins: writers.admins.map(({ id }) => id) }
            const { end, held } = await begin(operator, who)
            await sleep(ms)
            await end()
            const endMs = performance.now()
            // Counts only the writers that the trouble held up, where it spared others.
            const lastMs = () => (held === null ? writing.lastMs() : writing.lastMsOf(held))
            while (lastMs() < endMs) {
              if (performance.now() - endMs > GIVEN_UP_MS) throw new Error(`Money has not come back after: ${name}`)
              await sleep(10)
            }
            spans.push({ name, beginMs, endMs, healedMs: performance.now() - endMs })
          } finally {
            await operator.end()
          }
        }
        const written = await writing.stop()
        const reads = await reading.stop()
        const judged = await judge([written])
        return [
          ...spans.flatMap(({ name, beginMs, endMs, healedMs }) => {
            const longestMs = (calls: readonly TimedCall[]) =>
              Math.max(
                0,
                ...calls.flatMap((one) => (one.endMs > beginMs && one.endMs - one.tookMs < endMs ? [one.tookMs] : [])),
              )
            return [
              withinS(`${name}: the longest call`, longestMs(written.attempts), LONGEST_S),
              withinS(`${name}: the longest read`, longestMs(reads), LONGEST_S),
              withinS(`${name}: money again after its end`, healedMs, HEALED_S),
            ]
          }),
          exactly(
            `all of these: of ${reads.length} reads, answered otherwise than 200, 429 or 503`,
            reads.filter(({ status }) => ![200, 429, 503].includes(status)).length,
            0,
          ),
          ...moneyLines('all of these', written, judged),
        ]
      })
    })
  } finally {
    await onServer((server) => server.query(`drop role if exists ${ROLE}`))
  }
}

interface TimedCall {
  /** By `performance.now()`. */
  readonly endMs: number
  readonly tookMs: number
  /** The status of the answer; 0 is a lost connection. */
  readonly status: number
}

/** Players who look at their ledgers and at the open book's newest acts. */
function startReaders(url: string, players: readonly TestPlayer[]) {
  const reads: TimedCall[] = []
  let isOver = false
  const reading = Promise.all(
    players.map(async ({ bearer }) => {
      for (let n = 0; !isOver; n++) {
        const begunMs = performance.now()
        const path = n % 4 === 3 ? '/book/acts' : '/user/ledger?page=1'
        const status = await fetch(`${url}/api/v1${path}`, {
          headers: { authorization: bearer },
          signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
        })
          .then(async (answer) => {
            await answer.arrayBuffer()
            return answer.status
          })
          .catch(() => 0)
        const endMs = performance.now()
        reads.push({ endMs, tookMs: endMs - begunMs, status })
        await sleep(PAUSE_MS)
      }
    }),
  )
  return {
    async stop(): Promise<readonly TimedCall[]> {
      isOver = true
      await reading
      return reads
    },
  }
}

/** Ends every connection of the process, several times a second. */
async function storm(operator: pg.Client): Promise<Begun> {
  let isOver = false
  const storming = (async () => {
    while (!isOver) {
      await operator.query(TERMINATE)
      await sleep(STORM_EVERY_MS)
    }
  })()
  return {
    held: null,
    end() {
      isOver = true
      return storming
    },
  }
}

const TERMINATE = `select pg_terminate_backend(pid) from pg_stat_activity where usename = '${ROLE}'`

/** Locks the accounts of some writers, in a transaction that somebody left open. */
const lockAccounts =
  (count: number): Trouble['begin'] =>
  async (operator, { players }) => {
    const held = players.slice(0, count)
    await operator.query('begin')
    await operator.query('select 1 from ledger_accounts where owner_id = any($1::uuid[]) order by id for update', [
      held,
    ])
    return { held, end: () => operator.query('rollback') }
  }

async function lockTip(operator: pg.Client, { admins }: Who): Promise<Begun> {
  await operator.query('begin')
  await operator.query('select 1 from audit_tip for update')
  return { held: admins, end: () => operator.query('rollback') }
}

/** Holds up every read and every act that has to do with money. */
async function lockTransfers(operator: pg.Client): Promise<Begun> {
  await operator.query('begin')
  await operator.query('lock table ledger_transfers')
  return { held: null, end: () => operator.query('rollback') }
}

/** Lets the process have a few connections alone, and takes away the ones that it has. */
async function refuseConnections(operator: pg.Client): Promise<Begun> {
  await operator.query(`alter role ${ROLE} connection limit ${LEFT}`)
  await operator.query(TERMINATE)
  return { held: null, end: () => operator.query(`alter role ${ROLE} connection limit -1`) }
}

/** Filings of the accounts in `slow_filers` do not end as long as these rows exist. */
const SLOW_FILINGS = `
  create table slow_filers (id uuid primary key);
  create function file_slowly() returns trigger language plpgsql as $$
  begin
    while exists (select from slow_filers where id = new.owner_id) loop
      perform pg_sleep(0.05);
    end loop;
    return new;
  end $$;
  create trigger file_slowly before insert on cash_requests for each row execute function file_slowly()`

async function neverEnd(operator: pg.Client, { players }: Who): Promise<Begun> {
  const held = players.slice(0, LOCKED)
  await operator.query('insert into slow_filers select unnest($1::uuid[])', [held])
  return { held, end: () => operator.query('delete from slow_filers') }
}
