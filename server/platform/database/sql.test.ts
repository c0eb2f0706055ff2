import { describe, expect, expectTypeOf, test } from 'vitest'
import type { Param } from './db.ts'
import { collectParams, type Sql, sql, sqlText, statement } from './sql.ts'

describe('a statement', () => {
  const COLUMNS = sqlText('b.id, b.stake')
  const OWN = sql`b.user_id = ${'userId'} and b.stake > ${'stake'}`
  const OWN_BETS = statement(sql`select ${COLUMNS} from bets b where b.round_id = ${'roundId'} and ${OWN} limit ${10}`)

  test('numbers its parameters in the order of the text, those of its pieces too', () => {
    expect(OWN_BETS({ stake: 5n, roundId: 'r', userId: 'u' })).toEqual([
      'select b.id, b.stake from bets b where b.round_id = $1 and b.user_id = $2 and b.stake > $3 limit 10',
      ['r', 'u', 5n],
      {},
    ])
  })

  test('passes a value once however often its name stands in the text', () => {
    const twice = statement(sql`select ${'a'}, ${'b'}, ${sql`${'b'} + ${'a'}`}`, { name: 'twice' })
    expect(twice({ a: 1, b: 2 })).toEqual(['select $1, $2, $2 + $1', [1, 2], { name: 'twice' }])
  })

  test('reads a text as any other template, with its casts and dollars', () => {
    const found = statement(sql`select '\\w$' ~ ${'text'}::text`)
    expect(found({ text: 'a' })[0]).toBe(String.raw`select '\w$' ~ $1::text`)
  })

  test('without a parameter takes no value', () => {
    expect(statement(sql`select 1`)({})).toEqual(['select 1', [], {}])
  })

  test('takes exactly the names of its text and of its pieces', () => {
    type Values = Readonly<Record<'roundId' | 'userId' | 'stake', Param>>
    expectTypeOf(OWN_BETS).parameter(0).toEqualTypeOf<Values>()
    expectTypeOf<{ roundId: string; userId: string }>().not.toExtend<Parameters<typeof OWN_BETS>[0]>()
    expectTypeOf(sqlText('select 1')).toEqualTypeOf<Sql>()
  })

  test('takes no text for a name that is none, or that the compiler does not know', () => {
    expect(() => sql`select ${'interval 1 day'}`).toThrow('No name of a parameter')
    expectTypeOf<[TemplateStringsArray, string]>().not.toExtend<Parameters<typeof sql<[string]>>>()
    expectTypeOf<[TemplateStringsArray, 'name']>().toExtend<Parameters<typeof sql<['name']>>>()
  })
})

test('collected parameters are numbered as they are added', () => {
  const params = collectParams()
  const text = `select 1 where a = ${params.add('x')} and b = ${params.add(2)} limit ${params.add(3)}`
  const { values } = params
  expect([text, values]).toEqual(['select 1 where a = $1 and b = $2 limit $3', ['x', 2, 3]])
  expect([params.add(4), params.values, values]).toEqual(['$4', ['x', 2, 3, 4], ['x', 2, 3]])
})
