import { useRouter } from '@tanstack/react-router'
import { type ComponentType, type PropsWithChildren, useEffect, useReducer, useRef, useState } from 'react'
import type { Me } from '#contract/identity.ts'
import type { ChatUser } from '#domain/chat/conversation.ts'
import { isDraft, standingOf, type Thread } from '#domain/chat/thread.ts'
import { listThreads, threadAt } from '#domain/chat/timeline.ts'
import type { ChatState } from '#domain/chat/chat-state.ts'
import { chatTexts } from './chat-texts.ts'
import { useShortcuts } from '#web/lists/shortcuts.ts'
import { formatCount } from '#web/platform/formats.ts'
import { serverNowMs } from '#web/platform/server-time.ts'
import { usePassedInstants } from '#web/platform/ticker.ts'
import { afterDrawing, useLazyPart } from '#web/platform/lazy-part.ts'
import { foldForSearch } from '#domain/search-text.ts'
import { moneyWarnings } from '#web/platform/money-warning-texts.ts'
import { Banner } from '#web/ui/banner.tsx'
import { IconButton } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { PanelRight } from '#web/ui/icons/panel-right.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { TextInput } from '#web/ui/text-input.tsx'
import { useWidth } from '#web/ui/use-width.ts'
import { ChatFrame, pressedPillClass, SoundButton } from './chat-frame.tsx'
import type { ChatSession } from './chat-session.ts'
import { deskTabs, type DeskTab, neighbour, openingsOf, threadsOf } from './desk.ts'
import { LazyPane, useOpening } from './lazy-pane.tsx'
import type { MessagePaneProps } from './message-pane.tsx'
import { AdminList, ThreadList } from './thread-list.tsx'
import { type DrawCase, useChat, useChatSession } from './use-chat.ts'

const loadParts = afterDrawing(() => import('./desk-parts.tsx'))

export type StaffChatProps = {
  readonly me: Me
  /** The id of the conversation to open, or ''. A colleague's conversation opens in a sheet, to be read and claimed. */
  readonly toOpen: string
  readonly sought: string
  readonly message: string
  /** The filter of the list by tag or topic: `tag:…`, `topic:…`, or '' for all. */
  readonly filter: string
  readonly drawCase: DrawCase
  /** Loads the customer panel. Must be the same function in each render (`useLazyPart`). */
  readonly loadCustomer: () => Promise<{
    readonly CustomerPanel: ComponentType<CustomerShownProps>
    readonly CustomerSheet: ComponentType<CustomerShownProps>
  }>
}

export type CustomerShownProps = { readonly conversationId: string; readonly onClose: () => void }

/** Minimum width of the desk, in rem, for a customer panel. A narrower desk shows a sheet (spec §2.8). */
const threePanesRem = 60

/** Customer care for staff. The desk's own width, not the window's, decides how many panes it shows (spec §2.8). */
export function StaffChat({ me, toOpen, sought, message, filter, drawCase, loadCustomer }: StaffChatProps) {
  const { session, snapshot } = useChat(me)
  const { chat, users } = snapshot
  const way = useWay()
  const { ref: desk, width, rem } = useWidth()
  const hasRoom = width >= threePanesRem * rem
  const { isShown, press, close } = useCustomerShown(hasRoom, chat.openKey)
  const { part: parts } = useLazyPart(loadParts)
  const { part: customer } = useLazyPart(loadCustomer)
  const open = useOpening(session, chat, toOpen, way)
  const [isOpened, setOpened] = useOpened(chat, toOpen, way)
  const { leave, ...list } = useDeskList(session, chat, filter)
  return (
    <ChatFrame session={session} snapshot={snapshot} drawCase={drawCase}>
      {parts !== undefined && (
        <parts.FollowDesk selfId={me.id} hasNewest={snapshot.hasConversations} threadsOf={threadsOf} />
      )}
      {snapshot.hasConversations && !isOpened && parts !== undefined && (
        <parts.NamedConversation key={way} conversationId={toOpen} onClose={setOpened} />
      )}
      <div ref={desk} className="@container flex min-h-0 flex-1 flex-col">
        <div className="grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)] overflow-hidden border-t border-line bg-surface md:rounded-m md:border @min-[40rem]:grid-cols-[clamp(15rem,30%,20rem)_minmax(0,1fr)]">
          <div
            className={classNames(
              'min-h-0 min-w-0 flex-col border-line @min-[40rem]:flex @min-[40rem]:border-r',
              open === undefined ? 'flex' : 'hidden',
            )}
          >
            <Sidebar
              key={sought && sought + message + way}
              sought={sought}
              message={message}
              chat={chat}
              admins={users}
              isMoreWaiting={snapshot.isMoreWaiting}
              filter={filter}
              {...list}
            />
          </div>
          <div className={classNames('min-h-0 min-w-0 @min-[40rem]:flex', open === undefined ? 'hidden' : 'flex')}>
            {open === undefined ? (
              <NothingOpen />
            ) : (
              <>
                <div className="flex min-h-0 min-w-0 flex-1 flex-col bg-surface-2">
                  <OpenConversation
                    thread={open}
                    me={me}
                    snapshot={snapshot}
                    parts={parts}
                    press={press}
                    onLeft={() => leave(open.key)}
                  />
                </div>
                {!isDraft(open) &&
                  customer !== undefined &&
                  isShown &&
                  (hasRoom ? (
                    <customer.CustomerPanel key={open.key} conversationId={open.key} onClose={close} />
                  ) : (
                    <customer.CustomerSheet conversationId={open.key} onClose={close} />
                  ))}
              </>
            )}
          </div>
        </div>
      </div>
    </ChatFrame>
  )
}

type OpenConversationProps = Pick<StaffChatProps, 'me'> &
  Pick<MessagePaneProps, 'thread' | 'snapshot'> & {
    readonly parts: typeof import('./desk-parts.tsx') | undefined
    readonly press: ReturnType<typeof useCustomerShown>['press']
    readonly onLeft: () => void
  }

function OpenConversation({ thread, me, snapshot, parts, press, onLeft }: OpenConversationProps) {
  const { pick } = useChatSession()
  const { chat, picked, users } = snapshot
  const [notingIn, setNotingIn] = useState<string | null>(null)
  const isNoting = notingIn === thread.key
  // Leaves the note field when another conversation is opened or a message is picked.
  if (notingIn !== null && (!isNoting || picked !== null)) setNotingIn(null)
  const chooseNote = (isNote: boolean) => {
    if (isNote) pick(null)
    setNotingIn(isNote ? thread.key : null)
  }
  return (
    <LazyPane
      thread={thread}
      self={me}
      snapshot={snapshot}
      notice={
        thread.conversation?.desk === undefined ? undefined : parts === undefined ? (
          <div className="min-h-20 border-b border-line bg-surface" />
        ) : (
          // The prefix makes this key differ from `thread.key`, the key of the message list drawn beside this bar.
          <parts.DeskBar key={`bar ${thread.key}`} thread={thread} onLeft={onLeft} />
        )
      }
      drawBetween={
        parts === undefined || isDraft(thread)
          ? undefined
          : (fromMs, untilMs) => <parts.NotesBetween conversationId={thread.key} fromMs={fromMs} untilMs={untilMs} />
      }
      mode={
        isDraft(thread) ? undefined : parts === undefined ? (
          <div className="min-h-10 border-t border-line bg-surface" />
        ) : (
          <parts.NoteMode
            key={thread.key}
            conversationId={thread.key}
            sinceMs={thread.hasOlder ? (thread.messages[0]?.sentAtMs ?? null) : null}
            isNoting={isNoting}
            onChange={chooseNote}
            colleagues={users ?? []}
          />
        )
      }
      isNoting={parts !== undefined && isNoting}
      actions={
        isDraft(thread) ? undefined : (
          <>
            {parts !== undefined && standingOf(thread, me.id) === 'own' && (
              <parts.HandOver
                key={thread.key}
                thread={thread}
                admins={users ?? []}
                presence={chat.presence}
                onOpen={() => chooseNote(false)}
              />
            )}
            <IconButton label={chatTexts.customer} {...press} className="text-ink-2">
              <PanelRight aria-hidden size={20} strokeWidth={1.7} />
            </IconButton>
          </>
        )
      }
    />
  )
}

const NothingOpen = () => (
  <div className="flex flex-1 flex-col">
    <Banner tone="warn" className="rounded-none! py-1.5! text-xs!">
      {moneyWarnings.depositsAndChat}
    </Banner>
    <div className="grid flex-1 content-center">
      <EmptyState text={chatTexts.chooseConversation} />
    </div>
  </div>
)

/** Counts the navigations to the address that is already open. The router makes no new location for these. */
function useWay(): number {
  const router = useRouter()
  const [way, step] = useReducer((last: number) => last + 1, 0)
  useEffect(() => router.subscribe('onBeforeNavigate', ({ hrefChanged }) => hrefChanged || step()), [router])
  return way
}

/** Returns whether `toOpen` was opened since the navigation to it, and a function that marks it as opened. */
function useOpened(chat: ChatState, toOpen: string, way: number) {
  const named = toOpen && toOpen + way
  const [opened, setOpened] = useState('')
  if (opened !== named && (named === '' || threadAt(chat, toOpen) !== undefined)) setOpened(named)
  return [opened === named, () => setOpened(named)] as const
}

/** Shows and hides the customer panel or sheet. A panel stays open for any conversation, a sheet only for its own. */
function useCustomerShown(hasRoom: boolean, openKey: string | null) {
  const [isPanelShown, setIsPanelShown] = useState(false)
  const [sheetOf, setSheetOf] = useState<string | null>(null)
  return hasRoom
    ? {
        isShown: isPanelShown,
        press: { 'aria-pressed': isPanelShown, onClick: () => setIsPanelShown(!isPanelShown) },
        close: () => setIsPanelShown(false),
      }
    : {
        isShown: sheetOf === openKey,
        press: { 'aria-haspopup': 'dialog' as const, onClick: () => setSheetOf(openKey) },
        close: () => setSheetOf(null),
      }
}

const minuteMs = 60_000

function useDeskList(session: ChatSession, chat: ChatState, filter: string) {
  const { closeThread, openThread } = session
  const [tab, onTab] = useState<DeskTab>('mine')
  const nowMs = serverNowMs()
  // The list renders again when a snoozed conversation reopens, and every minute, since it shows waits in minutes.
  const nextMinuteMs = (Math.floor(nowMs / minuteMs) + 1) * minuteMs
  usePassedInstants([...openingsOf(chat), nextMinuteMs].toSorted((a, b) => a - b))
  const shown = threadsOf(chat, tab, nowMs, filter)
  return {
    tab,
    onTab,
    shown,
    /** Opens the conversation below (1) or above (-1) the open one. */
    step: (way: 1 | -1) => {
      const next = neighbour(shown, chat.openKey, way)
      if (next !== undefined) openThread(next.key)
    },
    leave: (key: string) => {
      const next = neighbour(shown, key, 1) ?? neighbour(shown, key, -1)
      if (next === undefined || next.key === key) closeThread()
      else openThread(next.key)
    },
  }
}

type SidebarProps = Omit<ReturnType<typeof useDeskList>, 'leave'> &
  Pick<StaffChatProps, 'filter' | 'sought' | 'message'> & {
    readonly chat: ChatState
    readonly admins: readonly ChatUser[] | null
    readonly isMoreWaiting: boolean
  }

function Sidebar({ sought, message, chat, admins, shown, step, tab, onTab, filter, isMoreWaiting }: SidebarProps) {
  const { openThread } = useChatSession()
  const { searchRef, isHelpOpen, closeHelp } = useListKeys(step)
  const [wanted, setWanted] = useState(sought)
  const [toShow, setToShow] = useState(message)
  const folded = foldForSearch(wanted)
  const { part: parts } = useLazyPart(loadParts)
  const isSearch = folded !== ''
  const threads = isSearch ? ownOf(chat, folded) : shown
  return (
    <>
      <div ref={searchRef} className="flex items-end gap-1 p-3 pr-1 pb-2">
        <TextInput
          label={chatTexts.search}
          isLabelHidden
          type="search"
          placeholder={chatTexts.search}
          value={wanted}
          onChange={({ target }) => setWanted(target.value)}
          className="flex-1"
        />
        <SoundButton />
      </div>
      <div className="min-h-12 px-3 pb-1">{parts !== undefined && <parts.DutyRow />}</div>
      {/* A scrollable region must be reachable by keyboard. */}
      <div
        role="region"
        aria-label={chatTexts.conversations}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- WCAG 2.1.1
        tabIndex={0}
        className="min-h-0 flex-1 overflow-y-auto focus-visible:-outline-offset-2"
      >
        {!isSearch && (
          <Tabs tab={tab} chat={chat} onTab={onTab} isMoreWaiting={isMoreWaiting}>
            {parts === undefined ? <span className="h-8 w-24" /> : <parts.ListFilter filter={filter} />}
          </Tabs>
        )}
        {(isSearch ? threads.length > 0 : tab !== 'others') && (
          <>
            <h2 className="px-4 pt-1 pb-1 text-sm font-semibold">{chatTexts.conversations}</h2>
            <ThreadList
              chat={chat}
              threads={threads}
              emptyText={parts !== undefined && filter !== '' ? parts.noneFiltered : noneIn(tab)}
              onOpen={openThread}
            />
            {parts !== undefined && !isSearch && tab !== 'others' && <parts.MoreOfTab tab={tab} filter={filter} />}
          </>
        )}
        {(isSearch || tab === 'others') && parts !== undefined && (
          <parts.FoundElsewhere
            chat={chat}
            text={isSearch ? wanted.trim() : ''}
            filter={isSearch ? '' : filter}
            message={toShow}
            onNamedOpened={() => setToShow('')}
            emptyText={!isSearch ? chatTexts.noneOf.others : threads.length > 0 ? null : chatTexts.noMatches}
          />
        )}
        {isSearch ? null : admins === null ? (
          <p className="px-4 py-2 text-sm text-ink-3">{chatTexts.loadingUsers}</p>
        ) : (
          <AdminList admins={admins} chat={chat} />
        )}
      </div>
      {isHelpOpen && parts !== undefined && <parts.DeskHelp onClose={closeHelp} />}
    </>
  )
}

function useListKeys(step: (way: 1 | -1) => void) {
  const searchRef = useRef<HTMLDivElement>(null)
  const [isHelpOpen, setIsHelpOpen] = useState(false)
  useShortcuts({
    j: () => step(1),
    k: () => step(-1),
    '/': (event) => {
      event.preventDefault()
      searchRef.current?.querySelector('input')?.focus()
    },
    '?': () => setIsHelpOpen(true),
  })
  return { searchRef, isHelpOpen, closeHelp: () => setIsHelpOpen(false) }
}

const noneIn = (tab: DeskTab) => (tab === 'mine' ? chatTexts.noConversations : chatTexts.noneOf[tab])
const ownOf = (chat: ChatState, folded: string): readonly Thread[] =>
  listThreads(chat)
    .filter((thread) => standingOf(thread, chat.selfId) === 'own')
    .filter(({ peer }) => foldForSearch(peer?.username ?? '').includes(folded))

type TabsProps = PropsWithChildren<Pick<SidebarProps, 'tab' | 'chat' | 'onTab' | 'isMoreWaiting'>>

function Tabs({ tab, chat, onTab, isMoreWaiting, children }: TabsProps) {
  const waiting = threadsOf(chat, 'waiting', serverNowMs()).length
  return (
    <div role="group" aria-label={chatTexts.deskTabs} className="flex flex-wrap gap-1.5 px-3 pb-2">
      {deskTabs.map((one) => (
        <button
          key={one}
          type="button"
          aria-pressed={tab === one}
          onClick={() => onTab(one)}
          className={pressedPillClass}
        >
          {one === 'waiting' && waiting > 0
            ? chatTexts.tabWithCount(chatTexts.tabs[one], formatCount(waiting) + (isMoreWaiting ? '+' : ''))
            : chatTexts.tabs[one]}
        </button>
      ))}
      {children}
    </div>
  )
}
