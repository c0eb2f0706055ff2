import { expect, test } from 'vitest'
import { UserRound } from '#web/ui/icons/user-round.tsx'
import { isMeant, readTyped, type UserAct } from './read-typed.ts'

const act = (id: string, label: string): UserAct => ({
  id,
  label,
  icon: UserRound,
  suits: () => true,
  run: () => undefined,
})
const acts = [act('freeze', 'Đóng băng'), act('unfreeze', 'Mở đóng băng')]
const read = (typed: string) => {
  const { act: found, text } = readTyped(typed, acts)
  return [found?.id ?? null, text]
}

test('the words of an act before a name are no part of the name', () => {
  expect(read('đóng băng an')).toEqual(['freeze', 'an'])
  expect(read('  DONG  bang  nguyễn an ')).toEqual(['freeze', 'nguyễn an'])
  expect(read('mở đóng băng an')).toEqual(['unfreeze', 'an'])
  // Alone they may be the name of somebody.
  expect(read('đóng băng')).toEqual([null, 'đóng băng'])
  expect(read('đóng an')).toEqual([null, 'đóng an'])
  expect(read('')).toEqual([null, ''])
})

test('a page or an act is meant by the beginnings of its words, without accents', () => {
  expect(isMeant('mo phien 60', 'Mở phiên 60s')).toBe(true)
  expect(isMeant('60 phiên', 'Mở phiên 60s')).toBe(true)
  expect(isMeant('dang x', 'Đăng xuất')).toBe(true)
  expect(isMeant('xuat kho', 'Đăng xuất')).toBe(false)
  expect(isMeant('(', 'Đăng xuất')).toBe(false)
})
