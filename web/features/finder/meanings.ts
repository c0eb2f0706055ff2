import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type Found, finderEndpoints } from '#contract/finder.ts'
import { SEARCH_DEBOUNCE_MS } from '#contract/limits.ts'
import { foundMessagesQuery } from '#web/parts/found-messages.ts'
import { endpointQuery } from '#web/platform/endpoint-query.ts'
import { formatDateTime } from '#web/platform/formats.ts'
import { useMay } from '#web/platform/use-may.ts'
import type { IconComponent } from '#web/ui/icon.tsx'
import { CircleDot } from '#web/ui/icons/circle-dot.tsx'
import { Clock3 } from '#web/ui/icons/clock-3.tsx'
import { Landmark } from '#web/ui/icons/landmark.tsx'
import { MessageSquareText } from '#web/ui/icons/message-square-text.tsx'
import { Scale } from '#web/ui/icons/scale.tsx'
import { Timer } from '#web/ui/icons/timer.tsx'
import { UserRound } from '#web/ui/icons/user-round.tsx'
import { WalletCards } from '#web/ui/icons/wallet-cards.tsx'
import { useSettled } from '#web/ui/use-settled.ts'
import { finderTexts as texts } from './finder-texts.ts'
import { addressOf, balanceOf, type FoundRow, placesOf, standingOf, userRow } from './places.ts'
import { isMeant, readTyped, type UserAct } from './read-typed.ts'
import { type FoundPlace, recentPlaces, rememberPlace } from './recent-places.ts'

export type FinderEntry = {
  readonly id: string
  readonly label: string
  readonly icon: IconComponent
  /** Other words by which the entry is found. */
  readonly alias?: string
  readonly run: () => void
}

export type Known = {
  readonly groups: ReadonlyArray<{ readonly label: string; readonly entries: readonly FinderEntry[] }>
  readonly userActs: readonly UserAct[]
}

export type Customer = { readonly id: string; readonly username: string }

export type Item = {
  /** Unique among all items. */
  readonly value: string
  readonly label: string
  readonly hint?: string | undefined
  readonly amount?: string | undefined
  readonly icon: IconComponent
  /** Runs after the dialog has closed. An item has either `run` or `fill`. */
  readonly run?: () => void
  /** The text that choosing the item puts into the field. */
  readonly fill?: string
  readonly customer?: Customer
}

export type ItemGroup = { readonly label: string; readonly items: readonly Item[] }

export type Shown = {
  readonly text: string
  readonly groups: readonly ItemGroup[]
  /** Identifies the list of items. When `list` changes, the first item is preselected again. */
  readonly list: string
  readonly isSearching: boolean
  readonly failed: { readonly error: Error | null; readonly refetch: () => unknown } | undefined
  /** Returns the text that a screen reader announces for a number of results. */
  readonly found: (count: string) => string
}

/** The server is asked when the user has paused typing for this long. */
const pauseMs = 150
/** At most this many messages are shown, with a link to the chat's search for more. */
const messagesShown = 3

const placeIcons: Readonly<Record<FoundPlace['kind'], IconComponent>> = {
  user: UserRound,
  round: Timer,
  request: WalletCards,
  adjustment: Scale,
  bet: CircleDot,
  bank: Landmark,
}

/** The same text is not searched for again before this time has passed without its results on screen. */
const foundStaleMs = 10_000

/** Never refetched by itself, since the audit log records every search by IP address. */
const findQuery = (q: string) => ({
  ...endpointQuery(['admin'], finderEndpoints.find, { query: { q } }),
  staleTime: 'static' as const,
  gcTime: foundStaleMs,
})

const filledOf = (groups: readonly ItemGroup[]) => groups.filter(({ items }) => items.length > 0)

export function useMeanings(input: string, { groups, userActs }: Known): Shown {
  const navigate = useNavigate()
  const { act, text } = readTyped(input, userActs)
  const settled = useSettled(text, pauseMs)
  const query = useQuery({ ...findQuery(settled), enabled: settled !== '' })
  const isPending = text !== '' && (settled !== text || query.isPending) && !query.isError
  const found = isPending ? undefined : query.data

  const toItem = ({ place, hint = place.hint, amount }: FoundRow): Item => ({
    value: `${place.kind} ${place.id}`,
    label: place.label,
    hint,
    amount,
    icon: placeIcons[place.kind],
    ...(place.kind === 'user' && { customer: { id: place.id, username: place.label } }),
    run: () => {
      rememberPlace(place)
      void navigate(addressOf(place))
    },
  })
  const readMeanings = (): readonly ItemGroup[] => {
    if (text === '')
      return [
        { label: texts.recent, items: recentPlaces().map((place) => asRecent(toItem({ place }))) },
        ...entriesOf(groups, ''),
      ]
    if (act !== null) return [{ label: texts.userActs, items: usersToActOn(act, found?.users ?? []) }]
    return [
      ...(found === undefined ? [] : placesOf(found)).map(({ label, rows }) => ({ label, items: rows.map(toItem) })),
      ...entriesOf(groups, text),
      { label: texts.userActs, items: actsToFill(userActs, text) },
    ]
  }
  const filled = filledOf(readMeanings())
  const isNothing = filled.length === 0
  const messages = useMessages(act === null ? text : '', isNothing && found !== undefined)
  return {
    text,
    groups: filledOf([...filled, { label: texts.messages, items: messages.items }]),
    // `list` leaves out the messages, which may arrive later and must not reset the preselected item.
    list: filled.flatMap(({ items }) => items.map(({ value }) => value)).join(),
    isSearching: isPending || (isNothing && messages.isPending),
    failed: text === '' ? undefined : [query, messages.query].find((one) => one?.isError === true),
    found: texts.found,
  }
}

/**
 * Finds messages with the typed words, and links to all of them, for admins with `care`. Each search is recorded in the
 * audit log, so a single word, usually a name, is searched only if nothing else was found for it.
 */
function useMessages(text: string, isNothingElse: boolean) {
  const navigate = useNavigate()
  const mayCare = useMay('care') && text.length > 1
  const isAsked = mayCare && (isNothingElse || /\s/.test(text))
  const words = useSettled(isAsked ? text : '', SEARCH_DEBOUNCE_MS)
  const query = useQuery(foundMessagesQuery(words))
  const found = words === text ? query.data : undefined
  const toDesk = (message?: string) => () =>
    void navigate({
      to: '/admin/chat',
      search: { search: text, ...(message !== undefined && { message }) },
    })
  const hits = (found ?? []).slice(0, messagesShown).map(({ id, content, sender, sentAtMs }) => ({
    value: `message ${id}`,
    label: content,
    hint: `${sender.username} · ${formatDateTime(sentAtMs)}`,
    icon: MessageSquareText,
    run: toDesk(id),
  }))
  const all = { value: 'messages', label: texts.everyMessage(text), icon: MessageSquareText, run: toDesk() }
  const isNone = isAsked && (found === undefined ? isNothingElse : found.length === 0)
  return {
    items: mayCare && !isNone ? [...hits, all] : [],
    isPending: isAsked && found === undefined && !query.isError,
    query: words === text ? query : undefined,
  }
}

/** Returns the acts that the customer's present state allows. Typed words leave only the acts whose labels match. */
export function useActs(customer: Customer | undefined, input: string, acts: readonly UserAct[]): Shown {
  // Read anew (rules §6.14). No search by an id is in the audit log, unlike one by IP address.
  const query = useQuery({ ...findQuery(customer?.id ?? ''), staleTime: foundStaleMs, enabled: customer !== undefined })
  const user = query.data?.users.find(({ id }) => id === customer?.id)
  const items =
    user === undefined
      ? []
      : acts
          .filter((act) => act.suits(user) && (input.trim() === '' || isMeant(input, act.label)))
          .map(({ id, label, icon, run }) => ({
            value: `act ${id}`,
            label,
            icon,
            run: () => {
              rememberPlace(userRow(user).place)
              run(user.id)
            },
          }))
  const standing = user === undefined ? [] : [user.username, balanceOf(user), standingOf(user)]
  const label = standing.filter((word) => word !== undefined && word !== '').join(' · ')
  return {
    text: input.trim(),
    groups: filledOf([{ label, items }]),
    list: `acts ${items.map(({ value }) => value).join()}`,
    isSearching: query.isPending && !query.isError,
    failed: query.isError ? query : undefined,
    found: (count) =>
      [texts.actsFound(customer?.username ?? '', count), ...standing.slice(1)].filter(Boolean).join(' · '),
  }
}

const asRecent = (item: Item): Item => ({ ...item, value: `recent ${item.value}`, icon: Clock3 })

const entriesOf = (groups: Known['groups'], text: string): readonly ItemGroup[] =>
  groups.map(({ label, entries }) => ({
    label,
    items: entries
      .filter((entry) => text === '' || isMeant(text, `${entry.label} ${entry.alias ?? ''}`))
      .map((entry) => ({ value: `entry ${entry.id}`, label: entry.label, icon: entry.icon, run: entry.run })),
  }))

/** Returns items for the acts that the text may name. Choosing an item puts the act's label into the field. */
const actsToFill = (acts: readonly UserAct[], text: string): readonly Item[] =>
  acts
    .filter(({ label }) => isMeant(text, label))
    .map(({ id, label, icon }) => ({
      value: `act ${id}`,
      label: texts.actOnSomebody(label),
      hint: texts.actOnSomebodyHint,
      icon,
      fill: `${label} `,
    }))

const usersToActOn = (act: UserAct, users: Found['users']): readonly Item[] =>
  users.filter(act.suits).map(({ id, username }) => ({
    value: `act ${act.id} ${id}`,
    label: texts.actOn(act.label, username),
    icon: act.icon,
    run: () => act.run(id),
  }))
