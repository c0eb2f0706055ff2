import { expect, test } from 'vitest'
import { seeded } from '#testing/run/seeded.ts'
import { DURATION_S, ROUND_TYPES } from '../game/calendar.ts'
import { BLOCK_MS, type Exposure, varianceOf } from './chance.ts'
import { durationBin, msOfBin, summarizeBins } from './duration-bins.ts'

const exposure = (entrySecond: number, exitSecond: number, upMinor: number): Exposure => ({
  entrySecond,
  exitSecond,
  upMinor,
})

test('a single bet strays by what it can win, and no bet by nothing', () => {
  expect(varianceOf([])).toBe(0)
  expect(varianceOf([exposure(0, 30, 500)])).toBe(250_000)
})

test('bets on one move are one coin: those of a side add up, those of both sides cancel each other', () => {
  expect(varianceOf([exposure(0, 30, 500), exposure(0, 30, 500)])).toBeCloseTo(1_000_000)
  expect(varianceOf([exposure(0, 30, 500), exposure(0, 30, -500)])).toBeCloseTo(0)
})

test('bets on moves that share no second are coins of their own', () => {
  expect(varianceOf([exposure(0, 30, 300), exposure(30, 60, 400)])).toBe(250_000)
})

test('no round lies in two blocks', () => {
  for (const type of ROUND_TYPES) expect(BLOCK_MS % (DURATION_S[type] * 1_000)).toBe(0)
  expect(3_600_000 % BLOCK_MS).toBe(0)
})

test.each([1, 2])('is the variance of simulated rounds of all types: world %i', (seed) => {
  const random = seeded(seed)
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const seconds = BLOCK_MS / 1_000
  const bets = Array.from({ length: 40 }, () => {
    const length = DURATION_S[ROUND_TYPES[Math.floor(random() * 4)] ?? '30s']
    const opens = length * Math.floor(random() * (seconds / length))
    const entry = opens + 1 + Math.floor(random() * (length - 1))
    // More bets on a rise than on a fall, as where players follow each other.
    return exposure(entry, opens + length, (random() < 0.7 ? 1 : -1) * (1 + Math.floor(random() * 1_000)))
  })
  const worlds = 20_000
  let [sum, squares] = [0, 0]
  for (let world = 0; world < worlds; world++) {
    const path = [0]
    for (let second = 1; second <= seconds; second++) path.push((path[second - 1] ?? 0) + normal())
    const house = bets.reduce(
      (net, bet) => net - Math.sign((path[bet.exitSecond] ?? 0) - (path[bet.entrySecond] ?? 0)) * bet.upMinor,
      0,
    )
    sum += house
    squares += house * house
  }
  const variance = varianceOf(bets)
  // Nothing is expected, within four standard errors; the variance is that of the simulation, within 5 %.
  expect(Math.abs(sum / worlds)).toBeLessThan(4 * Math.sqrt(variance / worlds))
  expect(squares / worlds / variance).toBeGreaterThan(0.95)
  expect(squares / worlds / variance).toBeLessThan(1.05)
})

test('a duration is within 1 % of its bin, and up to a second in the first', () => {
  for (const ms of [0, 1, 999, 1_000]) expect(durationBin(ms)).toBe(0)
  for (let ms = 1_001; ms < 40 * 86_400_000; ms = Math.ceil(ms * 1.013))
    expect(Math.abs(msOfBin(durationBin(ms)) / ms - 1)).toBeLessThan(0.0101)
})

test('median and p90 are those of the nearest rank', () => {
  expect(summarizeBins(new Map())).toEqual({ count: 0, medianMs: null, p90Ms: null })
  const counts = new Map([1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((minute) => [durationBin(minute * 60_000), 1]))
  const { count, medianMs, p90Ms } = summarizeBins(counts)
  expect(count).toBe(10)
  expect((medianMs ?? 0) / 300_000).toBeCloseTo(1, 1)
  expect((p90Ms ?? 0) / 540_000).toBeCloseTo(1, 1)
})
