import { expect, test } from 'vitest'
import { countUnsent, deleteUnsent, deleteUnsentOfOthers, keepUnsent, readUnsent, removeUnsent } from './unsent.ts'
import { clearStorage, startAnew } from './storage.ts'

test('without IndexedDB the entries last as long as the page, separate for each user', async () => {
  await keepUnsent('an', { id: '1' })
  await keepUnsent('an', { id: '2' })
  await keepUnsent('anh', { id: '3' })
  await keepUnsent('an', { id: '2' })
  expect((await readUnsent('an')).map(({ id }) => id)).toEqual(['1', '2'])
  expect(await countUnsent('anh')).toBe(1)

  await removeUnsent('an', '1')
  expect(await countUnsent('an')).toBe(1)

  await deleteUnsent()
  expect([await countUnsent('an'), await countUnsent('anh')]).toEqual([0, 0])
})

test('another user’s sign-in keeps only their own entries', async () => {
  await keepUnsent('an', { id: '1' })
  await keepUnsent('anh', { id: '2' })
  await deleteUnsentOfOthers('anh')
  expect([await countUnsent('an'), await countUnsent('anh')]).toEqual([0, 1])
  await deleteUnsent()
})

test('after a logout no entry is added', async () => {
  clearStorage()
  await keepUnsent('an', { id: '1' })
  expect(await countUnsent('an')).toBe(0)
  startAnew()
  await keepUnsent('an', { id: '1' })
  expect(await countUnsent('an')).toBe(1)
})
