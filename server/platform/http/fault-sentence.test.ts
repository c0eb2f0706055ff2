import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { faultSentence } from './fault-sentence.ts'

const said = (schema: z.ZodMiniType, value: unknown) =>
  z.safeDecode(schema, value, { error: faultSentence }).error?.issues.map(({ message }) => message)

test.each<[string, z.ZodMiniType, unknown, string]>([
  ['too long', z.string().check(z.maxLength(1_000)), 'x'.repeat(1_001), 'Dài quá 1,000 ký tự'],
  ['empty', z.string().check(z.minLength(1)), '', 'Không được để trống'],
  ['too short', z.string().check(z.minLength(8)), 'x', 'Cần ít nhất 8 ký tự'],
  ['too many', z.array(z.string()).check(z.maxLength(2)), ['a', 'b', 'c'], 'Nhiều quá 2 mục'],
  ['too few', z.array(z.string()).check(z.minLength(1)), [], 'Cần ít nhất 1 mục'],
  ['too large', z.number().check(z.lte(50)), 51, 'Lớn quá 50'],
  ['not below', z.number().check(z.lt(50)), 50, 'Phải nhỏ hơn 50'],
  ['too small', z.number().check(z.gte(1)), 0, 'Nhỏ hơn 1'],
  ['not above', z.number().check(z.gt(0)), 0, 'Phải lớn hơn 0'],
  ['missing', z.string(), undefined, 'Còn thiếu'],
  ['of another type', z.string(), 5, 'Không đúng kiểu dữ liệu'],
  ['another value', z.literal('UP'), 'x', 'Phải là UP'],
  ['none of the values', z.enum(['UP', 'DOWN']), 'x', 'Phải là một trong: UP, DOWN'],
  ['another form', z.string().check(z.regex(/^\d+$/)), 'x', 'Không đúng định dạng'],
  ['no id', z.uuid(), 'x', 'UUID không hợp lệ'],
  ['unknown', z.strictObject({}), { a: 1 }, 'Trường không được nhận dạng'],
])('a field that is %s is said so in plain Vietnamese', (_, schema, value, sentence) => {
  expect(said(schema, value)).toEqual([sentence])
})
