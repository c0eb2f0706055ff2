import { describe, expect, test } from 'vitest'
import { collectParams, sql, sqlText, statement } from './sql.ts'

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

  test('lets no forgotten, misspelt or unknown name through the compiler', () => {
    // @ts-expect-error -- `stake` is missing
    expect(OWN_BETS({ roundId: 'r', userId: 'u' })[1]).toEqual(['r', 'u', undefined])
    // @ts-expect-error -- `owner` is no name of the statement
    expect(OWN_BETS({ roundId: 'r', userId: 'u', stake: 5n, owner: 'u' })[1]).toEqual(['r', 'u', 5n])
    // @ts-expect-error -- a piece's names are the statement's
    expect(statement(sql`select ${OWN}`)({ userId: 'u' })[1]).toEqual(['u', undefined])
  })

  test('takes no text for a name that is none, or that nobody can check', () => {
    expect(() => sql`select ${'interval 1 day'}`).toThrow('No name of a parameter')
    const unchecked: string = 'interval 1 day'
    // @ts-expect-error -- the compiler does not know what it says
    expect(() => sql`select ${unchecked}`).toThrow('No name of a parameter')
  })
})

test('collected parameters are numbered as they are added', () => {
  const params = collectParams()
  const text = `select 1 where a = ${params.add('x')} and b = ${params.add(2)} limit ${params.add(3)}`
  const { values } = params
  expect([text, values]).toEqual(['select 1 where a = $1 and b = $2 limit $3', ['x', 2, 3]])
  expect([params.add(4), params.values, values]).toEqual(['$4', ['x', 2, 3, 4], ['x', 2, 3]])
})
