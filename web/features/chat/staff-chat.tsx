import { PanelRight } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Me } from '#contract/identity.ts'
import { SEARCH_DEBOUNCE_MS } from '#contract/limits.ts'
import type { ChatUser } from '#domain/chat/conversation.ts'
import { type ChatState, isDraft, type Thread } from '#domain/chat/timeline.ts'
import { chatTexts } from './chat-texts.ts'
import { afterDrawing, useLazyPart } from '#web/platform/lazy-part.ts'
import { foldForSearch } from '#web/platform/search-text.ts'
import { moneyWarnings } from '#web/platform/money-warning-texts.ts'
import { useBackCloses } from '#web/ui/back-closes.ts'
import { Banner } from '#web/ui/banner.tsx'
import { IconButton } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { EmptyState } from '#web/ui/states.tsx'
import { TextInput } from '#web/ui/text-input.tsx'
import { ChatFrame, SoundButton } from './chat-frame.tsx'
import { LazyPane, preparePane } from './lazy-pane.tsx'
import { AdminList, ThreadList } from './thread-list.tsx'
import { type DrawCase, useChat, useChatSession } from './use-chat.ts'
import { useOpening } from './use-opening.ts'

const loadCustomer = afterDrawing(() => import('./customer-panel.tsx'))
const loadHandOver = afterDrawing(() => import('./hand-over.tsx'))
const loadFound = afterDrawing(() => import('./found-elsewhere.tsx'))

export type StaffChatProps = {
  readonly me: Me
  /** The conversation to open: an own one, or a colleague's to read and claim; '' without. */
  readonly toOpen: string
  readonly drawCase: DrawCase
}

/** Customer care for staff: the list on the left, the open conversation, the customer beside it (spec §2). */
export function StaffChat({ me, toOpen, drawCase }: StaffChatProps) {
  const { session, snapshot } = useChat(me)
  const { chat, users } = snapshot
  const open = chat.openKey === null ? undefined : chat.threads[chat.openKey]
  const [isCustomerShown, setIsCustomerShown] = useState(false)
  const { part: handOver } = useLazyPart(loadHandOver)
  const { part: customer } = useLazyPart(loadCustomer)
  // Back leads from an open conversation to the list, as the arrow on screen does.
  useBackCloses(chat.openKey !== null, session.closeThread)
  useEffect(preparePane, [])
  useOpening(session, chat, toOpen)
  const { part: found } = useLazyPart(loadFound)
  // Once: a conversation that was opened, closed or handed over does not come back by itself.
  const [opened, setOpened] = useState('')
  if (opened !== toOpen && chat.threads[toOpen] !== undefined) setOpened(toOpen)
  const isElsewhere = snapshot.hasConversations && opened !== toOpen
  return (
    <ChatFrame session={session} snapshot={snapshot} drawCase={drawCase}>
      {isElsewhere && found !== undefined && (
        <found.NamedConversation me={me} conversationId={toOpen} onClose={() => setOpened(toOpen)} />
      )}
      <div className="grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)] overflow-hidden rounded-m border border-line bg-surface max-md:rounded-none max-md:border-x-0 max-md:border-b-0 md:grid-cols-[20rem_minmax(0,1fr)]">
        <div
          className={classNames(
            'flex min-h-0 min-w-0 flex-col border-line md:flex md:border-r',
            open !== undefined && 'hidden',
          )}
        >
          <Sidebar me={me} chat={chat} admins={users} />
        </div>
        <div className={classNames('flex min-h-0 min-w-0', open === undefined && 'hidden md:flex')}>
          {open === undefined ? (
            <div className="flex flex-1 flex-col">
              <Banner tone="warn" className="rounded-none! py-1.5! text-xs!">
                {moneyWarnings.depositsAndChat}
              </Banner>
              <div className="grid flex-1 content-center">
                <EmptyState text={chatTexts.chooseConversation} />
              </div>
            </div>
          ) : (
            <>
              <div
                className={classNames(
                  'flex min-h-0 min-w-0 flex-1 flex-col bg-surface-2',
                  isCustomerShown && 'hidden lg:flex',
                )}
              >
                <LazyPane
                  thread={open}
                  self={me}
                  snapshot={snapshot}
                  actions={
                    isDraft(open) ? undefined : (
                      <>
                        {handOver !== undefined && (
                          <handOver.HandOver thread={open} me={me} admins={users ?? []} presence={chat.presence} />
                        )}
                        <IconButton
                          label={chatTexts.customer}
                          aria-pressed={isCustomerShown}
                          onClick={() => setIsCustomerShown(!isCustomerShown)}
                          className="text-ink-2"
                        >
                          <PanelRight aria-hidden size={20} strokeWidth={1.7} />
                        </IconButton>
                      </>
                    )
                  }
                />
              </div>
              {isCustomerShown && !isDraft(open) && customer !== undefined && (
                <customer.CustomerPanel
                  key={open.key}
                  conversationId={open.key}
                  onClose={() => setIsCustomerShown(false)}
                />
              )}
            </>
          )}
        </div>
      </div>
    </ChatFrame>
  )
}

type SidebarProps = {
  readonly me: Me
  readonly chat: ChatState
  /** Null while the admins are loading. */
  readonly admins: readonly ChatUser[] | null
}

function Sidebar({ me, chat, admins }: SidebarProps) {
  const { openThread } = useChatSession()
  const [wanted, setWanted] = useState('')
  const settled = useSettled(wanted.trim())
  const folded = foldForSearch(wanted)
  const { part: found } = useLazyPart(loadFound)
  const isWanted = (thread: Thread) => foldForSearch(thread.peer?.username ?? '').includes(folded)
  return (
    <>
      <div className="flex items-end gap-1 p-3 pr-1 pb-2">
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
      {/* A region that scrolls must be reachable by keyboard. */}
      <div
        role="region"
        aria-label={chatTexts.conversations}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- WCAG 2.1.1
        tabIndex={0}
        className="min-h-0 flex-1 overflow-y-auto focus-visible:-outline-offset-2"
      >
        <h2 className="px-4 pt-1 pb-1 text-sm font-semibold">{chatTexts.conversations}</h2>
        <ThreadList
          chat={chat}
          isWanted={isWanted}
          emptyText={folded === '' ? chatTexts.noConversations : chatTexts.noMatches}
          onOpen={openThread}
        />
        {found !== undefined && <found.FoundElsewhere me={me} chat={chat} text={settled} />}
        {admins === null ? (
          <p className="px-4 py-2 text-sm text-ink-3">{chatTexts.loadingUsers}</p>
        ) : (
          <AdminList admins={admins} chat={chat} />
        )}
      </div>
    </>
  )
}

/** The value after it has not changed for a while (spec §9). */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), SEARCH_DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
