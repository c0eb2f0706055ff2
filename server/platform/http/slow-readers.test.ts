import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { readInTime } from './slow-readers.ts'

const CHUNK = Buffer.alloc(50_000)
const BOUNDS = { leastBytesAS: 1_000_000, lookEveryMs: 50, withinMs: 60_000 }

test('who takes nothing is broken off, and the source is free', async () => {
  const source = Readable.from(Array.from({ length: 100 }, () => CHUNK))
  const out = readInTime(source, BOUNDS)
  await expect(new Promise((_, reject) => out.once('error', reject))).rejects.toThrow('reads too slowly')
  await vi.waitFor(() => expect(source.destroyed).toBe(true))
})

test('who takes everything gets it, however slow the source is', async () => {
  const slow = async function* () {
    for (let n = 0; n < 4; n++) {
      await sleep(120)
      yield CHUNK
    }
  }
  expect((await buffer(readInTime(Readable.from(slow()), BOUNDS))).length).toBe(4 * CHUNK.length)
})

test('who takes all of the time is broken off, too', async () => {
  const endless = async function* () {
    for (;;) {
      await sleep(20)
      yield CHUNK
    }
  }
  const out = readInTime(Readable.from(endless()), { ...BOUNDS, leastBytesAS: 1, withinMs: 200 })
  await expect(buffer(out)).rejects.toThrow('reads too slowly')
})

test('a source that fails breaks the answer off', async () => {
  const failing = async function* () {
    yield CHUNK
    throw new Error('The database is gone')
  }
  await expect(buffer(readInTime(Readable.from(failing()), BOUNDS))).rejects.toThrow('The database is gone')
})
