import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Command } from 'cmdk'
import { CircleDot, Clock3, Landmark, type LucideIcon, Search, Timer, UserRound, WalletCards } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import { useEffect, useRef, useState } from 'react'
import { QUESTION_MAX } from '#domain/finder/question.ts'
import { formatCount } from '#web/platform/formats.ts'
import { failureText } from '#web/platform/http.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { useBackCloses } from '#web/ui/back-closes.ts'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { useFocusReturn } from '#web/ui/dialog.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { findQuery, type Found } from './api.ts'
import { finderTexts as texts } from './finder-texts.ts'
import { addressOf, placesOf } from './places.ts'
import { isMeant, readTyped, type UserAct } from './read-typed.ts'
import { type FoundPlace, recentPlaces, rememberPlace } from './recent-places.ts'

/** A page, or an act that needs nothing more. */
export type FinderEntry = {
  readonly id: string
  readonly label: string
  readonly icon: LucideIcon
  /** Other words for it. */
  readonly alias?: string
  readonly run: () => void
}

export type FinderProps = {
  readonly groups: ReadonlyArray<{ readonly label: string; readonly entries: readonly FinderEntry[] }>
  readonly userActs: readonly UserAct[]
  readonly onClose: () => void
}

type Item = {
  /** Unique among all items. */
  readonly value: string
  readonly label: string
  readonly hint?: string | undefined
  readonly icon: LucideIcon
  /** Chosen after the dialog has closed. */
  readonly run?: () => void
  /** Goes on in the field instead. */
  readonly fill?: string
}

type ItemGroup = { readonly label: string; readonly items: readonly Item[] }

/** A pause in typing after which the server is asked. */
const pauseMs = 150

/** The text as it was at the last pause. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pauseMs)
    return () => clearTimeout(timer)
  }, [text])
  return text === '' ? '' : settled
}

const placeIcons: Readonly<Record<FoundPlace['kind'], LucideIcon>> = {
  user: UserRound,
  round: Timer,
  request: WalletCards,
  bet: CircleDot,
  bank: Landmark,
}

/** What a text may mean: what the server found for it, and the pages and acts whose words it has. */
function useMeanings(input: string, { groups, userActs }: Pick<FinderProps, 'groups' | 'userActs'>) {
  const navigate = useNavigate()
  const { act, text } = readTyped(input, userActs)
  const settled = useSettled(text)
  const query = useQuery({ ...findQuery(settled), enabled: settled !== '' })
  const isSearching = text !== '' && (settled !== text || query.isPending) && !query.isError
  const found = isSearching ? undefined : query.data

  const toItem = (place: FoundPlace): Item => ({
    value: `${place.kind} ${place.id}`,
    label: place.label,
    hint: place.hint,
    icon: placeIcons[place.kind],
    run: () => {
      rememberPlace(place)
      void navigate(addressOf(place))
    },
  })
  const readMeanings = (): readonly ItemGroup[] => {
    if (text === '')
      return [{ label: texts.recent, items: recentPlaces().map(toItem).map(asRecent) }, ...entriesOf(groups, '')]
    if (act !== null) return [{ label: texts.userActs, items: usersToActOn(act, found?.users ?? []) }]
    const places = found === undefined ? [] : placesOf(found)
    return [
      ...places.map(({ label, places: ofKind }) => ({ label, items: ofKind.map(toItem) })),
      ...entriesOf(groups, text),
      { label: texts.userActs, items: actsToFill(userActs, text) },
    ]
  }
  return { text, query, isSearching, filled: readMeanings().filter(({ items }) => items.length > 0) }
}

/** Finds whom or what a text may mean, and pages and acts; all of it by keyboard (rules §6.14). */
export function FinderDialog({ onClose, ...known }: FinderProps) {
  const [input, setInput] = useState('')
  const [picked, setPicked] = useState({ value: '', among: '' })
  const { text, query, isSearching, filled } = useMeanings(input, known)
  const items = filled.flatMap((group) => group.items)
  const count = items.length

  // Other items are another list, of which the first is the likeliest.
  const among = items.map(({ value }) => value).join()
  const value = picked.among === among ? picked.value : (items[0]?.value ?? '')

  const chosen = useRef<() => void>(undefined)
  const choose = ({ run, fill }: Item) => {
    if (fill !== undefined) return setInput(fill)
    chosen.current = run
    onClose()
  }

  return (
    <Frame onClose={onClose} onClosed={() => chosen.current?.()}>
      <Command
        label={texts.title}
        shouldFilter={false}
        loop
        value={value}
        onValueChange={(next) => setPicked({ value: next, among })}
        className="flex min-h-0 flex-1 flex-col"
      >
        <Field input={input} onInput={setInput} onClose={onClose} />
        <p role="status" className="sr-only">
          {isSearching
            ? texts.searching
            : text !== '' && (count === 0 ? texts.nothing(text) : texts.found(formatCount(count)))}
        </p>
        <Command.List
          label={texts.results}
          className={classNames(
            'scroll-py-2 overflow-y-auto overscroll-contain',
            (count > 0 || isSearching) && 'min-h-0 flex-1 p-2',
          )}
        >
          {isSearching && <Searching />}
          {filled.map(({ label, items: ofGroup }) => (
            <Command.Group
              key={label}
              heading={label}
              className="[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-ink-3"
            >
              {ofGroup.map((item) => (
                <Row key={item.value} item={item} onChoose={() => choose(item)} />
              ))}
            </Command.Group>
          ))}
        </Command.List>
        {query.isError && text !== '' ? (
          <Failure message={failureText(query.error, texts.failed)} onRetry={() => void query.refetch()} />
        ) : (
          !isSearching && count === 0 && <Nothing text={text} />
        )}
        <p className="border-t border-line px-4 py-2 text-xs text-ink-3 max-md:hidden">{texts.keys}</p>
      </Command>
    </Frame>
  )
}

type FieldProps = {
  readonly input: string
  readonly onInput: (input: string) => void
  readonly onClose: () => void
}

function Field({ input, onInput, onClose }: FieldProps) {
  return (
    <div className="flex items-center gap-2.5 border-b border-line px-4">
      <Search aria-hidden size={18} strokeWidth={1.8} className="shrink-0 text-ink-3" />
      <Command.Input
        value={input}
        onValueChange={onInput}
        maxLength={QUESTION_MAX}
        placeholder={texts.placeholder}
        className="h-13 min-w-0 flex-1 bg-transparent text-base text-ink outline-none placeholder:text-ink-3"
      />
      <Button variant="outline" size="sm" onClick={onClose} className="min-h-target md:hidden">
        {commonTexts.close}
      </Button>
    </div>
  )
}

const asRecent = (item: Item): Item => ({ ...item, value: `recent ${item.value}`, icon: Clock3 })

/** Pages and acts whose words are typed; all of them while nothing is. */
const entriesOf = (groups: FinderProps['groups'], text: string): readonly ItemGroup[] =>
  groups.map(({ label, entries }) => ({
    label,
    items: entries
      .filter((entry) => text === '' || isMeant(text, `${entry.label} ${entry.alias ?? ''}`))
      .map((entry) => ({ value: `entry ${entry.id}`, label: entry.label, icon: entry.icon, run: entry.run })),
  }))

/** Acts whose words are typed, before anybody is named. */
const actsToFill = (acts: readonly UserAct[], text: string): readonly Item[] =>
  acts
    .filter(({ label }) => isMeant(text, label))
    .map(({ id, label }) => ({
      value: `act ${id}`,
      label: texts.actOnSomebody(label),
      hint: texts.actOnSomebodyHint,
      icon: UserRound,
      fill: `${label} `,
    }))

const usersToActOn = (act: UserAct, users: Found['users']): readonly Item[] =>
  users.filter(act.suits).map(({ id, username }) => ({
    value: `act ${act.id} ${id}`,
    label: texts.actOn(act.label, username),
    icon: UserRound,
    run: () => act.run(id),
  }))

type FrameProps = {
  readonly onClose: () => void
  /** Called once the focus is back where it was. */
  readonly onClosed: () => void
  readonly children: React.ReactNode
}

/** Near the top of the window, so that results that come and go move no field. */
function Frame({ onClose, onClosed, children }: FrameProps) {
  const { onOpenAutoFocus, onCloseAutoFocus } = useFocusReturn()
  useBackCloses(true, onClose)
  return (
    <Radix.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-fade-in bg-scrim" />
        <Radix.Content
          aria-describedby={undefined}
          onOpenAutoFocus={onOpenAutoFocus}
          onCloseAutoFocus={(event) => {
            onCloseAutoFocus(event)
            setTimeout(onClosed)
          }}
          className="fixed inset-x-gutter top-gutter z-50 mx-auto flex h-[min(34rem,calc(100dvh-2rem))] max-w-[38rem] animate-rise-in flex-col overflow-hidden rounded-m border border-line bg-surface shadow-overlay outline-none md:top-[12vh] md:h-[min(34rem,76vh)]"
        >
          <Radix.Title className="sr-only">{texts.title}</Radix.Title>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

function Row({
  item: { value, label, hint, icon: Icon },
  onChoose,
}: {
  readonly item: Item
  readonly onChoose: () => void
}) {
  return (
    <Command.Item
      value={value}
      onSelect={onChoose}
      className="flex min-h-target cursor-default items-center gap-2.5 rounded-s px-2.5 py-1.5 text-sm text-ink select-none data-[selected=true]:bg-surface-press"
    >
      <Icon aria-hidden size={16} strokeWidth={1.8} className="shrink-0 text-ink-3" />
      <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">{label}</span>
      {hint !== undefined && hint !== '' && <span className="shrink-0 text-xs text-ink-3">{hint}</span>}
    </Command.Item>
  )
}

/** As high as three rows. */
function Searching() {
  return (
    <div aria-hidden className="flex flex-col gap-2 p-2.5">
      <Skeleton className="h-8" />
      <Skeleton className="h-8" />
      <Skeleton className="h-8" />
    </div>
  )
}

function Nothing({ text }: { readonly text: string }) {
  return (
    <div className="flex flex-1 flex-col gap-1 px-6 py-10 text-center text-sm">
      <p className="font-medium [overflow-wrap:anywhere] text-ink">{texts.nothing(text)}</p>
      <p className="text-ink-3">{texts.nothingHint}</p>
    </div>
  )
}

function Failure({ message, onRetry }: { readonly message: string; readonly onRetry: () => void }) {
  return (
    <div role="alert" className="flex flex-1 flex-col items-center gap-3 px-6 py-10 text-center text-sm text-ink-2">
      <p>{message}</p>
      <Button variant="outline" size="sm" onClick={onRetry}>
        {commonTexts.retry}
      </Button>
    </div>
  )
}
