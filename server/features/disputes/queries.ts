import { type Dispute, disputeList } from '#contract/disputes.ts'
import { type DisputeState, encodeEntry, encodeFields } from '#domain/book/entry.ts'
import { type OpenProposalColumns, openProposalOf } from '#server/features/four-eyes/index.ts'
import type { Queryable } from '#server/platform/database/db.ts'
import { idsByNameSql } from '#server/platform/database/name-search.ts'
import { collectParams } from '#server/platform/database/sql.ts'
import { msSql } from '#server/platform/database/rows.ts'
import { type AskedPage, equals, type FilterOf, inTime, tableSql } from '#server/platform/http/lists.ts'
import { commitmentOfSentence } from './sealed-sentence.ts'

type DisputeRow = Pick<Dispute, 'id' | 'owner' | 'status' | 'text' | 'openedAtMs' | 'conversationId'> &
  Pick<OpenProposalColumns, keyof OpenProposalColumns> &
  Omit<Dispute['bet'], 'id' | 'status' | 'sealIndex'> & {
    readonly salt: Uint8Array
    readonly generation: number | null
    readonly isOfNewestLog: boolean | null
    readonly betId: string
    readonly betStatus: Dispute['bet']['status']
    readonly sealIndex: number | null
    readonly answer: string | null
    readonly answerSalt: Uint8Array | null
    readonly by: Dispute['owner'] | null
    readonly answeredAtMs: number | null
    readonly correctionMinor: bigint | null
  }

/** The exit price is null if the clock was set back, after the settlement, to before the round's end (rules §2.1). */
const SELECT = `select d.id, json_build_object('id', d.owner_id, 'username', u.username) as owner, d.status, d.text,
    d.salt, ${msSql('d.opened_at')} as "openedAtMs", d.conversation_id as "conversationId", d.generation,
    d.generation = (select max(generation) from book_tips) as "isOfNewestLog",
    d.bet_index::float8 as "sealIndex", d.answer, d.answer_salt as "answerSalt",
    case when a.id is not null then json_build_object('id', a.id, 'username', a.username) end as by,
    ${msSql('d.answered_at')} as "answeredAtMs", d.correction as "correctionMinor", d.bet_id as "betId",
    json_build_object('id', b.round_id, 'roundNumber', r.index + 1, 'type', r.type) as round, b.direction,
    b.stake as "stakeMinor", b.status as "betStatus", b.basis, b.entry_price as "entryPrice",
    case when r.closes_at <= clock_timestamp() then b.exit_price end as "exitPrice",
    coalesce(b.profit, 0)::bigint as "profitMinor", b.void_reason as "voidReason",
    ${msSql('b.accepted_at')} as "createdAtMs", p.id as proposal_id, p.proposed_by, q.username as proposed_by_name,
    p.expires_at as proposal_expires_at
  from disputes d
  join users u on u.id = d.owner_id
  join bets b on b.id = d.bet_id
  join rounds r on r.id = b.round_id
  left join users a on a.id = d.answered_by
  left join money_proposals p on p.dispute_id = d.id and p.status = 'open' and p.expires_at > clock_timestamp()
  left join users q on q.id = p.proposed_by`

/** Returns the exact text of a log entry, by which `withPlaces` finds the entry's index; null without an entry. */
function lineOf(row: DisputeRow, state: DisputeState, atMs: number, salt: Uint8Array, sentence: string): string | null {
  if (row.sealIndex === null) return null
  const fields = { bet: row.sealIndex, state, c: commitmentOfSentence(salt, sentence) }
  return encodeEntry('dispute', atMs, encodeFields('dispute', fields))
}

interface Lines {
  readonly opened: string | null
  readonly answered: string | null
}

const linesOf = (row: DisputeRow): Lines => ({
  opened: lineOf(row, 'opened', row.openedAtMs, row.salt, row.text),
  answered:
    row.status === 'open' || row.answeredAtMs === null || row.answerSalt === null || row.answer === null
      ? null
      : lineOf(row, row.status, row.answeredAtMs, row.answerSalt, row.answer),
})

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

function toDispute(row: DisputeRow, indexOf: (line: string | null) => number | null): Dispute {
  const lines = linesOf(row)
  const { answer, answerSalt, by, answeredAtMs } = row
  const entryOf = (salt: Uint8Array, sentence: string, line: string | null) => {
    const index = indexOf(line)
    // An entry that was still waiting when its log ended is in no log (rules §9.3).
    const isWaiting = index === null && line !== null && row.isOfNewestLog === true
    return { salt: base64(salt), c: commitmentOfSentence(salt, sentence), index, isWaiting }
  }
  return {
    id: row.id,
    owner: row.owner,
    status: row.status,
    text: row.text,
    openedAtMs: row.openedAtMs,
    conversationId: row.conversationId,
    bet: {
      id: row.betId,
      round: row.round,
      direction: row.direction,
      stakeMinor: row.stakeMinor,
      status: row.betStatus,
      basis: row.basis,
      entryPrice: row.entryPrice,
      exitPrice: row.exitPrice,
      profitMinor: row.profitMinor,
      voidReason: row.voidReason,
      createdAtMs: row.createdAtMs,
      sealIndex: row.sealIndex,
    },
    entry: entryOf(row.salt, row.text, lines.opened),
    answer:
      answer === null || answerSalt === null || by === null || answeredAtMs === null
        ? null
        : {
            text: answer,
            by,
            atMs: answeredAtMs,
            correctionMinor: row.correctionMinor,
            entry: entryOf(answerSalt, answer, lines.answered),
          },
    proposal: openProposalOf(row),
  }
}

/** Leaves out the proposal of a correction: the owner sees a correction only once it is booked (rules §3.10). */
export const asOwnerReads = (dispute: Dispute): Dispute => ({ ...dispute, proposal: null })

/** Turns rows into disputes with the log indexes of their entries. */
async function withPlaces(db: Queryable, rows: readonly DisputeRow[]): Promise<Dispute[]> {
  const asked = rows.flatMap((row) => {
    const { opened, answered } = linesOf(row)
    const { generation } = row
    return generation === null
      ? []
      : [opened, answered].flatMap((line) => (line === null ? [] : [{ generation, line }]))
  })
  const { rows: found } =
    asked.length === 0
      ? { rows: [] }
      : await db.query<{ index: bigint; line: string }>(
          `select n.index, n.line from book_notable n
             join unnest($1::integer[], $2::text[]) as l (generation, line)
               on n.kind = 'dispute' and n.generation = l.generation and n.line = l.line`,
          [asked.map(({ generation }) => generation), asked.map(({ line }) => line)],
        )
  const places = new Map(found.map(({ line, index }) => [line, Number(index)]))
  return rows.map((row) => toDispute(row, (line) => (line === null ? null : (places.get(line) ?? null))))
}

export async function readDispute(db: Queryable, disputeId: string): Promise<Dispute | null> {
  const { rows } = await db.query<DisputeRow>(`${SELECT} where d.id = $1`, [disputeId])
  return (await withPlaces(db, rows))[0] ?? null
}

export async function readDisputeOfBet(db: Queryable, betId: string): Promise<Dispute | null> {
  const { rows } = await db.query<DisputeRow>(`${SELECT} where d.bet_id = $1`, [betId])
  return (await withPlaces(db, rows))[0] ?? null
}

/** Returns the dispute of the user's own bet: null if there is none, undefined if the bet is not this user's. */
export async function readOwnDispute(
  db: Queryable,
  ownerId: string,
  betId: string,
): Promise<Dispute | null | undefined> {
  const { rowCount } = await db.query(`select 1 from bets where id = $1 and user_id = $2`, [betId, ownerId])
  if (rowCount === 0) return undefined
  const dispute = await readDisputeOfBet(db, betId)
  return dispute === null ? null : asOwnerReads(dispute)
}

export const DISPUTES = tableSql(disputeList, {
  table: 'disputes d',
  id: 'd.id',
  sorts: { openedAt: 'd.opened_at' },
  filters: {
    status: equals('d.status'),
    userId: equals('d.owner_id'),
    username: (name, add) => `d.owner_id = any(${idsByNameSql(name, add)})`,
    ...inTime('d.opened_at'),
  },
})

/** Lists one page of disputes, and one dispute more if another page follows. */
export async function listDisputes(db: Queryable, asked: AskedPage<FilterOf<typeof disputeList>>): Promise<Dispute[]> {
  const params = collectParams()
  const { rows } = await db.query<DisputeRow>(`${SELECT} ${DISPUTES.page(params, asked)}`, params.values)
  return withPlaces(db, rows)
}
