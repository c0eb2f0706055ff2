import { expect, test } from 'vitest'
import { clearStorage, startAnew } from './storage.ts'
import { countUnsent, keepUnsent, readUnsent, removeUnsent } from './unsent.ts'
import { deleteEntries, deleteEntriesOfOthers, keepEntry, readEntries } from './user-entries.ts'

test('without IndexedDB the entries last as long as the page, separate for each user', async () => {
  await keepUnsent('an', { id: '1' })
  await keepUnsent('an', { id: '2' })
  await keepUnsent('anh', { id: '3' })
  await keepUnsent('an', { id: '2' })
  expect((await readUnsent('an')).map(({ id }) => id)).toEqual(['1', '2'])
  expect(await countUnsent('anh')).toBe(1)

  await removeUnsent('an', '1')
  expect(await countUnsent('an')).toBe(1)

  await deleteEntries()
  expect([await countUnsent('an'), await countUnsent('anh')]).toEqual([0, 0])
})

test('another user’s sign-in keeps only their own entries', async () => {
  await keepUnsent('an', { id: '1' })
  await keepUnsent('anh', { id: '2' })
  await deleteEntriesOfOthers('anh')
  expect([await countUnsent('an'), await countUnsent('anh')]).toEqual([0, 1])
  await deleteEntries()
})

test('after a logout no entry is added', async () => {
  clearStorage()
  await keepUnsent('an', { id: '1' })
  expect(await countUnsent('an')).toBe(0)
  startAnew()
  await keepUnsent('an', { id: '1' })
  expect(await countUnsent('an')).toBe(1)
})

test('kinds of entries are kept apart, and leave together', async () => {
  await deleteEntries()
  await keepUnsent('an', { id: '1' })
  await keepEntry('seals', 'an', { id: 'bet' })
  expect(await readEntries('seals', 'an')).toEqual([{ id: 'bet' }])
  expect(await countUnsent('an')).toBe(1)
  await deleteEntriesOfOthers('binh')
  expect([await countUnsent('an'), (await readEntries('seals', 'an')).length]).toEqual([0, 0])
})
