import { expect, test } from 'vitest'
import { countUnsent, deleteOutbox, deleteOutboxOfOthers, putInOutbox, readOutbox, removeFromOutbox } from './outbox.ts'
import { clearStorage, startAnew } from './storage.ts'

test('without IndexedDB the entries live as long as the page, each user with their own', async () => {
  await putInOutbox('an', { id: '1' })
  await putInOutbox('an', { id: '2' })
  await putInOutbox('anh', { id: '3' })
  await putInOutbox('an', { id: '2' })
  expect((await readOutbox('an')).map(({ id }) => id)).toEqual(['1', '2'])
  expect(await countUnsent('anh')).toBe(1)

  await removeFromOutbox('an', '1')
  expect(await countUnsent('an')).toBe(1)

  await deleteOutbox()
  expect([await countUnsent('an'), await countUnsent('anh')]).toEqual([0, 0])
})

test('another user’s sign-in leaves only what is theirs', async () => {
  await putInOutbox('an', { id: '1' })
  await putInOutbox('anh', { id: '2' })
  await deleteOutboxOfOthers('anh')
  expect([await countUnsent('an'), await countUnsent('anh')]).toEqual([0, 1])
  await deleteOutbox()
})

test('after logging out nothing is put in any more', async () => {
  clearStorage()
  await putInOutbox('an', { id: '1' })
  expect(await countUnsent('an')).toBe(0)
  startAnew()
  await putInOutbox('an', { id: '1' })
  expect(await countUnsent('an')).toBe(1)
})
