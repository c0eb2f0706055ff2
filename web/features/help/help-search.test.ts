import { expect, test } from 'vitest'
import { nearestIn, searchHelp } from './help-search.ts'
import { helpTopics } from './help-texts.ts'

const idsFor = (text: string) => searchHelp(helpTopics, text).flatMap(({ questions }) => questions.map(({ id }) => id))
const every = helpTopics.flatMap(({ questions }) => questions.map(({ id }) => id))

test('a search needs no accents and no order of words', () => {
  expect(idsFor('hoan diem')).toContain('hoan-diem')
  expect(idsFor('  ĐIỂM   hoàn ')).toContain('hoan-diem')
  expect(idsFor('mat khau quen')).toEqual(['quen-mat-khau'])
  expect(idsFor('du lieu luu')).toContain('du-lieu')
})

test('an empty search shows all, a foreign word nothing', () => {
  expect(idsFor('  ')).toEqual(every)
  expect(idsFor('bitcoin cash')).toEqual([])
})

test('every question has its own address', () => {
  expect(new Set(every).size).toBe(every.length)
  for (const id of every) expect(id).toMatch(/^[a-z]+(-[a-z]+)*$/)
})

test('the nearest answers to a sentence are found by its telling words, four at most', () => {
  const near = (text: string) => nearestIn(helpTopics)(text).map(({ id }) => id)
  expect(near('Tại sao lệnh của mình lại được hoàn điểm vậy?')[0]).toBe('hoan-diem')
  expect(near('mình quên mật khẩu rồi làm sao vào lại')[0]).toBe('quen-mat-khau')
  expect(near('diem co doi ra tien that khong').length).toBeLessThanOrEqual(4)
  for (const nothing of ['', ' ? ', 'a', 'bitcoin', 'là và của'])
    expect([nothing, near(nothing)]).toEqual([nothing, []])
})
