import type { Found, FoundUser } from '#contract/finder.ts'
import { formatAmount, formatCount, formatDateTime, formatSignedAmount } from '#web/platform/formats.ts'
import { finderTexts as texts } from './finder-texts.ts'
import type { FoundPlace } from './recent-places.ts'

/** A row of the results. If it is chosen, only its `place` is stored among the recent places. */
export type FoundRow = {
  readonly place: FoundPlace
  /** Shown instead of the place's own hint. */
  readonly hint?: string
  readonly amount?: string
}

const group = <Row>(label: string, found: readonly Row[], placeOf: (row: Row) => FoundPlace) => ({
  label,
  rows: found.map((row): FoundRow => ({ place: placeOf(row) })),
})

export function placesOf({ users, rounds, requests, adjustments = [], bets, banks }: Found): ReadonlyArray<{
  readonly label: string
  readonly rows: readonly FoundRow[]
}> {
  return [
    { label: texts.users, rows: users.map(userRow) },
    group(texts.rounds, rounds, ({ id, type, roundNumber, opensAtMs }) => ({
      kind: 'round',
      id,
      page: id,
      label: texts.round(type, formatCount(roundNumber)),
      hint: formatDateTime(opensAtMs),
    })),
    group(texts.requests, requests, ({ id, owner, kind, amountMinor, status, createdAtMs }) => ({
      kind: 'request',
      id,
      page: owner.id,
      label: texts.request(kind, formatAmount(amountMinor)),
      hint: `${owner.username} · ${texts.requestStatus[status]} · ${formatDateTime(createdAtMs)}`,
    })),
    group(texts.adjustments, adjustments, ({ id, owner, deltaMinor, createdAtMs }) => ({
      kind: 'adjustment',
      id,
      page: owner.id,
      label: texts.adjustment(formatSignedAmount(deltaMinor)),
      hint: `${owner.username} · ${formatDateTime(createdAtMs)}`,
    })),
    group(texts.bets, bets, ({ id, owner, direction, stakeMinor, status }) => ({
      kind: 'bet',
      id,
      page: owner.id,
      label: texts.bet(direction, formatAmount(stakeMinor)),
      hint: `${owner.username} · ${texts.betStatus[status]}`,
    })),
    group(texts.banks, banks, ({ id, owner, accountNumber, bankName }) => ({
      kind: 'bank',
      id,
      page: owner.id,
      label: `${accountNumber} · ${bankName}`,
      hint: owner.username,
    })),
  ].filter(({ rows }) => rows.length > 0)
}

const joined = (words: ReadonlyArray<string | false | undefined>): string =>
  words.filter((word) => typeof word === 'string').join(' · ')

const stateOf = ({ role, isFrozen, isDeleted }: FoundUser): string =>
  joined([role === 'admin' && texts.admin, isFrozen && texts.frozen, isDeleted && texts.deleted])

export const standingOf = (user: FoundUser): string =>
  joined([
    stateOf(user) || undefined,
    (user.waitingRequests ?? 0) > 0 && texts.waiting(formatCount(user.waitingRequests ?? 0)),
  ])

export const balanceOf = ({ balanceMinor }: FoundUser): string | undefined =>
  balanceMinor === undefined ? undefined : texts.points(formatAmount(balanceMinor))

export function userRow(user: FoundUser): FoundRow {
  const { id, username, signedInAtMs } = user
  const amount = balanceOf(user)
  const place = { kind: 'user' as const, id, page: id, label: username, hint: stateOf(user) }
  const signedIn = typeof signedInAtMs === 'number' && texts.signedIn(formatDateTime(signedInAtMs))
  return { place, hint: joined([standingOf(user) || undefined, signedIn]), ...(amount !== undefined && { amount }) }
}

const parts = {
  user: {},
  request: { part: 'requests' },
  adjustment: { part: 'ledger', reason: 'ADJUSTMENT' },
  bet: { part: 'bets' },
  bank: { part: 'banks' },
} as const

export const addressOf = ({ kind, page }: FoundPlace) =>
  kind === 'round'
    ? ({ to: '/admin/round/$id', params: { id: page } } as const)
    : ({ to: '/admin/user/$id', params: { id: page }, search: parts[kind] } as const)
