import { REPLY_DUE_MS } from '#domain/attention/attention.ts'
import type { ChatUser } from '#domain/chat/conversation.ts'
import { waitingSinceMs } from '#domain/chat/desk.ts'
import { standingOf, type Thread, unreadOf } from '#domain/chat/thread.ts'
import { listThreads } from '#domain/chat/timeline.ts'
import type { ChatState } from '#domain/chat/chat-state.ts'
import { chatTexts } from './chat-texts.ts'
import { formatCount, formatDay, formatMinute, formatWait } from '#web/platform/formats.ts'
import { serverNowMs } from '#web/platform/server-time.ts'
import { useTodayMs } from '#web/platform/ticker.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { CountBadge } from '#web/ui/badge.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { MessagesSquare } from '#web/ui/icons/messages-square.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { Avatar, PersonName, RowTags } from './person.tsx'
import { textOfLast } from './use-chat.ts'

/** Returns the unsent message that a row shows, if any. A failed one is shown until the thread has later activity. */
const shownPending = ({ pending, lastActivityAtMs }: Thread) =>
  pending.findLast(({ state, writtenAtMs }) => state === 'sending' || writtenAtMs > lastActivityAtMs)

function lastLine(thread: Thread, selfId: string): string {
  const pending = shownPending(thread)
  const newest = thread.messages.at(-1)
  const told = thread.conversation?.lastMessage ?? null
  const message = newest !== undefined && newest.seq >= (told?.seq ?? 0) ? newest : told
  const last = pending ?? message
  if (last === null) return chatTexts.noMessages
  const text = textOfLast(last)
  if (pending?.state === 'failed') return chatTexts.failedPrefix(text)
  if (standingOf(thread, selfId) === 'unheld') return chatTexts.unheldPrefix(text)
  return pending !== undefined || message?.sender.id === selfId ? chatTexts.ownPrefix(text) : text
}

function lastTime(thread: Thread, todayMs: number): string {
  const at = shownPending(thread)?.writtenAtMs ?? thread.lastActivityAtMs
  if (at === 0) return ''
  const day = formatDay(at, todayMs)
  return day === commonTexts.today ? formatMinute(at) : day
}

export type ThreadListProps = {
  readonly chat: ChatState
  /** The threads in the order to show. By default these are all threads, the latest first (spec §4.7). */
  readonly threads?: readonly Thread[]
  readonly emptyText?: string
  readonly onOpen: (key: string) => void
}

export function ThreadList({
  chat,
  threads = listThreads(chat),
  emptyText = chatTexts.noConversations,
  onOpen,
}: ThreadListProps) {
  if (threads.length === 0) return <EmptyState icon={MessagesSquare} text={emptyText} />
  return (
    <ul className="divide-y divide-line">
      {threads.map((thread) => (
        <li key={thread.key}>
          <ThreadRow thread={thread} chat={chat} onOpen={onOpen} />
        </li>
      ))}
    </ul>
  )
}

type ThreadRowProps = Pick<ThreadListProps, 'chat' | 'onOpen'> & { readonly thread: Thread }

function ThreadRow({ thread, chat, onOpen }: ThreadRowProps) {
  const todayMs = useTodayMs()
  const { peer, typing } = thread
  if (peer === null) return null
  const unread = unreadOf(thread, chat.selfId)
  const isOnline = chat.presence[peer.id]?.isOnline ?? false
  const typist = Object.values(typing)[0]
  const isOpen = chat.openKey === thread.key
  const sinceMs = waitingSinceMs(thread.conversation?.desk, serverNowMs())
  const waitedMs = sinceMs === null ? null : serverNowMs() - sinceMs
  return (
    <button
      type="button"
      aria-current={isOpen || undefined}
      onClick={() => onOpen(thread.key)}
      className={classNames(
        'flex min-h-16 w-full items-center gap-3 px-4 py-2.5 text-left transition-colors hover:bg-surface-press focus-visible:-outline-offset-2',
        isOpen && 'bg-gold-soft hover:bg-gold-soft',
      )}
    >
      <Avatar person={peer} isOnline={isOnline} />
      <span className="min-w-0 flex-1">
        <span className="flex items-center gap-2">
          <PersonName person={peer} className={unread > 0 ? 'flex-1 font-semibold' : 'flex-1 font-medium'} />
          <span className="shrink-0 text-xs text-ink-3 tabular-nums">{lastTime(thread, todayMs)}</span>
        </span>
        <span className="mt-0.5 flex items-center gap-2">
          {typist === undefined ? (
            <span className={classNames('min-w-0 flex-1 truncate text-sm', unread > 0 ? 'text-ink' : 'text-ink-2')}>
              {lastLine(thread, chat.selfId)}
            </span>
          ) : (
            <span className="min-w-0 flex-1 truncate text-sm text-up">{chatTexts.typing(typist)}</span>
          )}
          {waitedMs !== null && (
            <span
              className={classNames(
                'shrink-0 text-xs tabular-nums',
                waitedMs >= REPLY_DUE_MS ? 'font-semibold text-warn' : 'text-ink-3',
              )}
            >
              {chatTexts.waitsShort(formatWait(waitedMs))}
            </span>
          )}
          <CountBadge count={unread} label={chatTexts.unread(formatCount(unread))} />
        </span>
        <RowTags tags={thread.conversation?.desk?.tags} />
      </span>
    </button>
  )
}

export type AdminListProps = {
  readonly admins: readonly ChatUser[]
  readonly chat: ChatState
  /** Absent for staff, who may not write to other staff (spec §2.8). */
  readonly onChoose?: (admin: ChatUser) => void
}

export function AdminList({ admins, chat, onChoose }: AdminListProps) {
  const isOnline = (admin: ChatUser) => chat.presence[admin.id]?.isOnline ?? admin.isOnline
  const online = admins.filter(isOnline)
  const others = onChoose === undefined ? [] : admins.filter((admin) => !isOnline(admin))
  return (
    <>
      <section aria-labelledby="active-admins">
        <h2 id="active-admins" className="px-4 pt-4 pb-1 text-sm font-semibold">
          {chatTexts.activeAdmins}
        </h2>
        {online.length === 0 ? (
          <p className="px-4 py-3 text-sm text-ink-2">
            {onChoose === undefined
              ? chatTexts.noOtherAdmins
              : admins.length === 0
                ? chatTexts.noUsers
                : chatTexts.noAdmins}
          </p>
        ) : (
          <People people={online} isOnline onChoose={onChoose} />
        )}
      </section>
      {others.length > 0 && (
        <section aria-labelledby="other-admins">
          <h2 id="other-admins" className="px-4 pt-3 pb-1 text-sm font-semibold">
            {chatTexts.otherAdmins}
          </h2>
          <People people={others} isOnline={false} onChoose={onChoose} />
        </section>
      )}
    </>
  )
}

type PeopleProps = {
  readonly people: readonly ChatUser[]
  readonly isOnline: boolean
  readonly onChoose: ((person: ChatUser) => void) | undefined
}

function People({ people, isOnline, onChoose }: PeopleProps) {
  return (
    <ul>
      {people.map((person) => {
        const content = (
          <>
            <Avatar person={person} isOnline={isOnline} />
            <span className="min-w-0 flex-1">
              {onChoose !== undefined && <span className="sr-only">{chatTexts.chatWith('')}</span>}
              <PersonName person={person} className="font-medium" />
              <span className="block text-xs text-ink-3">{isOnline ? chatTexts.online : chatTexts.offline}</span>
            </span>
          </>
        )
        return (
          <li key={person.id}>
            {onChoose === undefined ? (
              <div className="flex min-h-14 items-center gap-3 px-4 py-2">{content}</div>
            ) : (
              <button
                type="button"
                onClick={() => onChoose(person)}
                className="flex min-h-14 w-full items-center gap-3 px-4 py-2 text-left transition-colors hover:bg-surface-press focus-visible:-outline-offset-2"
              >
                {content}
              </button>
            )}
          </li>
        )
      })}
    </ul>
  )
}
