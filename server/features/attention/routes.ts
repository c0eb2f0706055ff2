import { type AlarmWhy, type AttentionItem, attentionEndpoints } from '#contract/attention.ts'
import type { StopWhy } from '#contract/book-status.ts'
import { openForMs, type Week } from '#domain/chat/hours.ts'
import { ATTENTION_KINDS, REPLY_DUE_MS } from '#domain/attention/attention.ts'
import type { Clock } from '#server/platform/process/clock.ts'
import type { Database } from '#server/platform/database/db.ts'
import type { Api } from '#server/platform/http/http.ts'
import type { Logger } from '#server/platform/process/log.ts'
import { logging, repeating } from '#server/platform/process/jobs.ts'
import { startLuckLooks } from './look-at-luck.ts'
import { alone, readLedgerAlarm, readMentions, readMuted, readOldDisputes, readWaiting, writeMuted } from './queries.ts'

export interface AttentionDeps {
  readonly db: Database
  readonly clock: Pick<Clock, 'now'>
  readonly log: Logger
  readonly readHours: () => Promise<{ readonly week: Week; readonly nowMs: number }>
  /** Returns the reason of the alarm `feed` (rules §6.12); null without an alarm. */
  readonly feedTrouble: () => AlarmWhy | null
  readonly bookTrouble: () => StopWhy | null
}

const LOOK_EVERY_MS = 1_000
const FLAGS_SHOWN = 20

const urgencyOf = ({ kind }: AttentionItem): number => ATTENTION_KINDS.indexOf(kind)

/** Registers the routes of /attention (rules §6.12). `stop` ends the background checks of feed, open book and luck. */
export function registerAttention(
  api: Api,
  { db, clock, log, readHours, feedTrouble, bookTrouble }: AttentionDeps,
): { stop(): Promise<void> } {
  const looks = startLuckLooks(db, log)
  const seen: Record<'feed' | 'book', AttentionItem | null> = { feed: null, book: null }
  const see = (kind: keyof typeof seen, why: AlarmWhy | null) => {
    if (why === null) seen[kind] = null
    else seen[kind] = { ...alone(kind, 1, null), why, sinceMs: seen[kind]?.sinceMs ?? Math.floor(clock.now()) }
  }
  const lookAround = async () => {
    see('feed', feedTrouble())
    see('book', bookTrouble())
  }
  const stopLooking = repeating(
    LOOK_EVERY_MS,
    lookAround,
    logging(log, 'The feed and the open book could not be looked at'),
  )

  api.handle(attentionEndpoints.attention, async ({ subject }) => {
    await lookAround()
    const look = looks.last()
    const { week, nowMs } = await readHours()
    const [waiting, mentions, disputes, ledger, muted] = await Promise.all([
      readWaiting(db, openForMs(week, nowMs, REPLY_DUE_MS)),
      subject.capabilities.includes('care') ? readMentions(db, subject.userId) : null,
      readOldDisputes(db),
      readLedgerAlarm(db),
      readMuted(db, subject.userId),
    ])
    const isLucky = look !== null && look.flags.length > 0
    const luck = isLucky ? alone('luck', look.flags.length, new Date(look.lookedAtMs)) : null
    const found = [ledger, seen.feed, seen.book, ...waiting, mentions, disputes, luck]
    return {
      items: found.filter((item) => item !== null).toSorted((a, b) => urgencyOf(a) - urgencyOf(b)),
      luck: {
        lookedAtMs: look?.lookedAtMs ?? null,
        players: look?.players ?? 0,
        flags: (look?.flags ?? []).slice(0, FLAGS_SHOWN),
      },
      muted,
      serverTimeMs: nowMs,
    }
  })

  api.handle(attentionEndpoints.setMuted, async ({ subject, body }) => ({
    muted: await writeMuted(db, subject.userId, body.muted),
  }))

  return {
    async stop() {
      await Promise.all([stopLooking(), looks.stop()])
    },
  }
}
