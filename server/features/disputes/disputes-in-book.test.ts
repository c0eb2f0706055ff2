import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkBook } from '#domain/book/check-book.ts'
import type { EntryOf } from '#domain/book/entry.ts'
import { sha256 } from '#server/features/book/index.ts'
import { type BookWorld, createBookWorld, tokenOf } from '#server/testing/book-world.ts'
import type { TestPlayer } from '#server/testing/game-world.ts'
import { testEngines } from '#server/testing/test-database.ts'

describe.each(testEngines)('disputes in the book on %s', (engine) => {
  let world: BookWorld
  beforeAll(async () => void (world = await createBookWorld(engine, 2)))
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
})
