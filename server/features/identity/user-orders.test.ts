import { beforeEach, describe, expect, test } from 'vitest'
import { adjustmentTransfer, stakeTransfer } from '#domain/ledger/transfers.ts'
import { points } from '#domain/money.ts'
import { postTransfers, totalAccounts } from '#server/features/wallet/index.ts'
import { newId } from '#server/platform/process/ids.ts'
import { refusedWith } from '#testing/app/app.ts'
import { createPlayers, type TestPlayer } from '#testing/play/rounds.ts'
import { usePeople } from '#testing/play/use-people.ts'
import { testEngines } from '#testing/database/test-database.ts'
import { useApp } from '#testing/app/use-app.ts'

describe.each(testEngines)('the orders of the users by what they hold on %s', (engine) => {
  const { db, app } = useApp(engine)
  const [boss] = usePeople(db, 1, { role: 'admin', welcomePoints: 0, prefix: 'boss' })
  let players: readonly TestPlayer[]
  beforeEach(async () => {
    players = await createPlayers(db, 5, { welcomePoints: 1000, prefix: 'khach' })
    // Wallets of 1,005, 960, 1,000, 1,300 and 700 points; stakes of 0, 40, 0, 0 and 300.
    await post(0, 5)
    await stake(1, 40)
    await post(3, 300)
    await stake(4, 300)
  })

  const book = (transfer: Parameters<typeof postTransfers>[1][number]) =>
    db.tx((tx) => postTransfers(tx, [transfer], Date.now()))
  const post = (nth: number, wholePoints: number) =>
    book(adjustmentTransfer(newId(), players[nth]!.id, points(wholePoints), 'system', 'Điều chỉnh'))
  const stake = (nth: number, wholePoints: number) =>
    book(stakeTransfer(newId(), players[nth]!.id, points(wholePoints)))
  const list = (query: string) =>
    app.call('GET', `/api/v1/user?${query}`, { token: boss.bearer.slice('Bearer '.length) })
  /** The players in the order of the answer, by their number; -1 is the admin. */
  const order = async (query: string) =>
    (await list(query)).rows.map(({ _id }) => players.findIndex(({ id }) => id === _id))

  test('are refused until they are there, while the others work', async () => {
    expect(await list('sort=-balance')).toMatchObject(refusedWith('TOTALS_NOT_READY'))
    expect(await list('sort=staked')).toMatchObject(refusedWith('TOTALS_NOT_READY'))
    expect((await list('sort=credit')).status).toBe(200)
    await totalAccounts(db)
    expect((await list('sort=-balance')).status).toBe(200)
  })

  test('by balance, stake and credit, in both directions, page after page', async () => {
    await totalAccounts(db)
    expect(await order('sort=-balance')).toEqual([3, 0, 2, 1, 4, -1])
    expect(await order('sort=balance')).toEqual([-1, 4, 1, 2, 0, 3])
    expect((await order('sort=-staked')).slice(0, 2)).toEqual([4, 1])
    expect((await order('sort=staked')).slice(-2)).toEqual([1, 4])
    expect([...(await order('sort=-balance&limit=4')), ...(await order('sort=-balance&limit=4&page=2'))]).toEqual([
      3, 0, 2, 1, 4, -1,
    ])
    for (const [nth, credit] of [90, 20, 60, 10, 40].entries())
      await db.query(`update users set credit_score = $2 where id = $1`, [players[nth]!.id, credit])
    expect(await order('sort=credit')).toEqual([3, 1, 4, 2, 0, -1])
  })

  test('hold with the filters and the search', async () => {
    await db.query(`update users set is_frozen = true where id = any($1::uuid[])`, [
      [players[1]!.id, players[3]!.id, players[4]!.id],
    ])
    await db.query(`update users set deleted_at = now() where id = $1`, [players[3]!.id])
    await totalAccounts(db)
    expect(await order('sort=-balance&only=frozen')).toEqual([1, 4])
    expect(await order('sort=-balance&deleted=true')).toEqual([3])
    expect(await order(`sort=balance&username=${players[0]!.username.slice(0, 5)}`)).toEqual([4, 1, 2, 0])
    expect(await order('sort=balance&username=zzz')).toEqual([])
    expect(await order(`sort=balance&userId=${players[2]!.id}`)).toEqual([2])
  })

  test('say of when they are; the rows show what is there now', async () => {
    const before = Date.now()
    await totalAccounts(db)
    await post(4, 5000)
    const { rows, body } = await list('sort=-balance')
    const orderedAt = body.meta?.orderedAt ?? ''
    expect(Date.parse(orderedAt)).toBeGreaterThanOrEqual(before - 1)
    expect(Date.parse(orderedAt)).toBeLessThanOrEqual(Date.now() + 1)
    // Fifth still, with what only the next pass knows of.
    expect(rows[4]).toMatchObject({ _id: players[4]!.id, score: 5700, staked: 300 })
    expect((await list('sort=-createdAt')).body.meta).not.toHaveProperty('orderedAt')
    await totalAccounts(db)
    expect((await order('sort=-balance'))[0]).toBe(4)
  })

  test('have somebody who registered since', async () => {
    await totalAccounts(db)
    const [late] = await createPlayers(db, 1, { prefix: 'moi' })
    const found = await list('sort=-balance')
    expect(found.rows.map(({ _id }) => _id)).toContain(late.id)
    expect(found.body.meta).toMatchObject({ total: 7 })
  })
})
