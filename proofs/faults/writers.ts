import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { points } from '#domain/money.ts'
import type { Database } from '#server/platform/database/db.ts'
import { newId } from '#server/platform/process/ids.ts'
import { createPlayers, type TestPlayer } from '#testing/play/rounds.ts'
import { makeRunningRound } from '../../bench/world.ts'

/** The acknowledgements that the writers got until they ended. */
export interface Written {
  readonly playerIds: readonly string[]
  /** Requests that were acknowledged, by their ids. */
  readonly filed: readonly string[]
  /** The cancelled ones among these, where the cancellation was acknowledged. */
  readonly cancelled: readonly string[]
  /** The deposits among these whose approval by staff was acknowledged. */
  readonly approved: readonly string[]
  /** Bets that were acknowledged, by their ids. */
  readonly placed: readonly string[]
  /** All these acts in the order of their acknowledgements. */
  readonly acts: readonly Acknowledged[]
  /** The acknowledged changes of every writer's account, in whole points. */
  readonly told: ReadonlyMap<string, Told>
  /** Answers by status; 0 is a lost connection. */
  readonly answers: Readonly<Record<number, number>>
  /** Calls that got an answer after at least one of their attempts had ended without one, or with "later". */
  readonly resolved: number
  /** Calls that were still repeated in vain when the writers were given up. */
  readonly unanswered: number
  readonly longestMs: number
  /** Every attempt at a call. */
  readonly attempts: readonly Attempt[]
}

export interface Acknowledged {
  readonly kind: 'filed' | 'cancelled' | 'approved' | 'placed'
  /** The id of the request or the bet. */
  readonly id: string
  /** When the acknowledgement came, Unix ms. */
  readonly atMs: number
}

export interface Told {
  wallet: number
  staked: number
  reserved: number
}

interface Attempt {
  /** By `performance.now()`. */
  readonly endMs: number
  readonly tookMs: number
  /** The status of the answer; 0 is a lost connection. */
  readonly status: number
}

export interface Writers {
  /** When the newest acknowledgement came, by `performance.now()`. */
  lastMs(): number
  /** The number of answers by status until now. */
  answers(): Readonly<Record<number, number>>
  /** The number of acknowledged writes until now. */
  acknowledged(): number
  /** The accounts that are written now, by their players' ids; those that will be written for longest come first. */
  current(): readonly string[]
  /** When the newest acknowledgement for any of these accounts came, to players or admins, by `performance.now()`. */
  lastMsOf(ids: readonly string[]): number
  /** Ends them, each after its unanswered call was repeated until it was answered; gives them up after a minute. */
  stop(): Promise<Written>
}

/** The writers and the addresses that they write to; made while others than the server can write to the database. */
export interface WritersWorld {
  readonly players: readonly TestPlayer[]
  /** Approve deposits, one for each writer: an account has one act at a time. Without them none are filed. */
  readonly admins: readonly TestPlayer[]
  /** A round that lasts, for a bet of each player; without it nobody bets. */
  readonly roundId: string | null
  /** After this many filings a writer takes a fresh account. */
  readonly filingsOfAccount: number
}

/** A call is given up after this, and repeated with the same key. */
const CALL_TIMEOUT_MS = 10_000
const REPEAT_AFTER_MS = 200
const GIVEN_UP_MS = 60_000
const PAUSE_MS = 1_000
const WELCOME_POINTS = 1_000
const STAKE_POINTS = 10
/** A writer goes on with another account before the 60 filings of an hour are used up. */
const FILINGS_OF_ACCOUNT = 40
/** At least as many as there are writers. */
const ADMINS = 40
/** One filing in 4 is a deposit, which staff approve. */
const DEPOSIT_EVERY = 4

/** Creates players with a bank, so that every write of theirs has a key or is decided by the row that it writes. */
export async function createWriters(db: Database, count: number): Promise<TestPlayer[]> {
  const players = await createPlayers(db, count, { welcomePoints: WELCOME_POINTS })
  await db.query(
    `insert into banks (id, owner_id, account_number, account_holder, bank_name)
     select id, owner_id, '0123456789', 'TEN KHONG THAT', 'Vietcombank' from unnest($1::uuid[], $2::uuid[]) as b (id, owner_id)`,
    [players.map(() => newId()), players.map(({ id }) => id)],
  )
  return players
}

/** Accounts for writers that do every kind of money act, without a pause. */
export async function createWritersWorld(
  db: Database,
  count: number,
  filingsOfAccount = FILINGS_OF_ACCOUNT,
): Promise<WritersWorld> {
  const players = await createWriters(db, count)
  const admins = await createPlayers(db, ADMINS, { role: 'admin', prefix: 'a', welcomePoints: 0 })
  const roundId = newId()
  await makeRunningRound(db, roundId)
  await db.query('analyze')
  return { players, admins, roundId, filingsOfAccount }
}

/**
 * Players who each file a withdrawal of a point, which moves it to `reserved`, and cancel it, over and over, as a client
 * does that repeats every unanswered call under its Idempotency-Key.
 */
export async function startWriters(url: string, db: Database, count: number): Promise<Writers> {
  const players = await createWriters(db, count * 4)
  const world = { players, admins: [], roundId: null, filingsOfAccount: FILINGS_OF_ACCOUNT }
  return runWriters(url, world, count, () => PAUSE_MS + Math.random() * PAUSE_MS)
}

/**
 * Starts `count` writers at a time, with the deposits and bets that the world allows. Each takes a fresh account of the
 * world when it has filed enough with its last one, on which a withdrawal stays pending.
 */
export const startFastWriters = (
  url: string,
  world: WritersWorld,
  count: number,
  { pauseMs = 20, callTimeoutMs = CALL_TIMEOUT_MS } = {},
): Writers => runWriters(url, world, count, () => pauseMs * (1 + Math.random() * 2), callTimeoutMs)

function runWriters(
  url: string,
  { players, admins, roundId, filingsOfAccount }: WritersWorld,
  count: number,
  pauseMs: () => number,
  callTimeoutMs = CALL_TIMEOUT_MS,
): Writers {
  const answers: Record<number, number> = {}
  const acts: Acknowledged[] = []
  const acknowledge = (kind: Acknowledged['kind'], id: string) => void acts.push({ kind, id, atMs: Date.now() })
  const idsOf = (kind: Acknowledged['kind']) => acts.filter((act) => act.kind === kind).map(({ id }) => id)
  const told = new Map<string, Told>()
  const attempts: Attempt[] = []
  const current: TestPlayer[] = []
  const lastOf = new Map<string, number>()
  let resolved = 0
  let open = 0
  let lastMs = performance.now()
  let longestMs = 0
  let isOver = false

  /**
   * Repeats a call until its answer is something else than "later". Returns the answer's body; null when an earlier
   * attempt, whose answer was lost, turns out to have done it.
   */
  async function call<T>(player: TestPlayer, method: string, path: string, body?: unknown): Promise<T | null> {
    const key = randomUUID()
    open++
    for (let attempt = 1; ; attempt++) {
      const begunMs = performance.now()
      const answer = await fetch(`${url}/api/v1${path}`, {
        method,
        headers: {
          authorization: player.bearer,
          'idempotency-key': key,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(callTimeoutMs),
      })
        .then(async (response) => ({ status: response.status, text: await response.text() }))
        .catch(() => ({ status: 0, text: '' }))
      const endMs = performance.now()
      const tookMs = endMs - begunMs
      longestMs = Math.max(longestMs, tookMs)
      attempts.push({ endMs, tookMs, status: answer.status })
      answers[answer.status] = (answers[answer.status] ?? 0) + 1
      const isDone = answer.status === 200 || answer.status === 201
      // The first answer was lost. A decision is made once, by any of the attempts. A request that is gone is counted
      // at the end, as lost.
      const isDecided = method !== 'POST' && ((answer.status === 409 && attempt > 1) || answer.status === 404)
      if (isDone || isDecided) {
        open--
        if (attempt > 1) resolved++
        lastMs = endMs
        lastOf.set(player.id, endMs)
        return isDone ? (JSON.parse(answer.text) as T) : null
      }
      if (answer.status !== 0 && answer.status < 500 && answer.status !== 429)
        throw new Error(`${method} ${path} was answered ${answer.status}: ${answer.text}`)
      await sleep(REPEAT_AFTER_MS)
    }
  }

  async function post(player: TestPlayer, path: string, body: unknown): Promise<string> {
    const answer = await call<{ data: { _id: string } }>(player, 'POST', path, body)
    if (answer === null) throw new Error(`POST ${path} has no answer.`)
    return answer.data._id
  }

  async function deposit(player: TestPlayer, own: Told, staff: TestPlayer): Promise<void> {
    const id = await post(player, '/transaction', { type: 'DEPOSIT', money: 1, description: 'test' })
    acknowledge('filed', id)
    await call(staff, 'PATCH', `/transaction/${id}`, { status: 'ACCEPT' })
    acknowledge('approved', id)
    own.wallet++
  }

  async function withdraw(player: TestPlayer, own: Told, isKept: boolean): Promise<void> {
    const id = await post(player, '/transaction', { type: 'WITHDRAW', money: 1 })
    acknowledge('filed', id)
    own.wallet--
    own.reserved++
    if (isKept) return
    await call(player, 'DELETE', `/transaction/${id}`)
    acknowledge('cancelled', id)
    own.wallet++
    own.reserved--
  }

  async function write(player: TestPlayer, admin: TestPlayer | undefined): Promise<void> {
    const own = { wallet: WELCOME_POINTS, staked: 0, reserved: 0 }
    told.set(player.id, own)
    if (roundId !== null) {
      const bet = { gameId: roundId, score: STAKE_POINTS, value: 'UP', seenBasis: 'PRICE' }
      acknowledge('placed', await post(player, '/history', bet))
      own.wallet -= STAKE_POINTS
      own.staked += STAKE_POINTS
    }
    for (let n = 1; n <= filingsOfAccount && !isOver; n++) {
      if (admin !== undefined && n % DEPOSIT_EVERY === 0) await deposit(player, own, admin)
      else await withdraw(player, own, n === filingsOfAccount)
      await sleep(pauseMs())
    }
  }

  const fresh = players.values()
  const writing = Promise.all(
    Array.from({ length: count }, async (_, nth) => {
      while (!isOver) {
        const { value: player } = fresh.next()
        if (player === undefined) throw new Error('The writers have used up their accounts.')
        current[nth] = player
        await write(player, admins[nth])
      }
    }),
  )
  // The failure is reported by `stop`.
  writing.catch(() => {})
  return {
    lastMs: () => lastMs,
    answers: () => ({ ...answers }),
    acknowledged: () => acts.length,
    current() {
      const begun = [...told.keys()]
      return current.map(({ id }) => id).toSorted((one, other) => begun.indexOf(other) - begun.indexOf(one))
    },
    lastMsOf: (ids) => Math.max(...ids.map((id) => lastOf.get(id) ?? Number.NEGATIVE_INFINITY)),
    async stop() {
      isOver = true
      await Promise.race([writing, sleep(GIVEN_UP_MS, null, { ref: false })])
      const playerIds = [...told.keys()]
      return {
        playerIds,
        filed: idsOf('filed'),
        cancelled: idsOf('cancelled'),
        approved: idsOf('approved'),
        placed: idsOf('placed'),
        acts: [...acts],
        told,
        answers,
        resolved,
        unanswered: open,
        longestMs,
        attempts,
      }
    },
  }
}

export interface Compared {
  /** Acknowledged writes that the database does not have. */
  readonly lost: number
  /** Writes that it has, and that were made a second time: every call was repeated until it was acknowledged. */
  readonly doubled: number
  /** Accounts whose balance is another one than the acknowledgements say. */
  readonly wrong: number
}

/** How many acknowledged writes the database has lost, and how many it has twice. */
export async function compareWritten(
  db: Database,
  { playerIds, filed, cancelled, approved, placed, told }: Written,
): Promise<Compared> {
  const { rows: requests } = await db.query<{ id: string; status: string }>(
    `select id, status from cash_requests where owner_id = any($1)`,
    [playerIds],
  )
  const statuses = new Map(requests.map(({ id, status }) => [id, status]))
  const { rows: bets } = await db.query<{ id: string }>(`select id from bets where user_id = any($1)`, [playerIds])
  const betIds = new Set(bets.map(({ id }) => id))
  const { rows: accounts } = await db.query<{ owner_id: string; kind: keyof Told; balance: bigint }>(
    `select owner_id, kind, balance from ledger_accounts where owner_id = any($1)`,
    [playerIds],
  )
  const lost =
    filed.filter((id) => !statuses.has(id)).length +
    cancelled.filter((id) => statuses.get(id) !== 'rejected').length +
    approved.filter((id) => statuses.get(id) !== 'approved').length +
    placed.filter((id) => !betIds.has(id)).length
  const doubled = statuses.size - new Set(filed).size + betIds.size - new Set(placed).size
  const wrong = accounts.filter(({ owner_id, kind, balance }) => {
    const own = told.get(owner_id)
    return own === undefined || balance !== points(own[kind])
  }).length
  return { lost, doubled, wrong }
}
