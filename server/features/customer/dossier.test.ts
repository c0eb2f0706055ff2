import { describe, expect, test } from 'vitest'
import {
  adjustmentTransfer,
  captureTransfer,
  closeBetTransfers,
  depositTransfer,
  holdTransfer,
  stakeTransfer,
  type Transfer,
} from '#domain/ledger/transfers.ts'
import { postTransfers } from '#server/features/wallet/index.ts'
import { newId } from '#server/platform/process/ids.ts'
import { insertBet } from '#testing/play/bets.ts'
import { refusedWith, type WireData } from '#testing/app/app.ts'
import { bareToken } from '#testing/app/chat-client.ts'
import { createPlayers, createRound, type TestPlayer } from '#testing/play/rounds.ts'
import { usePeople } from '#testing/play/use-people.ts'
import { testEngines } from '#testing/database/test-database.ts'
import { useApp } from '#testing/app/use-app.ts'

const MINUTE_MS = 60_000

describe.each(testEngines)('what is looked up before a decision on %s', (engine) => {
  const { db, app } = useApp(engine)
  const [player, other] = usePeople(db, 2)
  const [admin, second] = usePeople(db, 2, { role: 'admin', welcomePoints: 0 })

  const read = (id: string, who: TestPlayer = admin) =>
    app.call('GET', `/api/v1/transaction/${id}/dossier`, { token: bareToken(who) })
  const dossierOf = async (id: string, who?: TestPlayer) => {
    const { status, body } = await read(id, who)
    expect(status).toBe(200)
    return body.data as WireData & { recent: WireData[]; notes: WireData[]; user: WireData }
  }
  type Status = 'pending' | 'approved' | 'rejected'
  /** A request as the back office left it, without its transfers. */
  const request = async (
    owner: TestPlayer,
    {
      status = 'pending',
      kind = 'deposit',
      atMs = Date.now(),
      number = '0123',
      isHidden = false,
    }: { status?: Status; kind?: 'deposit' | 'withdrawal'; atMs?: number; number?: string; isHidden?: boolean } = {},
  ) => {
    const id = newId()
    await db.query(
      `insert into cash_requests (id, owner_id, kind, amount, bank_id, account_number, account_holder, bank_name, status,
         decided_by, decided_at, rejection_reason, created_at, hidden_at)
       values ($1, $2, $3, 100, $1, $4, 'A', 'VCB', $5, $6, $7, $8, $9, $10)`,
      [
        id,
        owner.id,
        kind,
        number,
        status,
        status === 'pending' ? null : admin.id,
        status === 'pending' ? null : new Date(atMs),
        status === 'rejected' ? 'Sai số' : null,
        new Date(atMs - MINUTE_MS),
        isHidden ? new Date(atMs) : null,
      ],
    )
    return id
  }
  const post = (atMs: number, ...transfers: Transfer[]) => db.tx((tx) => postTransfers(tx, transfers, atMs))
  /** A bet with its transfers, each booked when it happened; open without an end. */
  const bet = async (atMs: number, profitMinor: bigint, endedAtMs: number | null) => {
    const round = await createRound(db)
    const status = profitMinor > 0n ? ('won' as const) : ('lost' as const)
    const ended = endedAtMs !== null && { status, profitMinor, settledAtMs: endedAtMs, entryPrice: 1, exitPrice: 1 }
    const made = { status: 'open', stakeMinor: 1000n, acceptedAtMs: atMs, ...ended } as const
    const id = await insertBet(db, player.id, round.id, made)
    return {
      stake: () => post(atMs, stakeTransfer(id, player.id, 1000n)),
      end: () => post(endedAtMs ?? 0, ...closeBetTransfers(id, player.id, 1000n, profitMinor)),
    }
  }
  const whole = async (atMs: number, profitMinor: bigint, endedAtMs: number) => {
    const made = await bet(atMs, profitMinor, endedAtMs)
    await made.stake()
    await made.end()
  }
  /** The same net, added up bet by bet. */
  const recount = async (since: number) => {
    const { rows } = await db.query<{ net: bigint }>(
      `select coalesce(sum(profit), 0)::bigint as net from bets where user_id = $1 and settled_at > $2`,
      [player.id, new Date(since)],
    )
    return Number(rows[0]?.net) / 100
  }

  test('the account with its flags, what is reserved, and the time-out that runs', async () => {
    const id = await request(player, { kind: 'withdrawal' })
    await post(Date.now(), holdTransfer(id, player.id, 30_00n))
    await db.query(`update users set is_frozen = true, scripted_outcome = 'lose', ip = '10.0.0.9' where id = $1`, [
      player.id,
    ])
    const until = new Date(Math.ceil(Date.now() / 1000) * 1000 + 3_600_000)
    await db.query(`insert into player_limits (user_id, timeout_until) values ($1, $2)`, [player.id, until])
    expect(await dossierOf(id)).toMatchObject({
      user: { _id: player.id, score: 970, isPaused: true, isWin: false, ip: '10.0.0.9', createdAt: expect.any(String) },
      reserved: 30,
      timeoutUntil: until.toISOString(),
      recent: [],
      betNet: 0,
      betNetSince: null,
      sharedWith: [],
      sharedCount: 0,
      notes: [],
      noteCount: 0,
    })
    await db.query(`update player_limits set timeout_until = clock_timestamp() - interval '1 second'`)
    expect((await dossierOf(id))['timeoutUntil']).toBeNull()
  })

  test('an address is for those who look after accounts', async () => {
    await db.query(`update users set ip = '10.0.0.9' where id = $1`, [player.id])
    const [reader] = await createPlayers(db, 1, { role: 'admin', capabilities: ['money'] })
    const id = await request(player)
    expect((await dossierOf(id, reader)).user).toMatchObject({ _id: player.id, ip: null })
  })

  test('the five newest other requests of its owner, with their status', async () => {
    const now = Date.now()
    const ids: string[] = []
    const states: readonly Status[] = ['approved', 'rejected', 'pending', 'approved', 'rejected', 'pending', 'approved']
    for (const [at, status] of states.entries()) ids.push(await request(player, { status, atMs: now - at * MINUTE_MS }))
    await request(player, { status: 'rejected', isHidden: true })
    await request(other)
    const recentOf = async (id: string) => (await dossierOf(id)).recent.map(({ _id, status }) => [_id, status])
    const words = { approved: 'ACCEPT', rejected: 'REJECT', pending: 'IN_PROGRESS' }
    const told = (...places: number[]) => places.map((at) => [ids[at], words[states[at] as Status]])
    expect(await recentOf(ids[2] as string)).toEqual(told(0, 1, 3, 4, 5))
    expect(await recentOf(ids[6] as string)).toEqual(told(0, 1, 2, 3, 4))
  })

  test('the net of bets since the last approved request is what a recount finds', async () => {
    const start = Date.now() - 100 * MINUTE_MS
    const at = (minutes: number) => start + minutes * MINUTE_MS
    const mine = await request(player)
    const net = async () => {
      const { betNet, betNetSince } = await dossierOf(mine)
      return [betNet, betNetSince]
    }
    await whole(at(1), -400n, at(2))
    await whole(at(3), 900n, at(4))
    await post(at(5), adjustmentTransfer(newId(), player.id, 77_00n, admin.id, 'x'))
    // Without an approved request everything counts; an adjustment is no bet.
    expect(await net()).toEqual([5, null])
    // Open while the request is approved: it is decided afterwards, so that it counts.
    const across = await bet(at(9), -250n, at(11))
    await across.stake()
    const deposit = await request(player, { status: 'approved', atMs: at(10) })
    await post(at(10), depositTransfer(deposit, player.id, 500_00n, admin.id, null))
    await across.end()
    expect(await net()).toEqual([-2.5, new Date(at(10)).toISOString()])
    await whole(at(12), 120n, at(13))
    expect(await net()).toEqual([await recount(at(10)), new Date(at(10)).toISOString()])
    expect(await recount(at(10))).toBe(-1.3)
    // A rejection and another player's approval move nothing.
    await request(player, { status: 'rejected', atMs: at(14) })
    await request(other, { status: 'approved', atMs: at(15) })
    expect((await net())[0]).toBe(-1.3)
    // A withdrawal that was paid, though paying it touches no wallet; its hold lies before.
    const paid = await request(player, { status: 'approved', kind: 'withdrawal', atMs: at(20) })
    await post(at(16), holdTransfer(paid, player.id, 100_00n))
    await post(at(20), captureTransfer(paid, player.id, 100_00n, admin.id, null))
    expect(await net()).toEqual([0, new Date(at(20)).toISOString()])
    await whole(at(21), 300n, at(22))
    const running = await bet(at(23), 0n, null)
    await running.stake()
    const held = await request(player, { kind: 'withdrawal' })
    await post(at(24), holdTransfer(held, player.id, 10_00n))
    expect(await net()).toEqual([await recount(at(20)), new Date(at(20)).toISOString()])
    expect(await recount(at(20))).toBe(3)
  })

  test('other accounts with the number of the request, whether or not its owner still has it linked', async () => {
    const link = (owner: TestPlayer, number: string) =>
      db.query(
        `insert into banks (id, owner_id, account_number, account_holder, bank_name) values ($1, $2, $3, 'A', 'VCB')`,
        [newId(), owner.id, number],
      )
    await link(other, '0011')
    await link(other, '0022')
    await link(player, '0022')
    const { sharedWith, sharedCount } = await dossierOf(await request(player, { number: '0011' }))
    expect([sharedWith, sharedCount]).toEqual([[{ _id: other.id, username: other.username, isDeleted: false }], 1])
    expect((await dossierOf(await request(player, { number: '0033' })))['sharedCount']).toBe(0)
  })

  test('the three newest notes, and none about oneself', async () => {
    const note = (userId: string, text: string) =>
      app.call('POST', `/api/v1/customers/${userId}/notes`, {
        token: bareToken(second),
        body: { noteId: newId(), text },
      })
    for (const text of ['một', 'hai', 'ba', 'bốn']) expect((await note(player.id, text)).status).toBe(200)
    const { notes, noteCount } = await dossierOf(await request(player))
    expect(notes.map(({ text }) => text)).toEqual(['bốn', 'ba', 'hai'])
    expect(noteCount).toBe(4)
    expect((await note(admin.id, 'về chính mình')).status).toBe(200)
    const own = await dossierOf(await request(admin))
    expect([own.notes, own['noteCount']]).toEqual([[], 0])
    expect((await dossierOf(await request(admin), second)).notes).toHaveLength(1)
  })

  test('reading it is a look at its owner, once an hour; an unknown request and a player are refused', async () => {
    const id = await request(player)
    await Promise.all([read(id), read(id), read(await request(player))])
    const looks = await db.query(`select actor, target from audit_log where act = 'user.view'`)
    expect(looks.rows).toEqual([{ actor: admin.id, target: `user:${player.id}` }])
    expect(await read(newId())).toMatchObject(refusedWith('NOT_FOUND'))
    expect((await read('x')).status).toBe(400)
    expect((await read(id, player)).status).toBe(403)
    expect((await read(id, other)).status).toBe(403)
  })
})
