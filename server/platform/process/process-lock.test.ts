import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { LockHeldError, acquireProcessLock, readUnlocked } from './process-lock.ts'

let dir: string
const children: ChildProcess[] = []

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'lock-'))
})
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  rmSync(dir, { recursive: true })
})

/** A separate process that takes the lock, prints `held` and stays, or ends by an uncaught error. */
function startHolder(folder = dir) {
  const child = spawn(process.execPath, [
    '--input-type=module',
    '--eval',
    `import { acquireProcessLock } from ${JSON.stringify(new URL('./process-lock.ts', import.meta.url).href)}
     acquireProcessLock(${JSON.stringify(folder)})
     console.log('held')
     setInterval(() => {}, 1000)`,
  ])
  children.push(child)
  let errors = ''
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  return { child, held: once(child.stdout, 'data'), ended: once(child, 'exit'), errors: () => errors }
}

test('a second process prints who holds the folder and ends with an error, 2 s after it could have begun at most', async () => {
  const first = startHolder()
  await first.held
  const [second, elsewhere] = [startHolder(), startHolder(join(dir, 'elsewhere'))]
  const now = () => performance.now()
  const [endedAt, begunAt] = await Promise.all([second.ended.then(now), elsewhere.held.then(now)])
  expect(await second.ended).toEqual([1, null])
  expect(endedAt - begunAt).toBeLessThan(2_000)
  expect(second.errors()).toContain(`đang được một tiến trình khác sử dụng (pid ${first.child.pid}`)
  expect(first.child.exitCode).toBeNull()
})

test('a lock left by kill -9 is taken over', async () => {
  const first = startHolder()
  await first.held
  first.child.kill('SIGKILL')
  await first.ended
  const second = startHolder()
  await second.held
  expect(() => acquireProcessLock(dir)).toThrow(LockHeldError)
})

test('a process that stands still keeps its lock', async () => {
  const first = startHolder()
  await first.held
  first.child.kill('SIGSTOP')
  expect(() => acquireProcessLock(dir)).toThrow(LockHeldError)
})

test('of many that start at once exactly one gets in', async () => {
  const holders = Array.from({ length: 6 }, startHolder)
  const outcomes = await Promise.all(
    holders.map((holder) => Promise.race([holder.held.then(() => 'held'), holder.ended.then(() => 'ended')])),
  )
  expect(outcomes.filter((outcome) => outcome === 'held')).toHaveLength(1)
})

test('one process cannot hold it twice, and can after a release', () => {
  const lock = acquireProcessLock(dir)
  expect(() => acquireProcessLock(dir)).toThrow(LockHeldError)
  lock.release()
  acquireProcessLock(dir).release()
})

test('who reads without the lock changes nothing, keeps nobody out, and learns whether somebody came', async () => {
  acquireProcessLock(dir).release()
  const before = readdirSync(dir).map((name) => [name, statSync(join(dir, name)).ctimeMs])
  expect(await readUnlocked(dir, async () => 'read')).toBe('read')
  expect(readdirSync(dir).map((name) => [name, statSync(join(dir, name)).ctimeMs])).toEqual(before)
  const first = startHolder()
  await first.held
  await expect(readUnlocked(dir, async () => 'read')).rejects.toThrow(LockHeldError)
  first.child.kill('SIGKILL')
  await first.ended
  const during = readUnlocked(dir, async () => {
    const second = startHolder()
    await second.held
    second.child.kill('SIGKILL')
    await second.ended
  })
  await expect(during).rejects.toThrow('meanwhile')
})
