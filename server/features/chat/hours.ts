import { isDeepStrictEqual } from 'node:util'
import type { KeptHours } from '#contract/care.ts'
import { refusals } from '#contract/refusals.ts'
import { type CareHours, decideHours, minuteText, WEEKDAYS } from '#domain/chat/hours.ts'
import type { Subject } from '#domain/identity/permissions.ts'
import { recordAct } from '#server/features/audit/index.ts'
import type { Database, Queryable, Row } from '#server/platform/database/db.ts'
import { msSql } from '#server/platform/database/rows.ts'
import { actingOnce } from '#server/platform/http/acting.ts'
import { refuse } from '#server/platform/http/errors.ts'

export async function readHours(
  q: Queryable,
  lock: '' | 'for update' = '',
): Promise<KeptHours & { readonly nowMs: number }> {
  const { rows } = await q.query<KeptHours & Row & { nowMs: number }>(
    `select week, away_text as "awayText", version, ${msSql('clock_timestamp()')} as "nowMs" from care_hours ${lock}`,
  )
  if (rows[0] === undefined) throw new Error('Customer care has lost its hours')
  return rows[0]
}

const auditForm = ({ week, awayText }: CareHours) => ({
  ...Object.fromEntries(
    WEEKDAYS.map((weekday, at) => {
      const day = week[at] ?? null
      return [weekday, day && `${minuteText(day.fromMinute)}–${minuteText(day.toMinute)}`]
    }),
  ),
  awayText,
})

/** Sets the office hours. Refuses a change if `version`, which the owner saw, is not the present one (rules §7.17). */
export const setHours = (db: Database, subject: Subject, { week, awayText, version }: KeptHours) =>
  actingOnce(db, subject, 'staff:owner', async (tx, owner) => {
    const before = await readHours(tx, 'for update')
    const wish = { week, awayText: awayText.trim() }
    // Nothing is to be saved, as when a save is repeated because its answer was lost.
    if (isDeepStrictEqual(auditForm(before), auditForm(wish))) return before
    if (before.version !== version) return refuse('STALE')
    const refusal = decideHours(wish)
    if (refusal !== null) {
      const { code, weekday } = refusal
      const path = weekday === undefined ? 'awayText' : `days.${weekday}.to`
      return refuse(code, { fields: [{ path, message: refusals[code].message }] })
    }
    const kept = { ...wish, version: version + 1 }
    await tx.query(`update care_hours set week = $1, away_text = $2, version = $3`, [
      JSON.stringify(kept.week),
      kept.awayText,
      kept.version,
    ])
    await recordAct(tx, owner.userId, 'chat.hours', 'chat', { before: auditForm(before), after: auditForm(wish) })
    return kept
  })
