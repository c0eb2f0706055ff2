import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BALANCE_MAX_MINOR, points } from '../money.ts'
import {
  decideFiling,
  decideRequest,
  type FilingRefusal,
  FILINGS_PER_HOUR,
  holdingsAfter,
  NOTHING_ELSE,
  PENDING_MAX,
  REQUEST_KINDS,
  REQUEST_MAX_POINTS,
  REQUEST_STATUSES,
} from './request.ts'

describe('filing a request', () => {
  const wish = {
    kind: 'withdrawal',
    amountMinor: points(100),
    walletMinor: points(100),
    soFar: NOTHING_ELSE,
    isStaff: false,
    bank: 'linked',
  } as const
  const file = (changes: Partial<Parameters<typeof decideFiling>[0]>) => decideFiling({ ...wish, ...changes })

  test('is possible with a linked bank and, for a withdrawal, the money for it', () => {
    expect(file({})).toBeNull()
    expect(file({ kind: 'deposit', walletMinor: 0n })).toBeNull()
    expect(file({ amountMinor: points(1) })).toBeNull()
    expect(file({ amountMinor: points(10n ** 9n), walletMinor: points(10n ** 9n) })).toBeNull()
  })

  test.each([
    ['staff', 'STAFF_CANNOT_PLAY', { isStaff: true }],
    ['no amount', 'AMOUNT_REQUIRED', { amountMinor: 0n }],
    ['a negative amount', 'AMOUNT_REQUIRED', { amountMinor: -1n }],
    ['less than a point', 'AMOUNT_LIMIT', { amountMinor: 99n }],
    ['more than 10^9 points', 'AMOUNT_LIMIT', { amountMinor: points(10n ** 9n) + 1n }],
    ['no bank', 'NO_BANK', { bank: 'none' }],
    ['somebody else’s bank', 'BANK_NOT_FOUND', { bank: 'unknown' }],
    ['too little balance', 'INSUFFICIENT_FUNDS', { walletMinor: points(100) - 1n }],
    [
      'a balance too large to hold',
      'AMOUNT_LIMIT',
      { kind: 'deposit', walletMinor: BALANCE_MAX_MINOR - points(100) + 1n },
    ],
    [
      'a balance too large with what is pending',
      'AMOUNT_LIMIT',
      {
        kind: 'deposit',
        walletMinor: BALANCE_MAX_MINOR - points(300),
        soFar: { ...NOTHING_ELSE, pendingDepositsMinor: points(100), stakedAndReservedMinor: points(100) + 1n },
      },
    ],
    ['a 21st pending one', 'TOO_MANY_REQUESTS_PENDING', { soFar: { ...NOTHING_ELSE, pendingCount: PENDING_MAX } }],
    ['a 61st within an hour', 'TOO_MANY_FILINGS', { soFar: { ...NOTHING_ELSE, filedLastHour: FILINGS_PER_HOUR } }],
  ] as const satisfies ReadonlyArray<readonly [string, FilingRefusal, object]>)('%s → %s', (_, refusal, changes) => {
    expect(file(changes)).toBe(refusal)
  })

  test('a deposit may fill the balance to its limit', () => {
    expect(file({ kind: 'deposit', walletMinor: BALANCE_MAX_MINOR - points(100) })).toBeNull()
  })

  test('is possible up to 20 pending requests and 60 filed within an hour', () => {
    expect(file({ soFar: { ...NOTHING_ELSE, pendingCount: PENDING_MAX - 1 } })).toBeNull()
    expect(file({ soFar: { ...NOTHING_ELSE, filedLastHour: FILINGS_PER_HOUR - 1 } })).toBeNull()
  })

  test('approving every request that was filed never brings the balance above its limit', () => {
    const amount = fc.bigInt({ min: points(1), max: points(REQUEST_MAX_POINTS) })
    const filing = fc.record({ kind: fc.constantFrom(...REQUEST_KINDS), amountMinor: amount })
    const start = fc.bigInt({ min: BALANCE_MAX_MINOR - points(5 * REQUEST_MAX_POINTS), max: BALANCE_MAX_MINOR })
    fc.assert(
      fc.property(
        start,
        fc.bigInt({ min: 0n, max: points(100_000) }),
        fc.array(filing, { maxLength: 40 }),
        (wallet, staked, filings) => {
          fc.pre(wallet + staked <= BALANCE_MAX_MINOR)
          let [walletMinor, reservedMinor, pendingDepositsMinor, pendingCount, atLimit] = [wallet, 0n, 0n, 0, 0]
          for (const { kind, amountMinor } of filings) {
            const soFar = {
              stakedAndReservedMinor: staked + reservedMinor,
              pendingDepositsMinor,
              pendingCount,
              filedLastHour: pendingCount,
            }
            const refusal = file({ kind, amountMinor, walletMinor, soFar })
            if (refusal === 'AMOUNT_LIMIT') atLimit++
            if (refusal !== null) continue
            pendingCount++
            if (kind === 'deposit') pendingDepositsMinor += amountMinor
            else [walletMinor, reservedMinor] = [walletMinor - amountMinor, reservedMinor + amountMinor]
          }
          // The highest balance possible: all deposits are approved, all withdrawals rejected.
          const most = walletMinor + reservedMinor + staked + pendingDepositsMinor
          expect(most).toBeLessThanOrEqual(BALANCE_MAX_MINOR)
          expect(pendingCount).toBeLessThanOrEqual(PENDING_MAX)
          expect(
            atLimit === 0 || pendingDepositsMinor + wallet + staked > BALANCE_MAX_MINOR - points(REQUEST_MAX_POINTS),
          ).toBe(true)
        },
      ),
    )
  })
})

describe('deciding a request', () => {
  const asked = { status: 'pending', verdict: 'approved', reason: '', from: null, isOwnRequest: false } as const
  const decide = (changes: Partial<Parameters<typeof decideRequest>[0]>) => decideRequest({ ...asked, ...changes })
  const refused = (refusal: string) => ({ ok: false, refusal })

  test('approves or, with a reason, rejects a pending one', () => {
    expect(decide({})).toEqual({ ok: true, move: 'approve' })
    expect(decide({ from: 'pending' })).toEqual({ ok: true, move: 'approve' })
    expect(decide({ verdict: 'rejected', reason: 'Sai nội dung' })).toEqual({ ok: true, move: 'reject' })
    for (const reason of ['', '   '])
      expect(decide({ verdict: 'rejected', reason })).toEqual(refused('REASON_REQUIRED'))
  })

  test("decides once: an approved request can't be rejected or approved again, a rejected one can't be approved", () => {
    for (const from of [null, ...REQUEST_STATUSES]) {
      for (const verdict of ['approved', 'rejected'] as const)
        expect(decide({ status: 'approved', verdict, from, reason: 'x' })).toEqual(refused('ALREADY_DECIDED'))
      expect(decide({ status: 'rejected', from, reason: 'x' })).toEqual(refused('ALREADY_DECIDED'))
    }
  })

  test('edits a rejection’s reason, unless the admin saw it as pending', () => {
    const again = { status: 'rejected', verdict: 'rejected' } as const
    expect(decide({ ...again, reason: 'x' })).toEqual({ ok: true, move: 'edit-reason' })
    expect(decide({ ...again, reason: 'x', from: 'rejected' })).toEqual({ ok: true, move: 'edit-reason' })
    expect(decide({ ...again, reason: ' ', from: 'rejected' })).toEqual(refused('REASON_REQUIRED'))
    expect(decide({ ...again, reason: 'x', from: 'pending' })).toEqual(refused('ALREADY_DECIDED'))
  })

  test('refuses a request that the admin saw as decided while it is pending', () => {
    for (const from of ['approved', 'rejected'] as const) expect(decide({ from })).toEqual(refused('STALE'))
  })

  test('is not possible for the admin who filed it', () => {
    for (const status of REQUEST_STATUSES) {
      for (const verdict of ['approved', 'rejected'] as const)
        expect(decide({ status, verdict, reason: 'x', isOwnRequest: true })).toEqual(refused('NOT_YOURSELF'))
    }
  })
})

describe('what an account holds after a decision', () => {
  const now = { walletMinor: points(70), reservedMinor: points(30) }
  const [deposit, withdrawal] = [
    { kind: 'deposit', amountMinor: points(20) },
    { kind: 'withdrawal', amountMinor: points(20) },
  ] as const

  test('an approved deposit comes to the wallet; a rejected one moves nothing', () => {
    expect(holdingsAfter(now, deposit, 'approved')).toEqual({ walletMinor: points(90), reservedMinor: points(30) })
    expect(holdingsAfter(now, deposit, 'rejected')).toEqual(now)
  })

  test('a withdrawal leaves what is reserved: for good, or back to the wallet', () => {
    expect(holdingsAfter(now, withdrawal, 'approved')).toEqual({ walletMinor: points(70), reservedMinor: points(10) })
    expect(holdingsAfter(now, withdrawal, 'rejected')).toEqual({ walletMinor: points(90), reservedMinor: points(10) })
  })
})
