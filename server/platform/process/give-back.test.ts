// Alone: it measures the memory of its process.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createCrowdWatch, giveBack } from './give-back.ts'

const residentMiB = () => process.memoryUsage.rss() / 1_024 / 1_024

test('memory of what is gone is the system’s again', async () => {
  let crowd: unknown[] | null = Array.from({ length: 200_000 }, (_, at) => ({
    at,
    name: `socket ${at}`,
    rooms: [at, at],
  }))
  await sleep(0)
  const withIt = residentMiB()
  expect(crowd).toHaveLength(200_000)
  crowd = null
  await giveBack()
  expect(withIt - residentMiB()).toBeGreaterThan(20)
})

test('a crowd has gone once most of it has left and nobody leaves any more', () => {
  const hasGone = createCrowdWatch()
  const seen = [20, 3_000, 5_000, 2_000, 60, 20, 20, 25, 5_000, 20, 21]
  expect(seen.filter((open, at) => hasGone(open) && at >= 0)).toEqual([20, 21])
})

test('few sockets, or a part of a crowd, may come and go', () => {
  const hasGone = createCrowdWatch()
  for (const open of [0, 900, 0, 0, 10_000, 6_000, 6_000, 3_000, 3_000, 10_000]) expect(hasGone(open)).toBe(false)
})
