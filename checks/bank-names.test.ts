import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { Banks } from 'vietnam-qr-pay'
import { expect, test } from 'vitest'
import { BANK_NAME_MAX } from '#domain/banks/bank.ts'
import { root } from './source-files.ts'

const rows = JSON.parse(readFileSync(posix.join(root, 'web/features/banks/bank-names.json'), 'utf8')) as string[][]

test('the bank picker has the list of vietnam-qr-pay as it is', () => {
  // After an update of the package: node scripts/copy-bank-names.mjs
  expect(rows.map(([shortName, fullName]) => [shortName, fullName])).toEqual(
    Banks.map(({ shortName, name }) => [shortName, name]),
  )
})

test('every bank can be linked under the name that is shown', () => {
  expect(rows.length).toBeGreaterThanOrEqual(62)
  for (const [shortName = '', fullName = ''] of rows) {
    expect(shortName.trim()).not.toBe('')
    expect(shortName.length).toBeLessThanOrEqual(BANK_NAME_MAX)
    expect(fullName).not.toBe('')
  }
  expect(new Set(rows.map(([shortName]) => shortName)).size).toBe(rows.length)
})
