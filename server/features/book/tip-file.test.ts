import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readTipFile, writeTipFile } from './tip-file.ts'

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'tip-file-'))
})
afterEach(() => rmSync(dataDir, { recursive: true }))

test('of several that are stored at the same moment the last one stays, and nothing lies beside it', async () => {
  expect(readTipFile(dataDir)).toBeNull()
  const notes = Array.from({ length: 50 }, (_, n) => `note ${n}\n`)
  await Promise.all(notes.map((note) => writeTipFile(dataDir, note)))
  expect(readTipFile(dataDir)).toBe(notes.at(-1))
  expect(readdirSync(dataDir)).toEqual(['log-tip'])
})

test('a folder that can’t be written fails for its note alone', async () => {
  await expect(writeTipFile(join(dataDir, 'log-tip\0'), 'lost')).rejects.toThrow(/null bytes/)
  await writeTipFile(dataDir, 'kept')
  expect(readTipFile(dataDir)).toBe('kept')
})
