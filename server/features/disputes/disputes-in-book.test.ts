import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkBook } from '#domain/book/check-book.ts'
import type { EntryOf } from '#domain/book/entry.ts'
import { restartLog, sha256 } from '#server/features/book/index.ts'
import { reopenInBook } from '#server/features/game/index.ts'
import { verifyLedger } from '#server/features/wallet/index.ts'
import { type BookWorld, createBookWorld, tokenOf } from '#testing/book/book-world.ts'
import { refusedWith, testBookKey } from '#testing/app/app.ts'
import { balancesOf, createPlayers, type TestPlayer } from '#testing/play/rounds.ts'
import { testEngines } from '#testing/database/test-database.ts'
import { readSeal } from './bet-seal.ts'

describe.each(testEngines)('disputes in the book on %s', (engine) => {
  let world: BookWorld
  beforeAll(async () => void (world = await createBookWorld(engine, 2, { fourEyesFrom: 1 })))
  afterAll(() => world.close())

  const playerOf = (who: number) => world.players[who] as TestPlayer
  const ask = (who: number, method: 'GET' | 'POST', path: string, body?: unknown) =>
    world.app.call(method, `/api/v1${path}`, {
      token: tokenOf(playerOf(who)),
      ...(body === undefined ? {} : { body }),
    })
  const opens = (salt: string, sentence: string) =>
    createHash('sha256').update(Buffer.from(salt, 'base64')).update(sentence).digest('base64')

  test('a stranger reads that a bet was disputed and how it ended, its owner can open every sentence', async () => {
    const roundId = await world.open('30s')
    await world.at(2_000)
    const bets = await Promise.all(
      [0, 1].map(async (who) => (await world.bet(who, roundId, 'UP', 'PRICE')).body.data as { _id: string }),
    )
    await world.at(32_000)
    const dispute = async (who: number) =>
      ask(who, 'POST', `/history/${bets[who]?._id}/dispute`, { text: `Giá ra sai, phiên của người ${who}` })
    await world.settle()
    await world.at(40_000)
    const [first, second] = (await Promise.all([dispute(0), dispute(1)])).map(
      ({ body }) => body.data as { _id: string; bet: { sealIndex: number } },
    )
    if (first === undefined || second === undefined) throw new Error('no disputes')
    await world.at(50_000)
    const uphold = { status: 'UPHELD', text: 'Đúng vậy', correction: 0.5 }
    expect((await world.asAdmin('POST', `/api/v1/disputes/${first._id}/answer`, uphold)).status).toBe(200)
    const reject = { status: 'REJECTED', text: 'Giá đúng với nguồn' }
    expect((await world.asAdmin('POST', `/api/v1/disputes/${second._id}/answer`, reject)).status).toBe(200)
    await world.book.turn()

    const entries = await world.entries()
    const betAt = (index: number) => entries[index] as EntryOf<'bet'>
    for (const { bet } of [first, second]) expect(betAt(bet.sealIndex)).toMatchObject({ k: 'bet', round: roundId })
    const told = entries.filter((entry): entry is EntryOf<'dispute'> => entry.k === 'dispute')
    const statesOf = (index: number) => told.filter(({ bet }) => bet === index).map(({ state }) => state)
    expect([statesOf(first.bet.sealIndex), statesOf(second.bet.sealIndex)]).toEqual([
      ['opened', 'upheld'],
      ['opened', 'rejected'],
    ])
    expect(entries.filter((entry) => entry.k === 'act')).toMatchObject([
      { act: 'balance.adjust', bet: first.bet.sealIndex, amount: 50 },
    ])

    // The owner is shown the place of each entry, and the salt that opens it.
    const { body } = await ask(0, 'GET', `/disputes/${first._id}`)
    const seen = body.data as Record<'entry' | 'answer', never> & { text: string }
    const parts = [
      { sentence: seen.text, ...(seen.entry as { salt: string; index: number }) },
      { sentence: uphold.text, ...(seen.answer as { entry: { salt: string; index: number } }).entry },
    ]
    for (const { sentence, salt, index } of parts)
      expect((entries[index] as EntryOf<'dispute'>).c).toBe(opens(salt, sentence))
    const [row] = (await ask(0, 'GET', '/user/ledger')).rows as unknown as Array<{ note: string; noteSalt: string }>
    const [act] = entries.filter((entry): entry is EntryOf<'act'> => entry.k === 'act')
    expect(act?.c).toBe(opens(row?.noteSalt ?? '', row?.note ?? ''))

    const checked = await checkBook(await world.source(), { sha256, rounds: 'all' })
    expect(checked.faults).toEqual([])
    // Nobody is named, and nothing that a person wrote.
    const everything = JSON.stringify(entries)
    for (const text of ['Giá', 'Đúng', playerOf(0).id, playerOf(0).username, world.admin.id])
      expect(everything).not.toContain(text)
  })

  test('a correction that needs a second admin moves nothing until one confirms, and the log has both steps', async () => {
    const [second] = await createPlayers(world.db, 1, { role: 'admin', welcomePoints: 0 })
    const asSecond = (path: string, body?: unknown) =>
      world.app.call('POST', `/api/v1${path}`, { token: tokenOf(second), ...(body === undefined ? {} : { body }) })
    const answer = (disputeId: string, body: object) =>
      world.asAdmin('POST', `/api/v1/disputes/${disputeId}/answer`, body)
    const uphold = { status: 'UPHELD', text: 'Lỗi của chúng tôi', correction: 5 }
    const walletOf = async (who: number) => (await balancesOf(world.db, playerOf(who).id)).wallet
    const openProposal = async () => {
      const { rows } = await world.asAdmin('GET', '/api/v1/proposals?status=OPEN')
      expect(rows).toHaveLength(1)
      return rows[0] as { readonly _id: string; readonly disputeId: string | null }
    }

    await world.at(60_000)
    const roundId = await world.open('30s')
    await world.at(62_000)
    const bets = await Promise.all(
      [0, 1].map(async (who) => (await world.bet(who, roundId, 'DOWN', 'PRICE')).body.data as { _id: string }),
    )
    await world.at(92_000)
    await world.settle()
    await world.at(100_000)
    const disputes = await Promise.all(
      bets.map(async ({ _id }, who) => {
        const { body } = await ask(who, 'POST', `/history/${_id}/dispute`, { text: 'Xin xem lại phiên này' })
        return body.data as { _id: string; conversationId: string; bet: { sealIndex: number } }
      }),
    )
    const [confirmed, overtaken] = disputes
    if (confirmed === undefined || overtaken === undefined) throw new Error('no disputes')
    const before = await walletOf(0)

    // Proposed: staff see that it waits and with whom, its owner an open case.
    const proposed = await answer(confirmed._id, uphold)
    expect(proposed.body.data).toMatchObject({
      status: 'OPEN',
      answer: null,
      proposal: { proposedBy: { username: world.admin.username } },
    })
    expect((await answer(confirmed._id, uphold)).body.data).toEqual(proposed.body.data)
    expect(await asSecond(`/disputes/${confirmed._id}/answer`, uphold)).toMatchObject(refusedWith('PROPOSAL_OPEN'))
    expect((await ask(0, 'GET', `/disputes/${confirmed._id}`)).body.data).toMatchObject({
      status: 'OPEN',
      answer: null,
      proposal: null,
    })
    expect(await walletOf(0)).toBe(before)
    const waiting = await openProposal()
    expect(waiting).toMatchObject({ type: 'CORRECTION', disputeId: confirmed._id, money: 5, reason: uphold.text })
    expect(await world.asAdmin('POST', `/api/v1/proposals/${waiting._id}/confirm`)).toMatchObject(
      refusedWith('SECOND_PERSON_REQUIRED'),
    )

    // Confirmed by two taps at once: booked once, in the words of who proposed, by the hand of who confirmed.
    await world.at(110_000)
    const taps = await Promise.all([1, 2].map(() => asSecond(`/proposals/${waiting._id}/confirm`)))
    for (const { body } of taps) expect(body.data).toMatchObject({ status: 'CONFIRMED' })
    expect(await walletOf(0)).toBe(before + 500n)
    expect((await ask(0, 'GET', `/disputes/${confirmed._id}`)).body.data).toMatchObject({
      status: 'UPHELD',
      answer: { text: uphold.text, correction: 5, by: { username: world.admin.username } },
    })
    const [row] = (await ask(0, 'GET', '/user/ledger')).rows as unknown as Array<{ note: string; noteSalt: string }>
    expect(row).toMatchObject({ reason: 'ADJUSTMENT', walletDelta: 5, actor: second.username })
    expect(row?.note).toMatch(/^Khiếu nại phiên 30s #\d+: /)
    expect(row?.note).toContain(`: ${uphold.text} (${world.admin.username} đề nghị, ${second.username} xác nhận)`)
    const told = await ask(0, 'GET', `/chat/conversations/${confirmed.conversationId}/messages`)
    const answers = told.rows.filter(({ content }) => content === uphold.text)
    expect(answers).toMatchObject([{ senderId: { _id: world.admin.id }, disputeId: confirmed._id }])

    // Rejected by a colleague meanwhile: the proposal ends with it, and nothing moves.
    const theirs = await walletOf(1)
    expect((await answer(overtaken._id, uphold)).body.data).toMatchObject({ status: 'OPEN' })
    const late = await openProposal()
    const reject = { status: 'REJECTED', text: 'Giá đúng với nguồn' }
    expect((await asSecond(`/disputes/${overtaken._id}/answer`, reject)).body.data).toMatchObject({
      status: 'REJECTED',
      proposal: null,
    })
    expect(await asSecond(`/proposals/${late._id}/confirm`)).toMatchObject(refusedWith('PROPOSAL_ENDED'))
    expect(await walletOf(1)).toBe(theirs)

    const { rows: acts } = await world.db.query<{ act: string; actor: string }>(
      `select act, actor from audit_log where (act like 'money.%' or act like 'dispute.%') and at >= $1 order by seq`,
      [new Date(world.baseMs + 100_000)],
    )
    const [owner, other] = [playerOf(0).id, playerOf(1).id]
    expect(
      acts
        .slice(0, 2)
        .map(({ actor }) => actor)
        .toSorted(),
    ).toEqual([owner, other].toSorted())
    expect(acts.slice(2).map(({ act, actor }) => [act, actor])).toEqual([
      ['money.propose', world.admin.id],
      ['dispute.uphold', second.id],
      ['money.confirm', second.id],
      ['money.propose', world.admin.id],
      ['money.withdraw', second.id],
      ['dispute.reject', second.id],
    ])
    expect((await verifyLedger(world.db, true)).findings).toEqual([])

    // The same in the log, where a stranger reads it: the sums and steps, and two admins by their numbers.
    await world.book.turn()
    const entries = await world.entries()
    const statesOf = (index: number) =>
      entries.flatMap((entry) => (entry.k === 'dispute' && entry.bet === index ? [entry.state] : []))
    expect(statesOf(confirmed.bet.sealIndex)).toEqual(['opened', 'upheld'])
    expect(statesOf(overtaken.bet.sealIndex)).toEqual(['opened', 'rejected'])
    const steps = entries.filter(
      (entry): entry is EntryOf<'act'> => entry.k === 'act' && entry.at >= world.baseMs + 100_000,
    )
    const bet = confirmed.bet.sealIndex
    expect(steps.map((step) => [step.act, step.bet, step.amount, step.c !== null])).toEqual([
      ['money.propose', null, 500, true],
      ['money.confirm', null, 500, true],
      ['balance.adjust', bet, 500, true],
      ['money.propose', null, 500, true],
      ['money.withdraw', null, 500, false],
    ])
    const [proposer, confirmer, booker, again, ender] = steps.map(({ actor }) => actor)
    expect([again, confirmer, ender]).toEqual([proposer, booker, booker])
    expect(confirmer).not.toBe(proposer)
    expect(steps[2]?.c).toBe(opens(row?.noteSalt ?? '', row?.note ?? ''))
    expect((await checkBook(await world.source(), { sha256, rounds: 'all' })).faults).toEqual([])
  })

  test.skipIf(engine === 'embedded')(
    'a dispute that is refused neither waits for the sealing nor holds it up (PostgreSQL only)',
    async () => {
      const { rows } = await world.db.query<{ id: string }>('select bet_id as id from disputes where owner_id = $1', [
        playerOf(0).id,
      ])
      await world.at(120_000)
      const roundId = await world.open('30s')
      await world.at(122_000)
      const { body } = await world.bet(1, roundId, 'UP', 'PRICE')
      const waiting = (body.data as { _id: string })._id
      const [isSealing, isAnswered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const sealing = world.db.tx(async (tx) => {
        await tx.query('select from book_tips for update')
        isSealing.resolve()
        await isAnswered.promise
      })
      await isSealing.promise
      const asking = ask(0, 'POST', `/history/${rows[0]?.id}/dispute`, { text: 'Một câu khác' })
      const reading = world.db.tx((tx) => readSeal(tx, waiting))
      const answered = await Promise.race([Promise.all([asking, reading]), sleep(10_000, null)])
      isAnswered.resolve()
      await Promise.all([sealing, asking, reading])
      expect(answered).toMatchObject([refusedWith('DISPUTE_EXISTS'), { is: 'waiting' }])
    },
  )

  test.skipIf(engine === 'embedded')(
    'the log does not end while a dispute names a place in it (PostgreSQL only)',
    async () => {
      const { rows } = await world.db.query<{ id: string }>('select bet_id as id from book_places where kind = $1', [
        'bet',
      ])
      const hasPlace = Promise.withResolvers<void>()
      let isOver = false
      const disputing = world.db.tx(async (tx) => {
        expect(await readSeal(tx, rows[0]?.id ?? '')).toMatchObject({ is: 'sealed', generation: 1 })
        hasPlace.resolve()
        await sleep(300)
        isOver = true
      })
      await hasPlace.promise
      const deps = { db: world.db, key: testBookKey, dataDir: null, reopenRounds: reopenInBook }
      expect(await restartLog(deps, 'RESTORED')).toMatchObject({ is: 'restarted' })
      expect(isOver).toBe(true)
      await disputing
    },
  )
})
