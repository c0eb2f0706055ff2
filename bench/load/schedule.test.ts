import { describe, expect, test } from 'vitest'
import { seeded } from '#testing/run/seeded.ts'
import { arrivals, type Pace, scheduleActs } from './schedule.ts'

const pace: Pace = {
  ...{ players: 300, rampS: 60, playS: 600 },
  ...{ bets: 2, messages: 1, looks: 0.5, drops: 0.5, awayS: 10 },
}

describe('the schedule', () => {
  test('is the same for the same seed, and another for another', () => {
    expect(scheduleActs(7, pace)).toEqual(scheduleActs(7, pace))
    expect(scheduleActs(8, pace)).not.toEqual(scheduleActs(7, pace))
  })

  test('of a player does not depend on how many others there are', () => {
    const of = (players: number) => scheduleActs(7, { ...pace, players }).filter(({ player }) => player === 2)
    expect(of(3)).toEqual(of(300))
  })

  test('is in order, and has nobody act before the own sign-in or after the end', () => {
    const acts = scheduleActs(7, pace)
    const signIns = new Map(acts.filter(({ kind }) => kind === 'sign in').map(({ player, dueMs }) => [player, dueMs]))
    expect(signIns.size).toBe(pace.players)
    for (const [nth, { dueMs, player, kind }] of acts.entries()) {
      expect(dueMs).toBeGreaterThanOrEqual(acts[nth - 1]?.dueMs ?? 0)
      expect(dueMs).toBeLessThan((pace.rampS + pace.playS) * 1000)
      if (kind !== 'sign in') expect(dueMs).toBeGreaterThan(signIns.get(player) ?? Number.POSITIVE_INFINITY)
    }
  })

  test('has a phone without a network do nothing, and come back once for each time', () => {
    const acts = scheduleActs(7, pace)
    const drops = acts.filter(({ kind }) => kind === 'reconnect')
    expect(drops.length).toBeGreaterThan(pace.players)
    for (const { player, lostMs, dueMs } of drops) {
      expect(dueMs - (lostMs ?? Number.NaN)).toBeGreaterThanOrEqual(500)
      const meanwhile = acts.filter((act) => act.player === player && act.dueMs > (lostMs ?? 0) && act.dueMs < dueMs)
      expect(meanwhile.filter(({ kind }) => kind !== 'sign in')).toEqual([])
    }
  })

  test('has as many acts as the rates say', () => {
    const acts = scheduleActs(7, { ...pace, drops: 0 })
    const minutes = pace.players * ((pace.playS + pace.rampS / 2) / 60)
    for (const [kind, rate] of [['bet', 2] as const, ['message', 1] as const, ['look', 0.5] as const]) {
      const seen = acts.filter((act) => act.kind === kind).length
      // Four standard deviations of a Poisson count, and of the sign-ins' mean.
      expect(Math.abs(seen - rate * minutes)).toBeLessThan(4 * Math.sqrt(rate * minutes) + rate * minutes * 0.01)
    }
  })

  test('does not do what has no rate', () => {
    const acts = scheduleActs(7, { ...pace, bets: 0, messages: 0, looks: 0, drops: 0 })
    expect(new Set(acts.map(({ kind }) => kind))).toEqual(new Set(['sign in']))
  })
})

test('gaps of arrivals have the mean and the spread of a Poisson process', () => {
  const times = arrivals(seeded(3), 100, 0, 5_000_000)
  const gaps = times.map((at, nth) => at - (times[nth - 1] ?? 0))
  const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length
  const spread = Math.sqrt(gaps.reduce((sum, gap) => sum + (gap - mean) ** 2, 0) / gaps.length)
  expect(mean).toBeGreaterThan(97)
  expect(mean).toBeLessThan(103)
  // Of exponential gaps the standard deviation equals the mean; evenly spaced ones have none.
  expect(spread / mean).toBeGreaterThan(0.95)
  expect(spread / mean).toBeLessThan(1.05)
})
