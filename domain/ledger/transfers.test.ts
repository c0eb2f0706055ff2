import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  cashier,
  grants,
  house,
  reserved,
  staked,
  SYSTEM_ACCOUNT_KINDS,
  USER_ACCOUNT_KINDS,
  wallet,
} from './accounts.ts'
import {
  adjustmentTransfer,
  captureTransfer,
  closeBetTransfers,
  depositTransfer,
  holdTransfer,
  refillTransfer,
  releaseTransfer,
  stakeTransfer,
  type Transfer,
  TRANSFER_REASONS,
  welcomeTransfer,
} from './transfers.ts'

const [won, lost, voided] = [500n, -500n, 0n].map((profitMinor) =>
  closeBetTransfers('b1', 'u1', 10_000n, profitMinor),
) as [Transfer[], Transfer[], Transfer[]]

/** Every kind of transfer that the product makes, once. */
const all: readonly Transfer[] = [
  welcomeTransfer('u1', 100_000n),
  refillTransfer('u1', '2026-11-22', 99_000n),
  stakeTransfer('b1', 'u1', 10_000n),
  ...won,
  ...lost,
  ...voided,
  adjustmentTransfer('c1', 'u1', 300n, 'a1', 'Điều chỉnh'),
  adjustmentTransfer('c2', 'u1', -300n, 'a1', 'Điều chỉnh'),
  holdTransfer('r1', 'u1', 7000n),
  depositTransfer('r2', 'u1', 7000n, 'a1'),
  captureTransfer('r1', 'u1', 7000n, 'a1'),
  releaseTransfer('r1', 'u1', 7000n, 'a1'),
]

const shape = ({ id, from, to, amountMinor }: Transfer) => [id, from, to, amountMinor]

describe('every transfer', () => {
  test('moves a positive amount between two different accounts', () => {
    for (const { from, to, amountMinor } of all) {
      expect(amountMinor).toBeGreaterThan(0n)
      expect(from).not.toEqual(to)
    }
  })

  test('names a known reason, an actor and a reference', () => {
    for (const { reason, actor, ref, id } of all) {
      expect(TRANSFER_REASONS).toContain(reason)
      expect(actor).not.toBe('')
      expect(ref).toMatch(/^(bet|request|user):/)
      expect(id).not.toBe('')
    }
  })

  test('has one of the reasons, and every reason has a transfer', () => {
    expect([...new Set(all.map(({ reason }) => reason))].toSorted()).toEqual([...TRANSFER_REASONS].toSorted())
  })

  test('has a user account on one side at least', () => {
    for (const { from, to } of all) expect(from.ownerId ?? to.ownerId).toBe('u1')
  })
})

test('the welcome comes from grants, and only once per user', () => {
  expect(shape(welcomeTransfer('u1', 100_000n))).toEqual(['user:u1:welcome', grants, wallet('u1'), 100_000n])
})

test('a refill comes from grants, and only once per user and day', () => {
  expect(shape(refillTransfer('u1', '2026-11-22', 99_000n))).toEqual([
    'user:u1:refill:2026-11-22',
    grants,
    wallet('u1'),
    99_000n,
  ])
})

describe('a bet', () => {
  test('moves its stake aside', () => {
    expect(shape(stakeTransfer('b1', 'u1', 10_000n))).toEqual(['bet:b1:stake', wallet('u1'), staked('u1'), 10_000n])
  })

  test('won returns the stake and the house adds the profit', () => {
    expect(won.map(shape)).toEqual([
      ['bet:b1:close:1', staked('u1'), wallet('u1'), 10_000n],
      ['bet:b1:close:2', house, wallet('u1'), 500n],
    ])
  })

  test('lost returns the rest of the stake and the house takes the loss', () => {
    expect(lost.map(shape)).toEqual([
      ['bet:b1:close:1', staked('u1'), wallet('u1'), 9500n],
      ['bet:b1:close:2', staked('u1'), house, 500n],
    ])
  })

  test('void returns the stake', () => {
    expect(voided.map(shape)).toEqual([['bet:b1:close:1', staked('u1'), wallet('u1'), 10_000n]])
  })

  test('has the same first id in every ending, so two endings can never both be booked', () => {
    fc.assert(
      fc.property(
        fc.uuid(),
        fc.integer({ min: 1, max: 100_000 }),
        fc.integer({ min: -99, max: 99 }),
        (betId, stake, percent) => {
          const ids = closeBetTransfers(betId, 'u1', BigInt(stake) * 100n, BigInt(stake) * BigInt(percent)).map(
            ({ id }) => id,
          )
          expect(ids).toEqual(
            percent === 0 ? [`bet:${betId}:close:1`] : [`bet:${betId}:close:1`, `bet:${betId}:close:2`],
          )
        },
      ),
    )
  })
})

describe('an adjustment', () => {
  test('comes from grants upwards and goes back there downwards', () => {
    expect(shape(adjustmentTransfer('c1', 'u1', 300n, 'a1', 'x'))).toEqual(['adjust:c1', grants, wallet('u1'), 300n])
    expect(shape(adjustmentTransfer('c1', 'u1', -300n, 'a1', 'x'))).toEqual(['adjust:c1', wallet('u1'), grants, 300n])
  })

  test('keeps its actor and its reason', () => {
    expect(adjustmentTransfer('c1', 'u1', 300n, 'a1', 'Điều chỉnh')).toMatchObject({ actor: 'a1', note: 'Điều chỉnh' })
  })
})

describe('a cash request', () => {
  test('holds a withdrawal when it is filed', () => {
    expect(shape(holdTransfer('r1', 'u1', 7000n))).toEqual(['request:r1:hold', wallet('u1'), reserved('u1'), 7000n])
  })

  test('ends once: paid, released and credited share one id', () => {
    expect(shape(captureTransfer('r1', 'u1', 7000n, 'a1'))).toEqual([
      'request:r1:close',
      reserved('u1'),
      cashier,
      7000n,
    ])
    expect(shape(releaseTransfer('r1', 'u1', 7000n, 'a1'))).toEqual([
      'request:r1:close',
      reserved('u1'),
      wallet('u1'),
      7000n,
    ])
    expect(shape(depositTransfer('r1', 'u1', 7000n, 'a1'))).toEqual(['request:r1:close', cashier, wallet('u1'), 7000n])
  })
})

test('only accounts of a player have an owner', () => {
  expect([wallet('u'), staked('u'), reserved('u')].map(({ kind }) => kind)).toEqual([...USER_ACCOUNT_KINDS])
  expect([house, cashier, grants].map(({ kind, ownerId }) => [kind, ownerId])).toEqual(
    SYSTEM_ACCOUNT_KINDS.map((kind) => [kind, null]),
  )
})
