import { setTimeout as sleep } from 'node:timers/promises'
import { ROUND_TYPES, type RoundType } from '#domain/game/calendar.ts'
import type { Database } from '#server/platform/database/db.ts'
import { migrate } from '#server/platform/database/migrate.ts'
import { brokenInvariants } from '#testing/play/books.ts'
import { withEmbedded } from '../../bench/embedded.ts'
import { onDatabase } from '../../bench/scratch.ts'
import { seeded } from '#testing/run/seeded.ts'
import { makeWorld, STAKE_POINTS, tokenOf } from '../../bench/world.ts'
import { type BarLine, exactly } from '../report.ts'
import { type Engine } from './money-world.ts'
import { inFolder } from '#testing/machines/folder.ts'
import { makeOwnServer } from '#testing/machines/process.ts'

/** Presses fall into this time before a round locks. */
const AIMED_MS = 3_000
/** A request, and its answer, is on the way for up to so long. */
const LONGEST_WAY_MS = 400
/** A bet that arrives so long before the lock is never refused. */
const IN_TIME_MS = 500
/** The rounds are read so long before they lock. */
const AHEAD_MS = AIMED_MS + 1_000

/** How often buttons are pressed in the last seconds of rounds: the number of rounds, and of presses in each. */
interface Aimed {
  readonly engine: Engine
  readonly locks: number
  readonly presses: number
}

const aimedOf = (isShort: boolean): readonly Aimed[] =>
  isShort
    ? [{ engine: 'native', locks: 1, presses: 1_000 }]
    : [
        { engine: 'native', locks: 5, presses: 2_000 },
        { engine: 'embedded', locks: 5, presses: 400 },
      ]

interface Round {
  readonly id: string
  readonly locksAtMs: number
}

interface Sent {
  readonly round: Round
  /** When its last byte left for the server, by the clock that the database has too: it is the same machine's. */
  readonly arrivedMs: number
  readonly status: number
  /** The bet's id when it was accepted, else the code of the refusal. */
  readonly said: string
}

/** A crowd that bets at the last moment, over ways of different length: the lock is sharp, and nobody in time is refused. */
export async function lastSeconds(isShort: boolean): Promise<BarLine[]> {
  const lines: BarLine[] = []
  for (const aimed of aimedOf(isShort)) lines.push(...(await pressAll(aimed)))
  return lines
}

function pressAll(aimed: Aimed): Promise<BarLine[]> {
  const players = aimed.locks * aimed.presses
  return inFolder((dataDir) =>
    aimed.engine === 'native'
      ? onDatabase('last', async (url, db) => {
          await makeWorld(db, players)
          return judge(aimed, await press(aimed, dataDir, { DATABASE_URL: url }), db)
        })
      : (async () => {
          await withEmbedded(dataDir, async (db) => {
            await migrate(db)
            await makeWorld(db, players)
          })
          const sent = await press(aimed, dataDir, {})
          return withEmbedded(dataDir, (db) => judge(aimed, sent, db))
        })(),
  )
}

/** Each player presses once. */
async function press({ locks, presses }: Aimed, dataDir: string, env: Record<string, string>): Promise<Sent[]> {
  const random = seeded(8)
  const server = await makeOwnServer(dataDir, env)
  try {
    await server.start()
    const sent: Sent[] = []
    let lastLockMs = 0
    for (let lock = 0; lock < locks; lock++) {
      const rounds = await nextToLock(server.url, lastLockMs)
      lastLockMs = rounds[0]?.locksAtMs ?? 0
      const pressing = Array.from({ length: presses }, async (_, nth) => {
        const round = rounds[nth % rounds.length] as Round
        const pressedMs = round.locksAtMs - random() * AIMED_MS
        const [thereMs, backMs] = [random() * LONGEST_WAY_MS, random() * LONGEST_WAY_MS]
        await sleep(pressedMs + thereMs - Date.now())
        const arrivedMs = Date.now()
        const answer = await bet(server.url, tokenOf(1 + lock * presses + nth), round.id)
        await sleep(backMs)
        return { round, arrivedMs, ...answer }
      })
      sent.push(...(await Promise.all(pressing)))
    }
    return sent
  } finally {
    await server.stop()
  }
}

/** Waits until the rounds that lock next are about to do so; returns these. */
async function nextToLock(url: string, afterMs: number): Promise<Round[]> {
  for (;;) {
    const running = await Promise.all(ROUND_TYPES.map((type) => currentRound(url, type)))
    const rounds = running
      .filter((round) => round !== null)
      .map(({ _id, locksAt }) => ({ id: _id, locksAtMs: Date.parse(locksAt) }))
      .filter(({ locksAtMs }) => locksAtMs > Math.max(afterMs, Date.now() + AHEAD_MS))
    const firstMs = Math.min(...rounds.map(({ locksAtMs }) => locksAtMs))
    const next = rounds.filter(({ locksAtMs }) => locksAtMs === firstMs)
    if (firstMs - Date.now() < AHEAD_MS + 2_000) return next
    await sleep(500)
  }
}

async function currentRound(url: string, type: RoundType): Promise<{ _id: string; locksAt: string } | null> {
  const answer = await fetch(`${url}/api/v1/game/current?type=${type}`, {
    headers: { authorization: `Bearer ${tokenOf(1)}` },
  })
  if (!answer.ok) throw new Error(`The round could not be read: ${await answer.text()}`)
  return ((await answer.json()) as { data: { _id: string; locksAt: string } | null }).data
}

async function bet(url: string, token: string, roundId: string): Promise<Pick<Sent, 'status' | 'said'>> {
  const answer = await fetch(`${url}/api/v1/history`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': `last-${token}`,
    },
    body: JSON.stringify({ gameId: roundId, score: STAKE_POINTS, value: 'UP', seenBasis: 'PRICE' }),
  })
  const body = (await answer.json()) as { code?: string; data?: { _id: string } }
  return { status: answer.status, said: body.data?._id ?? body.code ?? '' }
}

async function judge({ engine }: Aimed, sent: readonly Sent[], db: Database): Promise<BarLine[]> {
  const { rows } = await db.query<{ id: string; is_late: boolean }>(
    `select b.id, b.accepted_at >= r.locks_at as is_late from bets b join rounds r on r.id = b.round_id`,
  )
  const accepted = sent.filter(({ status }) => status === 200 || status === 201)
  const refused = sent.filter(({ status }) => status >= 400)
  const codes = Object.entries(Object.groupBy(refused, ({ said }) => said)).map(([code, of]) => `${of?.length} ${code}`)
  process.stderr.write(`  ${engine}: ${accepted.length} accepted; ${codes.join(', ') || 'none refused'}\n`)
  const stored = new Set(rows.map(({ id }) => id))
  const told = new Set(accepted.map(({ said }) => said))
  const wrongly = refused.filter(({ round, arrivedMs }) => arrivedMs <= round.locksAtMs - IN_TIME_MS)
  const lateAccepted = accepted.filter(({ round, arrivedMs }) => arrivedMs >= round.locksAtMs).map(({ said }) => said)
  const late = sent.filter(({ round, arrivedMs }) => arrivedMs >= round.locksAtMs).length
  const what = `${engine}, ${sent.length} bets in the last ${AIMED_MS / 1000} s`
  return [
    exactly(
      `${what}: accepted after the lock, ${late} arrived then`,
      new Set([...lateAccepted, ...rows.filter((row) => row.is_late).map(({ id }) => id)]).size,
      0,
    ),
    exactly(`${what}: refused though ${IN_TIME_MS} ms early`, wrongly.length, 0),
    exactly(
      `${what}: refused for another reason than the lock`,
      refused.filter((one) => one.said !== 'ROUND_CLOSING').length,
      0,
    ),
    exactly(
      `${what}: acknowledged and not there, or there and not acknowledged`,
      [...told].filter((id) => !stored.has(id)).length + [...stored].filter((id) => !told.has(id)).length,
      0,
    ),
    exactly(`${what}: findings in the books`, (await brokenInvariants(db)).length, 0),
  ]
}
