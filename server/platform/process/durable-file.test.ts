import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { replaceFile, unfinishedPath } from './durable-file.ts'
import { readOrCreateKeyFile } from './key-file.ts'

test.each([
  ['a file that is replaced', replaceFile],
  ['a key', async (path: string, text: string) => void readOrCreateKeyFile(path, () => text)],
])('%s leaves nothing on a full disk, and is written once there is room', async (_, write) => {
  const folder = mkdtempSync(join(tmpdir(), 'durable-file-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'file')
  symlinkSync('/dev/full', unfinishedPath(path))
  await expect(write(path, 'text')).rejects.toThrow('ENOSPC')
  expect(readdirSync(folder)).toEqual([])
  await write(path, 'text')
  expect(readFileSync(path, 'utf8').trim()).toBe('text')
})
