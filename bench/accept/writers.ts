import { randomUUID } from 'node:crypto'
import type { Database } from '#server/platform/db.ts'
import { createPlayers, type TestPlayer } from '#server/testing/game-world.ts'

/** What the writers were told until they ended. */
export interface Written {
  readonly playerIds: readonly string[]
  /** Requests that were acknowledged, by their ids. */
  readonly filed: readonly string[]
  /** Of these, the cancelled ones whose cancellation was acknowledged. */
  readonly cancelled: readonly string[]
  /** Answers by status; 0 is a lost connection. */
  readonly answers: Readonly<Record<number, number>>
  readonly longestMs: number
}

export interface Writers {
  /** When the newest acknowledgement came, by `performance.now()`. */
  lastMs(): number
  /** Answers by status until now. */
  answers(): Readonly<Record<number, number>>
  /** Ends them, each after its unanswered call was repeated until it was answered. */
  stop(): Promise<Written>
}

/** A call is given up after this, and repeated with the same key. */
const CALL_TIMEOUT_MS = 10_000
const REPEAT_AFTER_MS = 200
/** An account files 60 in an hour: a set of writers lasts for about a minute. */
const PAUSE_MS = 1_000

/**
 * Players who each file a withdrawal of a point, which moves it to `reserved`, and cancel it, over and over, as a client
 * does that repeats every unanswered call under its Idempotency-Key.
 */
export async function startWriters(url: string, db: Database, count: number): Promise<Writers> {
  const players = await createPlayers(db, count)
  const answers: Record<number, number> = {}
  const [filed, cancelled]: [string[], string[]] = [[], []]
  let lastMs = performance.now()
  let longestMs = 0
  let isOver = false

  /** Repeats a call until it is answered by something else than "later". Answers its body. */
  async function call(player: TestPlayer, method: string, path: string, body?: unknown): Promise<unknown> {
    const key = randomUUID()
    for (;;) {
      const begunMs = performance.now()
      const answer = await fetch(`${url}/api/v1${path}`, {
        method,
        headers: {
          authorization: player.bearer,
          'idempotency-key': key,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
      })
        .then(async (response) => ({ status: response.status, text: await response.text() }))
        .catch(() => ({ status: 0, text: '' }))
      longestMs = Math.max(longestMs, performance.now() - begunMs)
      answers[answer.status] = (answers[answer.status] ?? 0) + 1
      if (answer.status === 200 || answer.status === 201) {
        lastMs = performance.now()
        return JSON.parse(answer.text)
      }
      // Its first answer was lost: it is decided by the cancellation itself.
      if (method === 'DELETE' && answer.status === 409) return null
      if (answer.status !== 0 && answer.status < 500 && answer.status !== 429)
        throw new Error(`${method} ${path} was answered ${answer.status}: ${answer.text}`)
      await new Promise((resolve) => setTimeout(resolve, REPEAT_AFTER_MS))
    }
  }

  async function write(player: TestPlayer): Promise<void> {
    await call(player, 'POST', '/bank', {
      bankNumber: '0123456789',
      nameBank: 'TEN KHONG THAT',
      nameOwner: 'Vietcombank',
    })
    while (!isOver) {
      const { data } = (await call(player, 'POST', '/transaction', { type: 'WITHDRAW', money: 1 })) as {
        data: { _id: string }
      }
      filed.push(data._id)
      await call(player, 'DELETE', `/transaction/${data._id}`)
      cancelled.push(data._id)
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS + Math.random() * PAUSE_MS))
    }
  }
  const writing = Promise.all(players.map(write))
  // Reported by `stop`.
  writing.catch(() => {})
  return {
    lastMs: () => lastMs,
    answers: () => ({ ...answers }),
    async stop() {
      isOver = true
      await writing
      return { playerIds: players.map(({ id }) => id), filed, cancelled, answers, longestMs }
    },
  }
}

/** How many acknowledged writes the database has lost, and how many it has twice. */
export async function compareWritten(
  db: Database,
  { playerIds, filed, cancelled }: Written,
): Promise<{ readonly lost: number; readonly doubled: number }> {
  const { rows } = await db.query<{ id: string; is_cancelled: boolean }>(
    `select id, status = 'rejected' as is_cancelled from cash_requests where owner_id = any($1)`,
    [playerIds],
  )
  const stored = new Map(rows.map((row) => [row.id, row.is_cancelled]))
  const lost = filed.filter((id) => !stored.has(id)).length + cancelled.filter((id) => stored.get(id) !== true).length
  // Each filing was repeated until it was acknowledged: whatever else is there was written a second time.
  return { lost, doubled: stored.size - new Set(filed).size }
}
