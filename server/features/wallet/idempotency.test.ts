import { describe, expect, test } from 'vitest'
import { testEngines } from '#testing/database/test-database.ts'
import { useDatabase } from '#testing/database/use-database.ts'
import { usePeople } from '#testing/play/use-people.ts'
import { claimOf, findRepeat, findRepeats, forgetOldAnswers, keepAnswer } from './idempotency.ts'

test('the hash of an input does not depend on the order of its fields, and differs with any of them', () => {
  const hash = (input: Record<string, unknown>) => Buffer.from(claimOf('k', input).inputHash).toString('hex')
  expect(hash({ stake: 10n, side: 'up' })).toBe(hash({ side: 'up', stake: 10n }))
  const all = [{ stake: 10n, side: 'up' }, { stake: 11n, side: 'up' }, { stake: 10n, side: 'down' }, { stake: 10n }]
  expect(new Set(all.map(hash)).size).toBe(all.length)
})

describe.each(testEngines)('stored answers on %s', (engine) => {
  const db = useDatabase(engine)
  const [player, other] = usePeople(db, 2)

  const claim = claimOf('key', { amount: 5n })
  const keep = (userId: string, answer: unknown) =>
    db.tx((tx) => keepAnswer(tx, 'route', userId, claim, JSON.stringify(answer)))
  const find = (userId: string, route = 'route', asked: typeof claim | null = claim) =>
    db.tx((tx) => findRepeat(tx, route, userId, asked))

  test('a key means one user, one route and one input', async () => {
    expect(await find(player.id)).toEqual({ is: 'new' })
    await keep(player.id, { _id: 'x', amounts: [1, 2.5, null] })
    expect(await find(player.id)).toEqual({ is: 'repeated', json: '{"_id":"x","amounts":[1,2.5,null]}' })
    expect(await find(player.id, 'route', claimOf('key', { amount: 6n }))).toEqual({ is: 'reused' })
    expect(await find(player.id, 'other-route')).toEqual({ is: 'new' })
    expect(await find(other.id)).toEqual({ is: 'new' })
    expect(await find(player.id, 'route', null)).toEqual({ is: 'new' })
    await expect(keep(player.id, {})).rejects.toThrow(/idempotency_keys_pkey/)
    const both = await db.tx((tx) =>
      findRepeats(tx, 'route', [
        { userId: player.id, claim },
        { userId: other.id, claim },
      ]),
    )
    expect([both.get(player.id)?.is, both.get(other.id)?.is]).toEqual(['repeated', 'new'])
  })

  test('an answer is deleted after 7 days, and not before', async () => {
    await keep(player.id, 1)
    await keep(other.id, 2)
    await db.query(`update idempotency_keys set created_at = created_at - interval '6 days 23 hours'`)
    expect(await forgetOldAnswers(db)).toBe(0)
    await db.query(`update idempotency_keys set created_at = created_at - interval '2 hours' where user_id = $1`, [
      player.id,
    ])
    await db.query(
      `insert into idempotency_keys (user_id, route, key, input_hash, answer, created_at)
       select $1, 'many', n::text, '', 'null', clock_timestamp() - interval '8 days' from generate_series(1, 4100) n`,
      [other.id],
    )
    expect(await forgetOldAnswers(db)).toBe(4101)
    expect([(await find(player.id)).is, (await find(other.id)).is]).toEqual(['new', 'repeated'])
  })
})
