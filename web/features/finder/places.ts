import { formatAmount, formatCount, formatDateTime } from '#web/platform/formats.ts'
import type { Found } from './api.ts'
import { finderTexts as texts } from './finder-texts.ts'
import type { FoundPlace } from './recent-places.ts'

/** What was found, as places to go to: by kind, in the order in which they are shown. */
export function placesOf({ users, rounds, requests, bets, banks }: Found): ReadonlyArray<{
  readonly label: string
  readonly places: readonly FoundPlace[]
}> {
  return [
    { label: texts.users, places: users.map(userPlace) },
    {
      label: texts.rounds,
      places: rounds.map(({ id, type, roundNumber, opensAtMs }) => ({
        kind: 'round' as const,
        id,
        page: id,
        label: texts.round(type, formatCount(roundNumber)),
        hint: formatDateTime(opensAtMs),
      })),
    },
    {
      label: texts.requests,
      places: requests.map(({ id, owner, kind, amountMinor, status }) => ({
        kind: 'request' as const,
        id,
        page: owner.id,
        label: texts.request(kind, formatAmount(amountMinor)),
        hint: `${owner.username} · ${texts.requestStatus[status]}`,
      })),
    },
    {
      label: texts.bets,
      places: bets.map(({ id, owner, direction, stakeMinor, status }) => ({
        kind: 'bet' as const,
        id,
        page: owner.id,
        label: texts.bet(direction, formatAmount(stakeMinor)),
        hint: `${owner.username} · ${texts.betStatus[status]}`,
      })),
    },
    {
      label: texts.banks,
      places: banks.map(({ id, owner, accountNumber, bankName }) => ({
        kind: 'bank' as const,
        id,
        page: owner.id,
        label: `${accountNumber} · ${bankName}`,
        hint: owner.username,
      })),
    },
  ].filter(({ places }) => places.length > 0)
}

const userPlace = ({ id, username, role, isFrozen, isDeleted }: Found['users'][number]): FoundPlace => ({
  kind: 'user',
  id,
  page: id,
  label: username,
  hint: [role === 'admin' && texts.admin, isFrozen && texts.frozen, isDeleted && texts.deleted]
    .filter((word) => word !== false)
    .join(' · '),
})

const parts = { user: {}, request: { part: 'requests' }, bet: { part: 'bets' }, bank: { part: 'banks' } } as const

/** Where a place is. */
export const addressOf = ({ kind, page }: FoundPlace) =>
  kind === 'round'
    ? ({ to: '/admin/round/$id', params: { id: page } } as const)
    : ({ to: '/admin/user/$id', params: { id: page }, search: parts[kind] } as const)
