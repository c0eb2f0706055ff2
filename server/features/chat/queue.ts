import { chooseHolder, LOAD_MS, type OnDuty } from '#domain/chat/queue.ts'
import { recordAct } from '#server/features/audit/index.ts'
import type { Row, Tx } from '#server/platform/database/db.ts'
import { msSql } from '#server/platform/database/rows.ts'
import { monotonicMs } from '#server/platform/process/clock.ts'
import { logging, repeating } from '#server/platform/process/jobs.ts'
import { retrying } from '#server/platform/process/retrying.ts'
import { noteActive, startDesk } from './duty.ts'
import { giveConversation, isTwice } from './give-conversation.ts'
import type { Queue, QueueDeps, Sides } from './ports.ts'
import { isSnoozed, ON_DUTY } from './queries.ts'
import { emitHolderChange } from './rooms.ts'

/** Key of the advisory lock that allows one assignment at a time: two at once could exceed an admin's capacity. */
const ASSIGN_LOCK = 5_107_244
const AT_ONCE = 200
const NOTED_EVERY_MS = 60_000
/**
 * Each process also assigns at this interval, because no event says that a snooze has ended, that an old conversation
 * no longer counts against a capacity (LOAD_MS), or that a conversation which an assignment skipped because of a lock
 * is free again.
 */
const UNASKED_EVERY_MS = 15_000

/** Assigns the queue's waiting conversations to admins on duty (rules §7.13). */
export function startQueue(deps: QueueDeps, everyMs = UNASKED_EVERY_MS): Queue & { stop(): Promise<void> } {
  const { db, log } = deps
  const desk = startDesk(deps, everyMs)
  const notedAtMs = new Map<string, number>()
  const warn = logging(log, 'Conversations of the queue could not be assigned')
  let isWanted = false
  let running: Promise<void> | null = null

  async function run(): Promise<void> {
    while (isWanted) {
      isWanted = false
      try {
        const given = await retrying(db, assignWaiting)
        for (const [conversationId, sides] of given) await emitHolderChange(deps, conversationId, null, sides)
      } catch (error) {
        if (isTwice(error)) isWanted = true
        else warn(error)
      }
    }
    running = null
  }
  const assign = (): void => {
    isWanted = true
    running ??= run()
  }

  const stopAssigning = repeating(everyMs, async () => assign(), warn)

  const emitDuty = (): void => {
    assign()
    void desk.emit().catch(warn)
  }

  return {
    assign,
    emitDuty,
    noteAct(userId) {
      const nowMs = monotonicMs()
      if (nowMs - (notedAtMs.get(userId) ?? Number.NEGATIVE_INFINITY) < NOTED_EVERY_MS) return
      notedAtMs.set(userId, nowMs)
      noteActive(db, userId).then((wasAway) => wasAway && emitDuty(), warn)
    },
    async stop() {
      await stopAssigning()
      isWanted = false
      await desk.stop()
      await running
    },
  }
}

async function assignWaiting(tx: Tx): Promise<Map<string, Sides>> {
  const given = new Map<string, Sides>()
  const { rowCount } = await tx.query(
    `select 1 from ${ON_DUTY} where exists (select from conversations_waiting w join conversations c on c.id = w.conversation_id
       where c.holder_id is null and not ${isSnoozed}) limit 1`,
  )
  if (rowCount === 0) return given
  await tx.query(`select pg_advisory_xact_lock(${ASSIGN_LOCK})`)
  const onDuty = await lockOnDuty(tx)
  const { rows } = await tx.query<{ id: string; player_id: string; put_back_by: string | null }>(
    `select c.id, c.player_id, c.put_back_by from conversations_waiting w join conversations c on c.id = w.conversation_id
       join users p on p.id = c.player_id and p.deleted_at is null
      where c.holder_id is null and not ${isSnoozed} order by w.since, c.id limit ${AT_ONCE}`,
  )
  const [playerIds, adminIds] = [rows.map((row) => row.player_id), onDuty.map(({ id }) => id)]
  const serving = await readServing(tx, playerIds, adminIds)
  for (const { id, player_id: playerId, put_back_by: putBackBy } of rows) {
    // The player may have become an admin on duty, and must not get their own conversation.
    const others = onDuty.filter((admin) => admin.id !== putBackBy && admin.id !== playerId)
    const holder = chooseHolder(others, serving.get(playerId) ?? new Set())
    if (holder === null || !(await lockQueued(tx, id, putBackBy))) continue
    if (!(await giveConversation(tx, id, holder.id))) continue
    const { rows: noted } = await tx.query<{ atMs: number }>(
      `update care_duty set assigned_at = clock_timestamp() where user_id = $1 returning ${msSql('assigned_at')} as "atMs"`,
      [holder.id],
    )
    const assignedAtMs = noted[0]?.atMs ?? null
    onDuty[onDuty.indexOf(holder)] = { ...holder, load: holder.load + 1, assignedAtMs }
    given.set(id, { playerId, holderId: holder.id })
  }
  for (const [id, { holderId }] of given)
    await recordAct(tx, 'system', 'chat.assign', `conversation:${id}`, {
      before: { holder: null },
      after: { holder: holderId },
    })
  return given
}

/**
 * Locks a conversation that was just read without a lock. Returns false if it has left the queue or was put back by
 * another admin since then, or if it is being written to: a later assignment takes it.
 */
async function lockQueued(tx: Tx, id: string, putBackBy: string | null): Promise<boolean> {
  const { rowCount } = await tx.query(
    `select 1 from conversations c where id = $1 and holder_id is null and put_back_by is not distinct from $2
        and not ${isSnoozed} and exists (select from conversations_waiting where conversation_id = $1)
        for update skip locked`,
    [id, putBackBy],
  )
  return rowCount > 0
}

/**
 * Reads the admins on duty, each with the number of conversations that count against the admin's capacity. Locks the
 * admins' user rows in the order of ids (rules §3.9), so that no admin is frozen or loses `care` before the commit.
 */
async function lockOnDuty(tx: Tx): Promise<OnDuty[]> {
  const { rows } = await tx.query<OnDuty & Row>(
    `select u.id, d.capacity, ${msSql('d.assigned_at')} as "assignedAtMs", (select count(*)::integer from conversations c where c.holder_id = u.id
         and c.last_activity > clock_timestamp() - interval '${LOAD_MS} ms' and c.state <> 'done' and not ${isSnoozed}) as load
       from ${ON_DUTY} order by u.id for share of u`,
  )
  return rows
}

async function readServing(tx: Tx, playerIds: readonly string[], adminIds: readonly string[]) {
  const { rows } = await tx.query<{ player_id: string; holder_ids: string[] }>(
    `select player_id, array_agg(holder_id) as holder_ids from conversations
      where player_id = any($1::uuid[]) and holder_id = any($2::uuid[]) group by player_id`,
    [playerIds, adminIds],
  )
  return new Map(rows.map((row) => [row.player_id, new Set(row.holder_ids)]))
}
