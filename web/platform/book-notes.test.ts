import { expect, test } from 'vitest'
import { keepLog, readKeptLogs } from './book-notes.ts'

const log = { origin: 'kim-phien/1', vkey: 'key', note: 'note of 5', size: 5 }

test('of each log the first key stays, with its largest note', async () => {
  await keepLog(log)
  await keepLog({ ...log, note: 'note of 9', size: 9 })
  await keepLog({ ...log, note: 'note of 7', size: 7 })
  await keepLog({ ...log, vkey: 'another key', note: 'note of 20', size: 20 })
  await keepLog({ ...log, origin: 'kim-phien/1/2', vkey: 'key 2', note: null, size: 0 })
  expect(await readKeptLogs()).toEqual([
    { ...log, note: 'note of 9', size: 9 },
    { ...log, origin: 'kim-phien/1/2', vkey: 'key 2', note: null, size: 0 },
  ])
})
