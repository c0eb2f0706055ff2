import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { clientEvents, handshake, serverEvents } from './events.ts'

test('the game’s hints of rules §6 are all there, and their names are wire names', () => {
  const hints = ['price_tick', 'round_changed', 'bet_changed', 'balance_changed', 'account_changed', 'session_ended']
  expect(Object.keys(serverEvents)).toEqual(expect.arrayContaining([...hints, 'transaction_changed']))
  for (const name of [...Object.keys(serverEvents), ...Object.keys(clientEvents)])
    expect(name).toMatch(/^[a-z]+(_[a-z]+)*$/)
})

test('no name is used in both directions', () => {
  expect(Object.keys(clientEvents).filter((name) => name in serverEvents)).toEqual([])
})

describe('a price tick', () => {
  const wire = {
    source: 'simulated',
    sourceLabel: 'Giá mô phỏng',
    second: 1_800_000_000,
    price: 4132.114,
    quoteAt: '2027-01-15T08:00:00.000Z',
    serverTime: '2027-01-15T08:00:00.400Z',
  }

  test('is read into thousandths and Unix ms', () => {
    expect(z.decode(serverEvents.price_tick, wire)).toMatchObject({
      price: 4_132_114,
      quoteAtMs: 1_800_000_000_000,
      serverTimeMs: 1_800_000_000_400,
    })
  })

  test('may say that nobody had a price', () => {
    const missing = { ...wire, price: null, quoteAt: null }
    expect(z.encode(serverEvents.price_tick, z.decode(serverEvents.price_tick, missing))).toEqual(missing)
  })
})

test('the handshake needs a token of a sane length', () => {
  expect(z.safeDecode(handshake, { token: 't', userId: 'u', username: 'n' }).success).toBe(true)
  for (const wrong of [{}, { token: 1 }, { token: 'x'.repeat(513) }, { userId: 'u' }, null]) {
    expect(z.safeDecode(handshake, wrong as never).success).toBe(false)
  }
})
