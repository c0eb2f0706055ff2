import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { askControlSocket, openControlSocket } from './control-socket.ts'
import type { Logger } from './log.ts'

const logged = vi.fn<(fields: object, message: string) => void>()
const log = { error: logged } as unknown as Logger
let dir: string
let close: (() => Promise<void>) | null

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'control-'))
  close = null
  logged.mockClear()
})
afterEach(async () => {
  await close?.()
  rmSync(dir, { recursive: true })
})

test('a question is answered to the owner of the folder', async () => {
  close = await openControlSocket(dir, log, async (command) => ({ command, bytes: 'x'.repeat(100_000) }))
  expect(statSync(join(dir, 'control.sock')).mode & 0o777).toBe(0o600)
  expect(await askControlSocket(dir, 'ledger:check')).toEqual({ command: 'ledger:check', bytes: 'x'.repeat(100_000) })
})

test('an answer is awaited however long the command takes, where it may take long', async () => {
  // Each hour of waiting lasts a moment.
  vi.spyOn(Socket.prototype, 'setTimeout').mockImplementation(function (this: Socket, ms, then) {
    setTimeout(() => then?.(), ms / 3_600_000)
    return this
  })
  close = await openControlSocket(dir, log, () => sleep(100, 'made'))
  await expect(askControlSocket(dir, 'ledger:check')).rejects.toThrow('the server did not answer')
  expect(await askControlSocket(dir, 'backup', null).finally(() => vi.restoreAllMocks())).toBe('made')
})

test('without a server the answer is null, also where one was killed', async () => {
  expect(await askControlSocket(dir, 'x')).toBeNull()
  close = await openControlSocket(dir, log, async () => 1)
  await close()
  close = null
  expect(await askControlSocket(dir, 'x')).toBeNull()
})

test('the socket of a killed server is replaced', async () => {
  writeFileSync(join(dir, 'control.sock'), '')
  close = await openControlSocket(dir, log, async () => 'new')
  expect(await askControlSocket(dir, 'x')).toBe('new')
})

test('a folder with a long name', async () => {
  const deep = join(dir, 'x'.repeat(60), 'y'.repeat(60))
  mkdirSync(deep, { recursive: true })
  const from = process.cwd()
  process.chdir(deep)
  try {
    close = await openControlSocket(deep, log, async () => 'far')
    expect(await askControlSocket(deep, 'x')).toBe('far')
  } finally {
    process.chdir(from)
  }
})

test('a command that fails is logged, and its answer says only that it failed', async () => {
  close = await openControlSocket(dir, log, async () => {
    throw new Error('secret')
  })
  await expect(askControlSocket(dir, 'x')).rejects.toThrow('the connection ended without an answer')
  expect(logged).toHaveBeenCalledOnce()
})

test('a line without an end is cut off', async () => {
  close = await openControlSocket(dir, log, async () => 'never')
  const socket = connect(join(dir, 'control.sock'))
  socket.write('x'.repeat(10_000))
  await new Promise((resolve) => socket.once('close', resolve))
  expect(logged).toHaveBeenCalledOnce()
})

test('a path that no socket can have is refused in one line that names the setting', async () => {
  const long = join(dir, 'x'.repeat(120))
  await expect(openControlSocket(long, log, async () => 1)).rejects.toThrow(/^DATA_DIR: the path is \d+ bytes too long/)
  await expect(askControlSocket(long, 'x')).rejects.toThrow(/^DATA_DIR: the path is \d+ bytes too long/)
})
