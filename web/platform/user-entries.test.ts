import { expect, test } from 'vitest'
import { clearStorage, startAnew } from './storage.ts'
import {
  countAlso,
  countUnsent,
  deleteEntries,
  deleteEntriesOfOthers,
  keepEntry,
  readEntries,
  removeEntry,
} from './user-entries.ts'

test('without IndexedDB the entries last as long as the page, separate for each user', async () => {
  await keepEntry('unsent', 'an', { id: '1' })
  await keepEntry('unsent', 'an', { id: '2' })
  await keepEntry('unsent', 'anh', { id: '3' })
  await keepEntry('unsent', 'an', { id: '2' })
  expect((await readEntries('unsent', 'an')).map(({ id }) => id)).toEqual(['1', '2'])
  expect(await countUnsent('anh')).toBe(1)

  await removeEntry('unsent', 'an', '1')
  expect(await countUnsent('an')).toBe(1)

  await deleteEntries()
  expect([await countUnsent('an'), await countUnsent('anh')]).toEqual([0, 0])
})

test('another user’s sign-in keeps only their own entries', async () => {
  await keepEntry('unsent', 'an', { id: '1' })
  await keepEntry('unsent', 'anh', { id: '2' })
  await deleteEntriesOfOthers('anh')
  expect([await countUnsent('an'), await countUnsent('anh')]).toEqual([0, 1])
  await deleteEntries()
})

test('after a logout no entry is added', async () => {
  clearStorage()
  await keepEntry('unsent', 'an', { id: '1' })
  expect(await countUnsent('an')).toBe(0)
  startAnew()
  await keepEntry('unsent', 'an', { id: '1' })
  expect(await countUnsent('an')).toBe(1)
})

test('kinds of entries are kept apart, and leave together', async () => {
  await deleteEntries()
  await keepEntry('unsent', 'an', { id: '1' })
  await keepEntry('drafts', 'an', { id: '1' })
  await keepEntry('seals', 'an', { id: 'bet' })
  expect(await readEntries('seals', 'an')).toEqual([{ id: 'bet' }])
  // A draft is a message that a logout would lose, a seal is none.
  expect(await countUnsent('an')).toBe(2)
  await deleteEntriesOfOthers('binh')
  expect([await countUnsent('an'), (await readEntries('seals', 'an')).length]).toEqual([0, 0])
})

test('what only the page has is counted, too, as long as it has it', async () => {
  await keepEntry('drafts', 'an', { id: '1' })
  const stop = countAlso(() => 2)
  expect(await countUnsent('an')).toBe(3)
  stop()
  expect(await countUnsent('an')).toBe(1)
  await deleteEntries()
})
