import { beforeAll, describe, expect, test } from 'vitest'
import { recordAct } from '#server/features/audit/index.ts'
import { closeBets } from '#server/features/game/index.ts'
import { newId } from '#server/platform/process/ids.ts'
import { makeHistory } from '#testing/play/bets.ts'
import { createPlayers, createRound, fixedPrices, noHints, type TestPlayer } from '#testing/play/rounds.ts'
import { testEngines } from '#testing/database/test-database.ts'
import { useApp } from '#testing/app/use-app.ts'

describe.each(testEngines)('what staff see on %s', (engine) => {
  const { db, app } = useApp(engine, {}, { areReset: false })
  let players: TestPlayer[]
  let admin: TestPlayer
  /** When the running round opened. */
  let opensAtMs: number
  let endedId: string
  const get = (who: TestPlayer, path: string) =>
    app.call('GET', `/api/v1${path}`, { token: who.bearer.slice('Bearer '.length) })
  const rowsOf = async (who: TestPlayer, path: string) =>
    (await get(who, path)).body.data as Array<Record<string, unknown>>

  beforeAll(async () => {
    players = await createPlayers(db, 4, { prefix: 'nguoichoi' })
    ;[admin] = await createPlayers(db, 1, { role: 'admin', welcomePoints: 0 })
    const ended = await createRound(db)
    endedId = ended.id
    const running = await createRound(db, { type: '30s' })
    opensAtMs = running.opensAtMs
    const bet = (who: TestPlayer, gameId: string, value: string) =>
      app.call('POST', '/api/v1/history', {
        token: who.bearer.slice('Bearer '.length),
        body: { gameId, score: 100, value },
      })
    await bet(players[0]!, ended.id, 'UP')
    await bet(players[1]!, ended.id, 'DOWN')
    const ticks = await fixedPrices((second) => second).ensureTicks(
      db,
      'simulated',
      ended.opensAtMs / 1000,
      ended.closesAtMs / 1000,
    )
    await closeBets(
      { db, prices: fixedPrices(() => null), hints: noHints },
      {
        id: ended.id,
        type: '60s',
        closesAtMs: ended.closesAtMs,
        staffDirection: null,
        isDeleted: false,
        priceSource: 'simulated',
        ticks: new Map(ticks.ticks.map((tick) => [tick.second, tick])),
      },
    )
    await bet(players[2]!, running.id, 'UP')
    await bet(players[3]!, running.id, 'DOWN')
  })

  test('bets of everybody with filters and counters', async () => {
    expect(await rowsOf(admin, '/history')).toHaveLength(4)
    expect(await rowsOf(admin, '/history?status=WIN')).toEqual([
      expect.objectContaining({ profit: 7, userId: expect.objectContaining({ username: players[0]!.username }) }),
    ])
    expect(await rowsOf(admin, `/history?username=${players[1]!.username.toUpperCase()}`)).toHaveLength(1)
    expect(await rowsOf(admin, '/history?username=%25')).toHaveLength(0)
    expect((await get(admin, '/history/counts')).body.data).toEqual({
      progress: 2,
      win: 1,
      lose: 1,
      void: 0,
      leftOut: 0,
      staked: 400,
      returned: 0,
      net: 0,
      isCapped: false,
    })
    expect((await get(players[0]!, '/history')).status).toBe(403)
  })

  test('n1 of a running round is in every list', async () => {
    const seconds = opensAtMs / 1000
    await db.query(
      `insert into ticks (source, second, price, quote_at) values ('simulated', $1::bigint, 4132114, to_timestamp($1::bigint))
      on conflict do nothing`,
      [seconds],
    )
    for (const path of ['/game/list-all', '/game/by-type/30s'])
      for (const who of [admin, players[0]!]) {
        const row = (await rowsOf(who, path)).find(({ status, gameType }) => status === 'RUNNING' && gameType === '30s')
        expect(row).toMatchObject({ n1: 4132.114, n2: null })
      }
  })

  test('bets and rounds are listed either way in time, by no other column', async () => {
    const ids = async (path: string) => (await rowsOf(admin, path)).map(({ _id }) => _id)
    const newest = await ids('/history')
    expect(await ids('/history?sort=createdAt')).toEqual(newest.toReversed())
    expect(await ids('/history?sort=-createdAt&limit=1&page=2')).toEqual([newest[1]])
    expect((await get(admin, '/history?sort=score')).body.code).toBe('BAD_REQUEST')
    for (const path of ['/game/list-all', '/game/by-type/60s']) {
      const rounds = await ids(path)
      expect(rounds.length).toBeGreaterThan(0)
      expect(await ids(`${path}?sort=startTime`)).toEqual(rounds.toReversed())
      expect((await get(admin, `${path}?sort=result`)).body.code).toBe('BAD_REQUEST')
    }
  })

  test('the overview sums stakes per side and the house’s result from bets decided by price', async () => {
    const data = (await get(admin, '/overview')).body.data as Record<string, unknown>
    expect(data).toMatchObject({ pendingRequests: 0, oldestPendingAt: null, netToday: 0, betsToday: 2 })
    expect(data['rounds']).toContainEqual(
      expect.objectContaining({ gameType: '30s', bets: 2, stakedUp: 100, stakedDown: 100, isAnnounced: false }),
    )
  })

  test('hiding a settled bet keeps it for its owner and is in the audit log; an open one can’t be hidden', async () => {
    const [won] = await rowsOf(admin, '/history?status=WIN')
    const [open] = await rowsOf(admin, '/history?status=PROGRESS')
    const remove = (who: TestPlayer, id: unknown) =>
      app.call('DELETE', `/api/v1/history/${String(id)}`, { token: who.bearer.slice('Bearer '.length) })
    expect((await remove(players[0]!, won?.['_id'])).status).toBe(403)
    expect((await remove(admin, open?.['_id'])).body.code).toBe('BET_STILL_OPEN')
    expect((await remove(admin, won?.['_id'])).status).toBe(200)
    expect((await remove(admin, won?.['_id'])).status).toBe(200)
    expect(await rowsOf(admin, '/history?status=WIN')).toEqual([])
    expect(await rowsOf(players[0]!, '/history/user')).toHaveLength(1)
    expect(await rowsOf(admin, `/audit-log?actor=${admin.username}`)).toEqual([
      expect.objectContaining({ act: 'bet.hide', target: `bet:${String(won?.['_id'])}`, actor: admin.username }),
    ])
    const inCapitals = `bet:${String(won?.['_id']).toUpperCase()}`
    expect((await rowsOf(admin, `/audit-log?target=${inCapitals}`)).map(({ act }) => act)).toEqual(['bet.hide'])
    expect((await get(admin, '/audit-log?beforeSeq=1')).body.data).toEqual([])
    const seqs = async (query: string) => (await rowsOf(admin, `/audit-log${query}`)).map(({ _id }) => Number(_id))
    const newest = await seqs('')
    expect(newest).toEqual(newest.toSorted((a, b) => b - a))
    expect(await seqs('?sort=createdAt')).toEqual(newest.toReversed())
    expect(await seqs('?limit=1&page=2')).toEqual(newest.slice(1, 2))
  })
  test('the counters leave out bets that staff or a script decided', async () => {
    const counts = async () => (await get(admin, '/history/counts')).body.data as Record<string, unknown>
    const before = await counts()
    expect(before['leftOut']).toBe(0)
    const [scripted] = await createPlayers(db, 1, { prefix: 'datsan' })
    await db.query(`update users set scripted_outcome = 'win' where id = $1`, [scripted.id])
    const round = await createRound(db, { type: '120s' })
    const placed = await app.call('POST', '/api/v1/history', {
      token: scripted.bearer.slice('Bearer '.length),
      body: { gameId: round.id, score: 100, value: 'UP', seenBasis: 'SCRIPTED' },
    })
    expect(placed.body.data).toMatchObject({ basis: 'SCRIPTED' })
    expect(await counts()).toEqual({ ...before, leftOut: 1, staked: Number(before['staked']) + 100 })
  })
  test('rounds have their bets, stakes, net and voids, for staff alone', async () => {
    const figuresOf = async (who: TestPlayer, path: string) => (await rowsOf(who, path))[0]?.['figures']
    // One won 7 of 100, the other lost 7.
    expect(await figuresOf(admin, `/game/list-all?ids=${endedId}`)).toEqual({
      bets: 2,
      staked: 200,
      void: 0,
      net: 0,
      leftOut: 0,
    })
    expect(await figuresOf(admin, '/game/by-type/120s')).toMatchObject({ bets: 1, staked: 100, leftOut: 1, net: 0 })
    for (const path of ['/game/list-all', '/game/by-type/60s'])
      for (const row of await rowsOf(players[0]!, path)) expect(row).not.toHaveProperty('figures')
  })

  test('the bets of one round, and a round by its id also where staff hid it', async () => {
    const bets = await rowsOf(admin, `/history?roundId=${endedId}`)
    // The won one was hidden above.
    expect(bets.map(({ status }) => status)).toEqual(['LOSE'])
    await db.query('update rounds set hidden_at = clock_timestamp() where id = $1', [endedId])
    expect((await rowsOf(admin, '/game/list-all')).map(({ _id }) => _id)).not.toContain(endedId)
    expect((await rowsOf(admin, `/game/list-all?ids=${endedId}`)).map(({ _id }) => _id)).toEqual([endedId])
  })

  test('the audit log says whose a target is, and who the ids of a change are', async () => {
    const requestId = newId()
    const [owner, colleague] = [players[0]!, players[1]!]
    await db.query(
      `insert into cash_requests (id, owner_id, kind, amount, bank_id, account_number, account_holder, bank_name, created_at)
       values ($1, $2, 'deposit', 100, $3, '0123', 'A', 'B', clock_timestamp())`,
      [requestId, owner.id, newId()],
    )
    await db.tx((tx) => recordAct(tx, admin.id, 'request.delete', `request:${requestId}`))
    await db.tx((tx) =>
      recordAct(tx, admin.id, 'chat.claim', `conversation:${newId()}`, {
        before: { holder: owner.id },
        after: { holder: colleague.id },
      }),
    )
    const [claim, removal] = await rowsOf(admin, '/audit-log')
    expect(removal).toMatchObject({ targetOwner: { _id: owner.id, username: owner.username }, names: [] })
    expect(claim).toMatchObject({ act: 'chat.claim', targetOwner: null })
    expect(new Set(claim?.['names'] as object[])).toEqual(
      new Set([owner, colleague].map(({ id, username }) => ({ _id: id, username }))),
    )
    expect((await rowsOf(admin, '/audit-log?act=chat.claim')).map((row) => row['act'])).toEqual(['chat.claim'])
  })

  describe('a list as a whole', () => {
    /** What takes rows out of each list that staff work on, after all of them were made. */
    const lists = [
      [
        '/transaction?status=IN_PROGRESS',
        `update cash_requests set status = 'approved', decided_by = $1, decided_at = now()`,
      ],
      ['/proposals?status=OPEN', `update money_proposals set status = 'withdrawn', ended_by = $1, ended_at = now()`],
      [
        '/disputes?status=OPEN',
        `update disputes set status = 'rejected', answered_by = $1, answered_at = now(), answer = 'x',
           answer_salt = decode(repeat('02', 16), 'hex')`,
      ],
      ['/user?only=frozen', 'update users set is_frozen = false, deleted_at = now() where id <> $1'],
      [
        '/history?status=PROGRESS',
        `update bets set status = 'lost', profit = -stake, settled_at = now() where status = 'open' and user_id <> $1`,
      ],
      ['/game/by-type/60s?voids=yes', `update rounds set hidden_at = now() where id <> $1`],
    ] as const

    test('names the rows of one moment, each of which is found by its id also once it left the filter', async () => {
      const owners = players.map(({ id }) => id)
      const ids = () => owners.map(() => newId())
      const bets = ids()
      const atMs = Date.now() - 3_600_000
      const made = { basis: 'PRICE', stakePoints: 1, lastsMs: 30_000, settledAtMs: atMs + 30_000 } as const
      await makeHistory(db, owners[0]!, [
        ...owners.map(
          (_, at) => ({ ...made, type: '60s', status: 'voided', acceptedAtMs: atMs - at * 90_000 }) as const,
        ),
        ...owners.map((_, at) => ({ ...made, type: '30s', status: 'open', acceptedAtMs: atMs - at * 90_000 }) as const),
      ])
      await db.query('update users set is_frozen = true where id = any($1::uuid[])', [owners])
      await db.query(
        `insert into cash_requests (id, owner_id, kind, amount, bank_id, account_number, account_holder, bank_name, created_at)
         select id, owner, 'deposit', 100, id, '0123', 'A', 'B', now() from unnest($1::uuid[], $2::uuid[]) as r (id, owner)`,
        [ids(), owners],
      )
      await db.query(
        `insert into money_proposals (id, kind, owner_id, amount, reason, summed, proposed_by, proposed_at, expires_at)
         select id, 'adjustment', owner, 100, 'x', 100, $3, now(), now() + interval '1 day'
           from unnest($1::uuid[], $2::uuid[]) as r (id, owner)`,
        [ids(), owners, admin.id],
      )
      await db.query(
        `insert into disputes (id, bet_id, owner_id, conversation_id, text, salt, opened_at)
         select d.id, b.id, b.user_id, d.id, 'sai', decode(repeat('01', 16), 'hex'), now()
           from unnest($1::uuid[]) with ordinality as d (id, n)
           join (select id, user_id, row_number() over (order by id) as n from bets) b on b.n = d.n`,
        [bets],
      )
      for (const [path, leave] of lists) {
        const whole = await get(admin, `${path}&whole=ids&limit=1`)
        const listed = (whole.body.meta as unknown as { ids: string[] }).ids
        expect([path, listed.length >= 4, (whole.body.data as unknown[]).length]).toEqual([path, true, 1])
        const paged: unknown[] = []
        for (let page = 1; page <= listed.length; page++)
          paged.push(...(await rowsOf(admin, `${path}&limit=1&page=${page}`)).map(({ _id }) => _id))
        expect([path, listed]).toEqual([path, paged])
        await db.query(leave, [admin.id])
        expect([path, await rowsOf(admin, path)]).toEqual([path, []])
        const byIds = path.split('?')[0]!.replace('by-type/60s', 'list-all')
        const found = await rowsOf(admin, `${byIds}?ids=${listed.join(',')}&limit=100`)
        expect([path, found.map(({ _id }) => _id).toSorted()]).toEqual([path, listed.toSorted()])
      }
      // Whoever may not read the list as staff gets no ids of it.
      const [reader] = await createPlayers(db, 1, { prefix: 'docgia' })
      const { status, body } = await get(reader, '/game/list-all?whole=ids')
      expect([status, Object.hasOwn(body.meta ?? {}, 'ids')]).toEqual([200, false])
    })
  })
})
