import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import {
  type ReactNode,
  type RefObject,
  type UIEvent,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { ChatPerson } from '#domain/chat/conversation.ts'
import { type Thread, unreadOf, withoutFailedPrefix } from '#domain/chat/thread.ts'
import { chatTexts } from './chat-texts.ts'
import { formatCount } from '#web/platform/formats.ts'
import { useTodayMs } from '#web/platform/ticker.ts'
import { Button } from '#web/ui/button.tsx'
import { SkeletonGroup } from '#web/ui/skeleton.tsx'
import { EmptyState, ErrorState } from '#web/ui/states.tsx'
import type { ChatSnapshot } from './chat-store.ts'
import { MessageRow, type MessageRowProps } from './message-bubble.tsx'
import { type Row, rowsOf, type ShownMessage } from './rows.ts'
import { useChatSession, useShownMessages } from './use-chat.ts'

/** If the list's end is at most this far below the screen, the list scrolls to new messages (spec §9.4). */
const nearEndPx = 100
/** The height of the button that loads older messages, which is above the first row. */
const olderPx = 56

export type MessageListProps = {
  readonly thread: Thread
  readonly self: ChatPerson
  readonly snapshot: ChatSnapshot
  readonly acts: MessageRowProps['acts']
  readonly onOpenImage: (message: ShownMessage) => void
  /** Draws notes between the messages sent at `fromMs` and at `untilMs`. Null means that there is no such message. */
  readonly drawBetween?: ((fromMs: number | null, untilMs: number | null) => ReactNode) | undefined
}

/** Lists the messages of a thread. Only rows on or near the screen are rendered. */
export function MessageList({ thread, self, snapshot, acts, onOpenImage, drawBetween }: MessageListProps) {
  const { openAt, sendAgain } = useChatSession()
  const { key } = thread
  const page = snapshot.pages[key]
  const hasOlder = offersOlder(thread, page)
  const sought = snapshot.sought?.key === key ? snapshot.sought : null
  const { messages, rows, scroller, virtual, measure } = useRows(thread, self, sought, hasOlder)
  const [isNearEnd, setIsNearEnd] = useState(true)
  const newSinceLook = useNewSinceLook(messages, isNearEnd)
  const handleScroll = ({ currentTarget: { scrollHeight, scrollTop, clientHeight } }: UIEvent) =>
    setIsNearEnd(scrollHeight - scrollTop - clientHeight <= nearEndPx)

  const handleGo = useCallback((seq: number) => openAt(key, seq), [openAt, key])
  const handleSendAgain = useCallback((failedId: string) => void sendAgain(key, failedId), [sendAgain, key])

  if (!thread.isLoaded && rows.length === 0) return <NoPageYet threadKey={key} page={page} />
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <div
        ref={scroller}
        role="region"
        aria-label={chatTexts.messageList}
        // A scrollable region must be reachable by keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- WCAG 2.1.1
        tabIndex={0}
        onScroll={handleScroll}
        className="flex-1 overflow-y-auto overscroll-contain focus-visible:-outline-offset-2"
      >
        {rows.length === 0 && !hasOlder ? (
          <>
            <EmptyState text={chatTexts.emptyConversation} />
            {drawBetween?.(null, null)}
          </>
        ) : (
          <div className="relative w-full" style={{ height: virtual.getTotalSize() }}>
            {hasOlder && <OlderButton threadKey={key} page={page} />}
            {virtual.getVirtualItems().map((item) => {
              const row = rows[item.index]
              return row === undefined ? null : (
                <div
                  key={item.key}
                  ref={measure}
                  data-index={item.index}
                  data-seq={row.message.isOwn ? undefined : (row.message.seq ?? undefined)}
                  className="absolute inset-x-0 top-0"
                  style={{ transform: `translateY(${item.start}px)` }}
                >
                  {item.index === 0 && !hasOlder && drawBetween?.(null, row.message.sentAtMs)}
                  <MessageRow
                    {...rowProps(row)}
                    isSought={sought !== null && row.message.seq === sought.seq}
                    upload={snapshot.uploads[withoutFailedPrefix(row.message.clientMessageId)]}
                    onOpenImage={onOpenImage}
                    acts={acts}
                    onSendAgain={handleSendAgain}
                    onGo={handleGo}
                  />
                  {drawBetween?.(row.message.sentAtMs, rows[item.index + 1]?.message.sentAtMs ?? null)}
                </div>
              )
            })}
          </div>
        )}
      </div>
      {!isNearEnd && rows.length > 0 && <NewestButton count={newSinceLook} onPress={() => virtual.scrollToEnd()} />}
      <LastReceived messages={messages} />
      {acts !== undefined && <acts.EndInPlace scroller={scroller} />}
    </div>
  )
}

/** Returns whether the list lacks a page: an older one, or the newest one if it is loading or failed to load. */
const offersOlder = ({ hasOlder, isLoaded }: Thread, page: ChatSnapshot['pages'][string]): boolean =>
  hasOlder || (!isLoaded && page !== undefined)

/** Passes a row's parts as props. The row itself is a new object at each change, so `memo` would always render it. */
const rowProps = ({ key: _, ...parts }: Row) => parts

type PageProps = { readonly threadKey: string; readonly page: ChatSnapshot['pages'][string] }

function NoPageYet({ threadKey, page }: PageProps) {
  const { loadPage } = useChatSession()
  if (page !== undefined && page !== 'loading')
    return <ErrorState message={page.failure} onRetry={() => void loadPage(threadKey)} />
  return (
    <SkeletonGroup
      className="flex flex-1 flex-col justify-end gap-3 p-4"
      shapes={['h-10 w-3/5', 'h-10 w-2/5 self-end', 'h-16 w-1/2', 'h-10 w-3/5 self-end']}
    />
  )
}

function OlderButton({ threadKey, page }: PageProps) {
  const { loadPage } = useChatSession()
  return (
    <div className="absolute inset-x-0 top-0 grid h-14 place-items-center">
      <Button size="sm" variant="outline" isBusy={page === 'loading'} onClick={() => void loadPage(threadKey)}>
        {chatTexts.loadOlder}
      </Button>
    </div>
  )
}

const NewestButton = ({ count, onPress }: { readonly count: number; readonly onPress: () => void }) => (
  <div className="absolute inset-x-0 bottom-2 grid place-items-center">
    <Button size="sm" variant="outline" className="shadow-overlay" onClick={onPress}>
      {count > 0 ? chatTexts.newestWithCount(formatCount(count)) : chatTexts.newest}
    </Button>
  </div>
)

function useRows(thread: Thread, self: ChatPerson, sought: ChatSnapshot['sought'], hasOlder: boolean) {
  const messages = useShownMessages(thread, self)
  const [unreadAfterSeq] = useState(() => (unreadOf(thread, self.id) > 0 ? (thread.markers[self.id] ?? 0) : null))
  const todayMs = useTodayMs()
  const rows = useMemo(() => rowsOf(messages, todayMs, unreadAfterSeq), [messages, todayMs, unreadAfterSeq])
  const scroller = useRef<HTMLDivElement>(null)
  // oxlint-disable-next-line react/incompatible-library -- no compiler memoizes what this returns
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 64,
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: 8,
    paddingStart: hasOlder ? olderPx : 0,
    paddingEnd: 12,
    anchorTo: 'end',
    followOnAppend: true,
    scrollEndThreshold: nearEndPx,
  })

  useStillFirst(virtual, rows[0]?.key)
  useScrolling(virtual, rows, sought, unreadAfterSeq)
  const observe = useReadRows(scroller, thread.key)
  const measure = useCallback(
    (element: HTMLDivElement | null) => {
      virtual.measureElement(element)
      if (element !== null) observe(element)
    },
    [virtual, observe],
  )
  return { messages, rows, scroller, virtual, measure }
}

/** Scrolls first to the line above unread messages or to the end, later to a sought message or a new own message. */
function useScrolling(
  virtual: Virtualizer<HTMLDivElement, Element>,
  rows: readonly Row[],
  sought: ChatSnapshot['sought'],
  unreadAfterSeq: number | null,
): void {
  const isPlaced = useRef(false)
  useLayoutEffect(() => {
    if (isPlaced.current || rows.length === 0) return
    isPlaced.current = true
    const unreadAt = rows.findIndex(({ startsUnread }) => startsUnread)
    // If unread messages before the first loaded row are not loaded, the list scrolls to its end, not to that row.
    const isFirstUnread = unreadAt > 0 || (rows[0]?.message.seq ?? 0) === (unreadAfterSeq ?? 0) + 1
    if (unreadAt >= 0 && isFirstUnread) virtual.scrollToIndex(unreadAt, { align: 'start' })
    else virtual.scrollToEnd()
  }, [rows, virtual, unreadAfterSeq])

  const soughtAt = sought === null ? -1 : rows.findIndex(({ message }) => message.seq === sought.seq)
  const reached = useRef<ChatSnapshot['sought']>(null)
  useLayoutEffect(() => {
    if (soughtAt < 0 || reached.current === sought) return
    reached.current = sought
    virtual.scrollToIndex(soughtAt, { align: 'center' })
  }, [sought, soughtAt, virtual])

  const newest = rows.at(-1)?.message
  const ownNewest = newest?.isOwn === true && newest.seq === null ? newest.key : null
  useEffect(() => {
    if (ownNewest !== null) virtual.scrollToEnd()
  }, [ownNewest, virtual])
}

/**
 * Keeps the messages on screen in place when older ones load above. The row that was first may then lose its date and
 * name to a row above. The list scrolls by this change of height, even if the row is on screen. For other rows, the
 * rule is the library's default.
 */
function useStillFirst(virtual: Virtualizer<HTMLDivElement, Element>, firstKey: string | undefined): void {
  const first = useRef({ now: firstKey, before: firstKey })
  useLayoutEffect(() => {
    if (first.current.now !== firstKey) first.current = { now: firstKey, before: first.current.now }
  }, [firstKey])
  useLayoutEffect(() => {
    // oxlint-disable-next-line react/immutability -- the library accepts the rule only as a property
    virtual.shouldAdjustScrollPositionOnItemSizeChange = ({ key, start, end }, _delta, list) => {
      const { scrollOffset, scrollRect, scrollDirection, itemSizeCache } = list
      const top = scrollOffset ?? 0
      if (!itemSizeCache.has(key)) return start < top
      if (key === first.current.before && key !== first.current.now) return start < top + (scrollRect?.height ?? 0)
      return end <= top && scrollDirection !== 'backward'
    }
  }, [virtual])
}

/** Announces the last message of another person to screen readers if it arrived while the list was open. */
function LastReceived({ messages }: { readonly messages: readonly ShownMessage[] }) {
  const last = messages.findLast(({ isOwn }) => !isOwn)
  const [firstKey] = useState(last?.key)
  const isNew = last !== undefined && last.key !== firstKey
  return (
    <p role="status" className="sr-only">
      {isNew ? `${last.sender.username}: ${last.kind === 'image' ? chatTexts.image : last.content}` : ''}
    </p>
  )
}

/** Returns how many messages of other people have arrived since the list was last scrolled near its end. */
function useNewSinceLook(messages: readonly ShownMessage[], isNearEnd: boolean): number {
  const newestSeq = messages.findLast(({ seq }) => seq !== null)?.seq ?? 0
  const [seenSeq, setSeenSeq] = useState(newestSeq)
  if (isNearEnd && seenSeq !== newestSeq) setSeenSeq(newestSeq)
  return messages.filter(({ isOwn, seq }) => !isOwn && seq !== null && seq > seenSeq).length
}

/** While the tab is visible, marks messages as read up to the last one that is half visible or fills half the list. */
function useReadRows(scroller: RefObject<HTMLDivElement | null>, key: string): (row: Element) => void {
  const { markRead } = useChatSession()
  const observer = useRef<IntersectionObserver | null>(null)
  const onScreen = useRef(new Map<Element, number>())
  const read = useCallback(() => {
    if (document.visibilityState !== 'visible') return
    let lowest = 0
    for (const [row, seq] of onScreen.current) if (row.isConnected) lowest = Math.max(lowest, seq)
    if (lowest > 0) markRead(key, lowest)
  }, [markRead, key])

  useEffect(() => {
    document.addEventListener('visibilitychange', read)
    return () => document.removeEventListener('visibilitychange', read)
  }, [read])
  useEffect(() => () => observer.current?.disconnect(), [])

  return useCallback(
    (row: Element) => {
      observer.current ??= new IntersectionObserver(
        (entries) => {
          for (const { target, intersectionRatio, intersectionRect, rootBounds } of entries) {
            const seq = Number(target.getAttribute('data-seq') ?? 0)
            const isSeen =
              intersectionRatio >= 0.5 ||
              intersectionRect.height >= (rootBounds?.height ?? Number.POSITIVE_INFINITY) / 2
            if (isSeen && seq > 0) onScreen.current.set(target, seq)
            else onScreen.current.delete(target)
          }
          read()
        },
        { root: scroller.current, threshold: [0, 0.25, 0.5, 0.75, 1] },
      )
      observer.current.observe(row)
    },
    [read, scroller],
  )
}
