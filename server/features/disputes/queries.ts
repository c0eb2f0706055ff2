import { type Dispute, disputeList } from '#contract/disputes.ts'
import { type DisputeState, encodeEntry, encodeFields } from '#domain/book/entry.ts'
import type { DisputeStatus } from '#domain/disputes/dispute.ts'
import { type OpenProposalColumns, openProposalOf } from '#server/features/four-eyes/index.ts'
import type { Queryable, Row } from '#server/platform/database/db.ts'
import { idsByNameSql } from '#server/platform/database/name-search.ts'
import { collectParams } from '#server/platform/database/sql.ts'
import { type AskedPage, equals, type FilterOf, inTime, tableSql } from '#server/platform/http/lists.ts'
import { commitmentOfSentence } from './sealed-sentence.ts'

interface DisputeRow extends Row, OpenProposalColumns {
  id: string
  owner_id: string
  username: string
  status: DisputeStatus
  text: string
  salt: Uint8Array
  opened_at: Date
  conversation_id: string
  generation: number | null
  bet_index: bigint | null
  answer: string | null
  answer_salt: Uint8Array | null
  answered_by: string | null
  answered_by_name: string | null
  answered_at: Date | null
  correction: bigint | null
  bet_id: string
  round_id: string
  round_index: bigint
  round_type: Dispute['bet']['round']['type']
  direction: Dispute['bet']['direction']
  stake: bigint
  bet_status: Dispute['bet']['status']
  basis: Dispute['bet']['basis']
  entry_price: number | null
  exit_price: number | null
  profit: bigint | null
  void_reason: Dispute['bet']['voidReason']
  accepted_at: Date
}

/** A price is shown once its second has come (rules §2): after a step back of the clock an exit's may lie ahead. */
const SELECT = `select d.id, d.owner_id, u.username, d.status, d.text, d.salt, d.opened_at, d.conversation_id, d.generation,
    d.bet_index, d.answer, d.answer_salt, d.answered_by, a.username as answered_by_name, d.answered_at, d.correction,
    d.bet_id, b.round_id, r.index as round_index, r.type as round_type, b.direction, b.stake, b.status as bet_status, b.basis,
    b.entry_price, case when r.closes_at <= clock_timestamp() then b.exit_price end as exit_price, b.profit,
    b.void_reason, b.accepted_at, p.id as proposal_id, p.proposed_by, q.username as proposed_by_name,
    p.expires_at as proposal_expires_at
  from disputes d
  join users u on u.id = d.owner_id
  join bets b on b.id = d.bet_id
  join rounds r on r.id = b.round_id
  left join users a on a.id = d.answered_by
  left join money_proposals p on p.dispute_id = d.id and p.status = 'open' and p.expires_at > clock_timestamp()
  left join users q on q.id = p.proposed_by`

/** The exact line of an entry, by which its place is found; null for a dispute that is not in the log. */
function lineOf(row: DisputeRow, state: DisputeState, at: Date, salt: Uint8Array, sentence: string): string | null {
  if (row.bet_index === null) return null
  const fields = { bet: Number(row.bet_index), state, c: commitmentOfSentence(salt, sentence) }
  return encodeEntry('dispute', at.getTime(), encodeFields('dispute', fields))
}

interface Lines {
  readonly opened: string | null
  readonly answered: string | null
}

const linesOf = (row: DisputeRow): Lines => ({
  opened: lineOf(row, 'opened', row.opened_at, row.salt, row.text),
  answered:
    row.status === 'open' || row.answered_at === null || row.answer_salt === null || row.answer === null
      ? null
      : lineOf(row, row.status, row.answered_at, row.answer_salt, row.answer),
})

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

function toDispute(row: DisputeRow, indexOf: (line: string | null) => number | null): Dispute {
  const lines = linesOf(row)
  const { answer, answer_salt: answerSalt, answered_by: by, answered_by_name: byName, answered_at: at } = row
  return {
    id: row.id,
    owner: { id: row.owner_id, username: row.username },
    status: row.status,
    text: row.text,
    openedAtMs: row.opened_at.getTime(),
    conversationId: row.conversation_id,
    bet: {
      id: row.bet_id,
      round: { id: row.round_id, roundNumber: Number(row.round_index) + 1, type: row.round_type },
      direction: row.direction,
      stakeMinor: row.stake,
      status: row.bet_status,
      basis: row.basis,
      entryPrice: row.entry_price,
      exitPrice: row.exit_price,
      profitMinor: row.profit ?? 0n,
      voidReason: row.void_reason,
      createdAtMs: row.accepted_at.getTime(),
      sealIndex: row.bet_index === null ? null : Number(row.bet_index),
    },
    entry: { salt: base64(row.salt), c: commitmentOfSentence(row.salt, row.text), index: indexOf(lines.opened) },
    answer:
      answer === null || answerSalt === null || by === null || byName === null || at === null
        ? null
        : {
            text: answer,
            by: { id: by, username: byName },
            atMs: at.getTime(),
            correctionMinor: row.correction,
            entry: {
              salt: base64(answerSalt),
              c: commitmentOfSentence(answerSalt, answer),
              index: indexOf(lines.answered),
            },
          },
    proposal: openProposalOf(row),
  }
}

/** Who sees a correction only when it is booked (rules §3.10). */
export const asOwnerReads = (dispute: Dispute): Dispute => ({ ...dispute, proposal: null })

/** By one lookup in the open book for all of them. */
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

/** Null while there is no dispute, undefined for a bet that is not this user's. */
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
    username: (name, add) => `d.owner_id = any(${idsByNameSql(name, add)})`,
    ...inTime('d.opened_at'),
  },
})

/** One more than the page holds. */
export async function listDisputes(db: Queryable, asked: AskedPage<FilterOf<typeof disputeList>>): Promise<Dispute[]> {
  const params = collectParams()
  const { rows } = await db.query<DisputeRow>(`${SELECT} ${DISPUTES.page(params, asked)}`, params.values)
  return withPlaces(db, rows)
}
