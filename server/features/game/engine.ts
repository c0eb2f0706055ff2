import { ROUND_TYPES, type RoundType, windowOf } from '#domain/game/calendar.ts'
import type { Clock } from '#server/platform/process/clock.ts'
import { logging, looping, type Stop } from '#server/platform/process/jobs.ts'
import type { Logger } from '#server/platform/process/log.ts'
import { IDLE_TOO_LONG, LOCK_NOT_FREE, sqlState } from '#server/platform/database/transaction.ts'
import { type CloseBetsDeps, keepOpenEntries } from './close-bets.ts'
import { closeDueInBook } from './close-in-book.ts'
import { deleteBeyondCalendar } from './delete-beyond-calendar.ts'
import { openRound } from './open-round.ts'
import { createRoundSources } from './round-sources.ts'
import { DUE_AT_ONCE, type DueRound, listDueRounds, settleRound, type SettleProgress } from './settle-round.ts'

const RETRY_MS = 100
const SECOND_MS = 1_000
const PAST_MS = 3

export interface EngineDeps extends CloseBetsDeps {
  readonly clock: Clock
  readonly log: Logger
}

export interface RoundEngine {
  readonly isTickOf: ReturnType<typeof createRoundSources>['isOf']
  stop(): Promise<void>
}

/**
 * Opens and settles rounds, and closes them in the open book, at once and each second. Every process does this for all
 * rounds; the database decides which process is first (rules §2.2). Opening and settling run in separate loops.
 */
export function startRoundEngine(deps: EngineDeps): RoundEngine {
  // By type: the index of the window opened last. The next index can be lower, because the clock may be set back.
  const opened = new Map<RoundType, number>()
  let wasSure = true

  const openMissing = async (): Promise<boolean> => {
    const isSure = deps.clock.isSure()
    // Makes clients read the round again: betting closes while the clock is unsure, and opens once it is sure again.
    if (isSure !== wasSure) for (const type of ROUND_TYPES) deps.hints.roundOpened(type)
    wasSure = isSure
    if (!isSure) return true
    const nowMs = deps.clock.now()
    let isWaiting = false
    for (const type of ROUND_TYPES) {
      const { index } = windowOf(type, nowMs)
      if (opened.get(type) === index) continue
      const opening = await openRound(deps.db, deps.prices, type, nowMs).catch((error: unknown) => {
        deps.log.error({ err: error, type }, 'a round could not be opened yet')
        return 'failed' as const
      })
      if (opening === 'early' || opening === 'failed') isWaiting = true
      else {
        opened.set(type, index)
        deps.hints.roundOpened(type)
      }
    }
    return isWaiting
  }

  const sources = createRoundSources(deps.db, deps.prices)
  const loops = [
    everySecond(deps, 'the sources of the running rounds could not be read', () => sources.read(deps.clock.now())),
    everySecond(deps, 'the running rounds could not be opened', openMissing),
    everySecond(deps, 'the due rounds could not be settled', () => settleDue(deps)),
    everySecond(deps, 'the ended rounds could not be closed in the open book', () => closeDueInBook(deps)),
  ]
  return {
    isTickOf: (type, source, second) => sources.isOf(type, source, second),
    async stop() {
      await Promise.all(loops.map((stop) => stop()))
      await keepOpenEntries(deps).catch(logging(deps.log, 'the signed bytes of open bets could not be stored'))
    },
  }
}

/** Settles all due rounds, if the clock permits. Returns true if one is left, to be tried before the next second. */
export async function settleDue(deps: EngineDeps): Promise<boolean> {
  if (!deps.clock.canSettle()) return false
  const left: DueRound[] = []
  const tellOldest = (rounds: readonly DueRound[]): void =>
    deps.watch?.waiting(rounds.find(({ closedAtMs }) => closedAtMs !== null)?.closedAtMs ?? null)
  for (;;) {
    // Rounds that could not be settled stay first in the list. The offset skips them until the next call.
    const due = await listDueRounds(deps, left.length)
    tellOldest([...left, ...due])
    const progress = await Promise.all(due.map((round) => tryToSettle(deps, round)))
    left.push(...due.filter((_, at) => progress[at] !== 'ended'))
    if (due.length < DUE_AT_ONCE) break
  }
  tellOldest(left)
  return left.length > 0
}

async function tryToSettle(deps: EngineDeps, round: DueRound): Promise<SettleProgress> {
  try {
    return await settleOne(deps, round)
  } catch (error) {
    // Another process has locked a row that is needed here, or this process was suspended or busy for too long.
    if ([LOCK_NOT_FREE, IDLE_TOO_LONG].includes(sqlState(error) ?? '')) {
      deps.log.warn({ err: error, roundId: round.id }, 'a round waits for a row that is held')
      return 'helping'
    }
    deps.log.error({ err: error, roundId: round.id }, 'a round could not be settled yet')
    return 'waiting'
  }
}

async function settleOne(deps: EngineDeps, { id, isBeyondCalendar }: DueRound): Promise<SettleProgress> {
  if (isBeyondCalendar && !(await deleteBeyondCalendar(deps, id))) return 'waiting'
  return settleRound(deps, id)
}

/** Runs `work` at once and when a second of database time begins, or about 100 ms after it failed or returned true. */
function everySecond({ clock, log }: EngineDeps, failure: string, work: () => Promise<boolean>): Stop {
  return looping(async () => {
    const isWaiting = await work().catch((error: unknown) => {
      log.error({ err: error }, failure)
      return true
    })
    const toNextSecond = SECOND_MS - (clock.now() % SECOND_MS)
    // PAST_MS is added because `clock` may be slightly ahead of the database's clock, which says when a round is due.
    return Math.min(isWaiting ? RETRY_MS : SECOND_MS, toNextSecond) + PAST_MS
  })
}
