import { createHash } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Basis, Direction } from '#domain/game/bet.ts'
import type { Subject } from '#domain/identity/permissions.ts'
import { points } from '#domain/money.ts'
import { isRefused } from '#server/platform/http/errors.ts'
import { brokenInvariants, createAdmin, letPass, subjectOfPlayer } from '#testing/play/books.ts'
import {
  balancesOf,
  createPlayers,
  createRound,
  encodeBet,
  fixedPrices,
  noHints,
  type TestPlayer,
  wish,
} from '#testing/play/rounds.ts'
import { testEngines } from '#testing/database/test-database.ts'
import { useDatabase } from '#testing/database/use-database.ts'
import { deleteRound } from './delete-round.ts'
import { createBetPlacer } from './place-bets.ts'
import { readWindowRound } from './queries.ts'
import { ROUND_COLUMNS, type RoundRow, toRound } from './rows.ts'
import { setResult } from './set-result.ts'
import { settleRound } from './settle-round.ts'
import { tamperWith } from '#testing/database/tamper.ts'

const rising = fixedPrices((second) => second)
const labelOf = () => 'Giá mô phỏng'

describe.each(testEngines)('disclosure on %s', (engine) => {
  const db = useDatabase(engine)
  let admin: Subject
  let place: ReturnType<typeof createBetPlacer>
  beforeAll(() => {
    place = createBetPlacer({ db, prices: rising, hints: noHints }, encodeBet)
  })
  beforeEach(async () => {
    admin = await createAdmin(db)
  })

  const deps = () => ({ db, prices: rising, hints: noHints })
  const bet = async (player: TestPlayer, roundId: string, seenBasis: Basis, direction: Direction = 'up') => {
    const answer = await place({ ...wish(player, roundId, 10, direction), seenBasis })
    return answer.ok ? (JSON.parse(answer.json) as { basis: string }).basis : answer.refusal
  }
  const announce = async (roundId: string, direction: Direction) => {
    const row = await setResult(deps(), admin, roundId, direction)
    return isRefused(row) ? row.code : row
  }
  const endings = async () => {
    const { rows } = await db.query<{ what: string; n: bigint }>(
      `select basis || ' seen ' || seen_basis || ' ' || direction || ' ' || status as what, count(*) as n
         from bets group by 1 order by 1`,
    )
    return Object.fromEntries(rows.map(({ what, n }) => [what, Number(n)]))
  }
  const pass = async (...roundIds: string[]) => {
    await letPass(db, 40)
    for (const roundId of roundIds) expect(await settleRound(deps(), roundId)).toBe('ended')
  }
  const rowOf = async (roundId: string) => {
    const { rows } = await db.query<RoundRow>(`select ${ROUND_COLUMNS} from rounds r where r.id = $1`, [roundId])
    return rows[0]!
  }

  test('each of 1,000 forced and scripted bets has the basis that its player saw, and is decided by it', async () => {
    const round = await createRound(db, { leftS: 30 })
    const fair = await createPlayers(db, 500)
    const winners = await createPlayers(db, 250, { scriptedOutcome: 'win' })
    const losers = await createPlayers(db, 250, { scriptedOutcome: 'lose' })
    const scripted = [...winners, ...losers]
    expect(await announce(round.id, 'down')).toMatchObject({ staff_direction: 'down' })

    // A player who saw another basis is refused: PRICE where another basis decides, and the wrong one of the other
    // two.
    const unseen = await Promise.all([
      ...fair.map((player, nth) => bet(player, round.id, nth % 2 === 0 ? 'PRICE' : 'SCRIPTED')),
      ...scripted.map((player, nth) => bet(player, round.id, nth % 2 === 0 ? 'PRICE' : 'ADMIN')),
    ])
    expect(new Set(unseen)).toEqual(new Set(['DISCLOSURE_CHANGED']))
    const { rows: none } = await db.query(
      `select (select count(*) from bets) as bets, (select count(*) from ledger_transfers where reason <> 'WELCOME') as transfers`,
    )
    expect(none).toEqual([{ bets: 0n, transfers: 0n }])

    const sides: readonly Direction[] = ['up', 'down']
    const seen = await Promise.all([
      ...fair.map((player, nth) => bet(player, round.id, 'ADMIN', sides[nth % 2])),
      ...scripted.map((player, nth) => bet(player, round.id, 'SCRIPTED', sides[nth % 2])),
    ])
    expect(seen).toEqual([...fair.map(() => 'ADMIN'), ...scripted.map(() => 'SCRIPTED')])
    await pass(round.id)
    // The price rose, but decided none of these bets.
    expect(await endings()).toEqual({
      'ADMIN seen ADMIN down won': 250,
      'ADMIN seen ADMIN up lost': 250,
      'SCRIPTED seen SCRIPTED down won': 125,
      'SCRIPTED seen SCRIPTED down lost': 125,
      'SCRIPTED seen SCRIPTED up won': 125,
      'SCRIPTED seen SCRIPTED up lost': 125,
    })
    const { rows } = await db.query(
      `select count(*) as n from bets where entry_second is not null or entry_price is not null or exit_price is not null`,
    )
    expect(rows).toEqual([{ n: 0n }])
    expect(await brokenInvariants(db)).toEqual([])
  })

  test('a bet placed before the announcement is decided by its price, and script changes affect only later bets', async () => {
    const [round, next] = [await createRound(db, { leftS: 30 }), await createRound(db)]
    const [early, late, marked, freed] = await createPlayers(db, 4)
    await db.query(`update users set scripted_outcome = 'lose' where id = $1`, [freed.id])
    expect(await bet(early, round.id, 'PRICE', 'up')).toBe('PRICE')
    expect(await bet(marked, round.id, 'PRICE', 'up')).toBe('PRICE')
    expect(await bet(freed, round.id, 'SCRIPTED', 'up')).toBe('SCRIPTED')
    await announce(round.id, 'down')
    await db.query(`update users set scripted_outcome = 'lose' where id = $1`, [marked.id])
    await db.query(`update users set scripted_outcome = null where id = $1`, [freed.id])
    expect(await bet(late, round.id, 'ADMIN', 'up')).toBe('ADMIN')
    // None of the fixed columns can be rewritten.
    for (const change of [`basis = 'ADMIN'`, `seen_basis = 'ADMIN'`, `scripted_outcome = 'win'`, `direction = 'down'`])
      await expect(db.query(`update bets set ${change} where user_id = $1`, [early.id])).rejects.toThrow(
        /cannot be rewritten/,
      )
    await pass(round.id)
    expect(await endings()).toEqual({
      'ADMIN seen ADMIN up lost': 1,
      'PRICE seen PRICE up won': 2,
      'SCRIPTED seen SCRIPTED up lost': 1,
    })
    expect(await bet(marked, next.id, 'PRICE')).toBe('DISCLOSURE_CHANGED')
    expect(await bet(marked, next.id, 'SCRIPTED')).toBe('SCRIPTED')
    expect(await bet(freed, next.id, 'SCRIPTED')).toBe('DISCLOSURE_CHANGED')
    expect(await bet(freed, next.id, 'PRICE')).toBe('PRICE')
    expect(await brokenInvariants(db)).toEqual([])
  })

  test('a stored bet without a matching disclosure is settled by price', async () => {
    const round = await createRound(db, { leftS: 30 })
    const [forced] = await createPlayers(db, 1)
    const [scripted] = await createPlayers(db, 1, { scriptedOutcome: 'lose' })
    await announce(round.id, 'down')
    expect(await bet(forced, round.id, 'ADMIN', 'up')).toBe('ADMIN')
    expect(await bet(scripted, round.id, 'SCRIPTED', 'up')).toBe('SCRIPTED')
    // No command writes such rows; somebody with control of the database could.
    await tamperWith(db, `update bets set seen_basis = 'PRICE'`)
    await pass(round.id)
    expect(await endings()).toEqual({ 'ADMIN seen PRICE up won': 1, 'SCRIPTED seen PRICE up won': 1 })
  })

  test('a result is set once, with 10 s left, while the round runs', async () => {
    const round = await createRound(db, { leftS: 30 })
    const short = await createRound(db, { leftS: 9 })
    const deleted = await createRound(db)
    expect(await announce(short.id, 'up')).toBe('TOO_LATE')
    expect(await deleteRound(deps(), admin, short.id)).toMatchObject({ code: 'TOO_LATE' })
    expect(await announce(round.id, 'up')).toMatchObject({ staff_direction: 'up' })
    expect(await announce(round.id, 'down')).toBe('RESULT_ALREADY_SET')
    expect(await announce(round.id, 'up')).toBe('RESULT_ALREADY_SET')
    await expect(db.query(`update rounds set staff_direction = 'down' where id = $1`, [round.id])).rejects.toThrow(
      /cannot be changed/,
    )
    expect(await deleteRound(deps(), admin, deleted.id)).toBeNull()
    expect(await announce(deleted.id, 'up')).toBe('ROUND_NOT_FOUND')
    expect(await announce(admin.userId, 'up')).toBe('ROUND_NOT_FOUND')
    await pass(round.id, short.id)
    expect(await announce(short.id, 'up')).toBe('ROUND_ENDED')
    expect(await announce(round.id, 'down')).toBe('ROUND_ENDED')
    // A round past its end is over, whether or not it has been settled.
    const unsettled = await createRound(db, { leftS: 30 })
    await letPass(db, 40)
    expect(await announce(unsettled.id, 'up')).toBe('ROUND_ENDED')
    expect((await rowOf(round.id)).result).toBe('up')
  })

  test('two admins who announce at once make one announcement', async () => {
    const round = await createRound(db)
    const other = await createAdmin(db)
    const told = await Promise.all([
      setResult(deps(), admin, round.id, 'up'),
      setResult(deps(), other, round.id, 'down'),
    ])
    expect(told.filter(isRefused).map(({ code }) => code)).toEqual(['RESULT_ALREADY_SET'])
    const accepted = told.find((row) => !isRefused(row)) as RoundRow
    expect((await rowOf(round.id)).staff_direction).toBe(accepted.staff_direction)
    const { rows } = await db.query(`select act, target from audit_log`)
    expect(rows).toEqual([{ act: 'round.set-result', target: `round:${round.id}` }])
  })

  test('a player, or an admin who lost the role, sets nothing', async () => {
    const round = await createRound(db)
    const [player] = await createPlayers(db, 1)
    const codeOf = async (subject: Subject) => {
      const row = await setResult(deps(), subject, round.id, 'up')
      return isRefused(row) ? row.code : 'announced'
    }
    expect(await codeOf(subjectOfPlayer(player))).toBe('FORBIDDEN')
    // The role of the request is not trusted; the role under the lock counts.
    expect(await codeOf(subjectOfPlayer(player, 'admin'))).toBe('FORBIDDEN')
    await db.query(`update users set is_frozen = true where id = $1`, [admin.userId])
    expect(await codeOf(admin)).toBe('ACCOUNT_PAUSED')
    expect(await deleteRound(deps(), admin, round.id)).toMatchObject({ code: 'ACCOUNT_PAUSED' })
    await db.query(`update users set is_frozen = false where id = $1`, [admin.userId])
    await db.query(`update sessions set ended_at = clock_timestamp() where user_id = $1`, [admin.userId])
    expect(await codeOf(admin)).toBe('UNAUTHORIZED')
    expect(await rowOf(round.id)).toMatchObject({ staff_direction: null, deleted_at: null })
  })

  test('the commitment binds the direction, and both stay hidden until the end', async () => {
    const round = await createRound(db, { leftS: 30 })
    const player = subjectOfPlayer((await createPlayers(db, 1))[0])
    const colleague = await createAdmin(db)
    const seenBy = async (reader: Subject) => toRound(await rowOf(round.id), reader, labelOf)
    expect(await seenBy(player)).toMatchObject({ result: null, resultSource: 'PRICE', announcement: null })
    await announce(round.id, 'down')

    const toPlayer = await seenBy(player)
    expect(toPlayer).toMatchObject({ result: null, resultSource: 'ADMIN' })
    expect(toPlayer.announcement).toMatchObject({ direction: null, nonce: null })
    const commitment = toPlayer.announcement?.commitment ?? ''
    expect(commitment).toMatch(/^[0-9a-f]{64}$/)
    // Nothing else that a player reads reveals the direction.
    expect(JSON.stringify(toPlayer)).not.toMatch(/down|DOWN/)
    expect(await seenBy(colleague)).toEqual(toPlayer)
    // The admin who set it sees the direction. Nobody sees the nonce: with it the direction could be proved early.
    const toAnnouncer = await seenBy(admin)
    expect(toAnnouncer).toMatchObject({ result: 'down' })
    expect(toAnnouncer.announcement).toMatchObject({ direction: 'down', nonce: null, commitment })

    await db.query(`update rounds set status = 'settling', result = 'down' where id = $1`, [round.id])
    for (const reader of [player, colleague])
      expect(await seenBy(reader)).toMatchObject({ result: null, announcement: { direction: null, nonce: null } })
    await pass(round.id)
    const after = await seenBy(player)
    expect(await seenBy(colleague)).toEqual(after)
    expect(after).toMatchObject({ status: 'ended', result: 'down', announcement: { direction: 'down', commitment } })
    const nonce = after.announcement?.nonce ?? ''
    expect(nonce).toMatch(/^[0-9a-f]{32}$/)
    const bind = (direction: string) =>
      createHash('sha256').update(direction).update(Buffer.from(nonce, 'hex')).digest('hex')
    expect(bind('DOWN')).toBe(commitment)
    expect(bind('UP')).not.toBe(commitment)
  })

  test('staff, frozen and signed-out accounts place nothing, whatever basis they saw', async () => {
    const round = await createRound(db)
    const [staff] = await createPlayers(db, 1, { role: 'admin' })
    const [frozen, gone, out, waiting] = await createPlayers(db, 4)
    await db.query(`update users set is_frozen = true where id = $1`, [frozen.id])
    await db.query(`update sessions set expires_at = clock_timestamp() where user_id = $1`, [gone.id])
    await db.query(`update sessions set ended_at = clock_timestamp() where user_id = $1`, [out.id])
    await db.query(`update users set must_change_password = true where id = $1`, [waiting.id])
    for (const [player, refusal] of [
      [staff, 'STAFF_CANNOT_PLAY'],
      [frozen, 'ACCOUNT_PAUSED'],
      [gone, 'UNAUTHORIZED'],
      [out, 'UNAUTHORIZED'],
      [waiting, 'MUST_CHANGE_PASSWORD'],
    ] as const) {
      for (const basis of ['PRICE', 'ADMIN', 'SCRIPTED'] as const)
        expect(await bet(player, round.id, basis)).toBe(refusal)
      expect(await balancesOf(db, player.id)).toEqual({ wallet: points(1000), staked: 0n, reserved: 0n })
    }
    const stolen = { ...waiting, token: { ...waiting.token, secretHash: new Uint8Array(32) } }
    expect(await bet(stolen, round.id, 'PRICE')).toBe('UNAUTHORIZED')
    // A session gives access to no other account, even of a player who is signed in.
    const [one, two] = await createPlayers(db, 2)
    expect(await bet({ ...one, token: { ...two.token, userId: one.id } }, round.id, 'PRICE')).toBe('UNAUTHORIZED')
  })

  test('a deleted round stays readable as deleted, and its window has no round until the next attempt', async () => {
    const round = await createRound(db)
    const [player] = await createPlayers(db, 1)
    await bet(player, round.id, 'PRICE')
    expect(await deleteRound(deps(), admin, round.id)).toBeNull()
    expect(await bet(player, round.id, 'PRICE')).toBe('ROUND_NOT_FOUND')
    const row = await rowOf(round.id)
    expect(toRound(row, admin, labelOf)).toMatchObject({ isDeleted: true, status: 'ended', result: null })
    expect((await balancesOf(db, player.id)).wallet).toBe(points(1000))
    expect(await readWindowRound(db, round.type, round.opensAtMs + 1_000_000_000)).toBeNull()
    expect(await deleteRound(deps(), admin, round.id)).toMatchObject({ code: 'ROUND_NOT_FOUND' })
  })
})
