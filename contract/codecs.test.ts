import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { dayAfter, startOfDayMs } from '#domain/day.ts'
import { points } from '#domain/money.ts'
import {
  amount,
  answer,
  askedInstant,
  day,
  goldPrice,
  id,
  instant,
  json,
  lenientRequest,
  queryInt,
  request,
  text,
  textIssuesOf,
  words,
} from './codecs.ts'

/** Whether the schema accepts the wire's value. */
const takes = (schema: z.ZodMiniType, value: unknown): boolean => z.safeDecode(schema, value).success

describe('an amount', () => {
  test('goes to the wire and back unchanged', () => {
    const limit = points(10n ** 12n)
    fc.assert(
      fc.property(fc.bigInt({ min: -limit, max: limit }), (minor) => {
        const wire: unknown = JSON.parse(JSON.stringify(z.encode(amount, minor)))
        expect(z.decode(amount, wire as number)).toBe(minor)
      }),
    )
  })

  test('is a number with at most two decimals and nothing else', () => {
    expect([10, 10.5, 10.55, -0.01, 0].map((value) => takes(amount, value))).toEqual([true, true, true, true, true])
    const wrong = [10.555, Number.NaN, Number.POSITIVE_INFINITY, '10', true, null, undefined, [10], {}, 10n]
    expect(wrong.filter((value) => takes(amount, value))).toEqual([])
  })
})

describe('an instant', () => {
  test('goes to the wire and back unchanged', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4e12 }), (ms) => {
        const text = z.encode(instant, ms)
        expect(text).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
        expect(z.decode(instant, text)).toBe(ms)
      }),
    )
  })

  test('is UTC with milliseconds', () => {
    const wrong = [
      '2026-01-01T00:00:00Z',
      '2026-01-01T00:00:00.000',
      '2026-01-01T07:00:00.000+07:00',
      '2026-01-01',
      0,
      '',
    ]
    expect(wrong.filter((value) => takes(instant, value))).toEqual([])
  })

  test('that somebody asks for is of a year from 1900 to 2099', () => {
    const asked = ['0000-12-31', '0002-11-20', '1899-12-31', '1900-01-01', '2099-12-31', '2100-01-01', '9999-12-31']
    const taken = asked.filter((text) => takes(askedInstant, `${text}T12:00:00.000Z`))
    expect(taken).toEqual(['1900-01-01', '2099-12-31'])
    for (const day of ['1900-01-01', '2099-12-31'])
      for (const ms of [startOfDayMs(day), startOfDayMs(dayAfter(day)) - 1])
        expect(z.decode(askedInstant, z.encode(askedInstant, ms))).toBe(ms)
    expect(z.safeEncode(askedInstant, startOfDayMs('1900-01-01') - 1).success).toBe(false)
    expect(asked.filter((text) => takes(day, text))).toEqual(taken)
  })
})

describe('a text', () => {
  test('is any that UTF-8 has, without NUL', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        expect(takes(text, value)).toBe(!value.includes('\0'))
        expect(takes(json, [{ [value]: [value] }])).toBe(!value.includes('\0'))
      }),
    )
    for (const wrong of ['\ud83d', 'a\ude00', '\ude00\ud83d', 'a\0b']) {
      expect(takes(text, wrong)).toBe(false)
      for (const inside of [wrong, [wrong], { a: { b: wrong } }, { [wrong]: 1 }])
        expect(takes(json, inside)).toBe(false)
    }
    expect(takes(text, '👩‍👩‍👧\ufffe\u202e\ufeff\ufffd')).toBe(true)
  })

  test('that is wrong is named apart from what else is wrong, also as a name in a record', () => {
    const schema = z.object({
      a: text.check(z.maxLength(1)),
      b: z.record(text.check(z.regex(/^x/)), json),
      c: z.array(z.union([text, z.number()])),
    })
    const issuesOf = (value: unknown) => textIssuesOf(z.safeDecode(schema, value as never).error)
    expect(issuesOf({ a: 'bc', b: { y: 1 }, c: [true] })).toEqual([])
    const named = issuesOf({ a: 'b\ud83d', b: { ['x\0']: 1, x: ['\udc00'] }, c: ['\0'] })
    expect(named.map(({ path }) => path.join('.'))).toEqual(['a', 'b.x\0', 'b.x', 'c.0'])
    for (const nothing of [null, undefined, new Error('x')]) expect(textIssuesOf(nothing)).toEqual([])
  })
})

test('a gold price goes to the wire as dollars and back as thousandths', () => {
  expect(z.encode(goldPrice, 4_132_114)).toBe(4132.114)
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2_147_483_647 }), (thousandths) => {
      const wire: unknown = JSON.parse(JSON.stringify(z.encode(goldPrice, thousandths)))
      expect(z.decode(goldPrice, wire as number)).toBe(thousandths)
    }),
  )
  expect(takes(goldPrice, '4132.114')).toBe(false)
})

describe('words', () => {
  const status = words({ open: 'PROGRESS', won: 'WIN' })

  test('translate both ways', () => {
    expect([z.decode(status, 'PROGRESS'), z.decode(status, 'WIN')]).toEqual(['open', 'won'])
    expect([z.encode(status, 'open'), z.encode(status, 'won')]).toEqual(['PROGRESS', 'WIN'])
  })

  test('refuse every other word, our own too, and names that every object has', () => {
    const wrong = ['open', 'progress', '', 'constructor', '__proto__', 'toString', 1, null, undefined]
    expect(wrong.filter((value) => takes(status, value))).toEqual([])
  })
})

test('a whole number of a query is digits, and digits only', () => {
  expect(z.decode(queryInt, '42')).toBe(42)
  expect(z.encode(queryInt, 42)).toBe('42')
  const wrong = ['', '-1', '1.5', '1e3', ' 1', '0x10', '1'.repeat(13), 'NaN', 42, true]
  expect(wrong.filter((value) => takes(queryInt, value))).toEqual([])
})

test('an id is a UUID', () => {
  expect(takes(id, '01936b1e-7c3a-7cc0-8a1c-1d2e3f405162')).toBe(true)
  expect(['1', '', 'user', 42, null].filter((value) => takes(id, value))).toEqual([])
})

test('an id has one form, as the database writes it', () => {
  expect(z.decode(id, '01936B1E-7C3A-7CC0-8A1C-1D2E3F405162')).toBe('01936b1e-7c3a-7cc0-8a1c-1d2e3f405162')
})

const fields = {
  stakeMinor: ['score', amount],
  isFrozen: ['isPaused', z.boolean()],
  count: ['n', z.int()],
  note: ['description', z.optional(z.string())],
  isAway: z.optional(z.boolean()),
} as const
const wire = { score: 12.5, isPaused: true, n: 3, description: 'x', isAway: true }
const ours = { stakeMinor: 1250n, isFrozen: true, count: 3, note: 'x', isAway: true }

/** A body as its handler receives it; the raw body is included only where a rule needs it (rules §3). */
const read = (schema: z.ZodMiniType, value: unknown) => {
  const { sentFields, ...body } = z.decode(schema, value) as Record<string, unknown>
  return { body, sentFields }
}

describe.each([
  ['answer', answer(() => fields) as z.ZodMiniType, false],
  ['request', request(() => fields) as z.ZodMiniType, true],
  ['lenientRequest', lenientRequest(() => fields) as z.ZodMiniType, false],
] as const)('%s', (kind, schema, isStrict) => {
  test('renames every field that the wire calls otherwise, both ways', () => {
    expect(read(schema, wire).body).toEqual(ours)
    expect(z.encode(schema, ours)).toEqual(wire)
  })

  test('leaves out an absent field, and adds none', () => {
    const { body } = read(schema, { score: 12.5, isPaused: true, n: 3 })
    expect(Object.keys(body).toSorted()).toEqual(['count', 'isFrozen', 'stakeMinor'])
    expect(Object.keys(z.encode(schema, body) as object).toSorted()).toEqual(['isPaused', 'n', 'score'])
  })

  test(isStrict ? 'refuses an unknown field' : 'takes nothing from an unknown field', () => {
    for (const extra of [{ role: 'ADMIN' }, { stakeMinor: 1n }, { constructor: 1 }]) {
      if (isStrict) expect(takes(schema, { ...wire, ...extra })).toBe(false)
      else expect(read(schema, { ...wire, ...extra }).body).toEqual(ours)
    }
  })

  test(
    kind === 'lenientRequest'
      ? 'names the fields that were sent, in our words'
      : 'does not name the fields that were sent',
    () => {
      const { sentFields } = read(schema, isStrict ? wire : { ...wire, role: 'ADMIN' })
      expect(sentFields).toEqual(kind === 'lenientRequest' ? [...Object.keys(ours), 'role'] : undefined)
    },
  )

  test('is strict about types: "10" is not 10, true is not 1, null is not nothing', () => {
    const wrong = [
      { ...wire, score: '12.5' },
      { ...wire, score: true },
      { ...wire, isPaused: 1 },
      { ...wire, isPaused: 'true' },
      { ...wire, n: '3' },
      { ...wire, n: 3.5 },
      { ...wire, description: null },
      { ...wire, isAway: 1 },
      { ...wire, score: null },
      { isPaused: true, n: 3 },
      [],
      'text',
      null,
    ]
    expect(wrong.filter((value) => takes(schema, value))).toEqual([])
  })
})

test('a null that is allowed stays apart from a field that is not there', () => {
  const nullable = answer(() => ({ vipLevel: ['vip', z.optional(z.nullable(z.int()))] }))
  expect(z.decode(nullable, { vip: null })).toEqual({ vipLevel: null })
  expect(z.decode(nullable, {})).toEqual({})
  expect(z.encode(nullable, { vipLevel: null })).toEqual({ vip: null })
})

test('a codec inside a codec is translated too', () => {
  const outer = answer(() => ({ rows: ['list', z.array(answer(() => ({ ownerId: ['author', z.string()] })))] }))
  expect(z.decode(outer, { list: [{ author: 'u' }] })).toEqual({ rows: [{ ownerId: 'u' }] })
  expect(z.encode(outer, { rows: [{ ownerId: 'u' }] })).toEqual({ list: [{ author: 'u' }] })
})
