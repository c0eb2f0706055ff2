import { dayMinuteText } from '#web/platform/day-minute.ts'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { SEARCH_DEBOUNCE_MS } from '#contract/limits.ts'
import { type ChatMessage, type Conversation, isUnheld } from '#domain/chat/conversation.ts'
import { standingOf } from '#domain/chat/thread.ts'
import type { ChatState } from '#domain/chat/chat-state.ts'
import { chatTexts } from './chat-texts.ts'
import { failureText } from '#web/platform/http.ts'
import { useLazyPart } from '#web/platform/lazy-part.ts'
import { useAct } from '#web/ui/use-act.ts'
import { refresh } from '#web/platform/query-client.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Eye } from '#web/ui/icons/eye.tsx'
import { MoreRows } from '#web/ui/more-rows.tsx'
import { QueryFailure } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useSettled } from '#web/ui/use-settled.ts'
import { besideTexts } from './beside-texts.ts'
import { ConversationTags } from './conversation-tags.tsx'
import { Avatar, PersonName, RowTags } from './person.tsx'
import { queueTexts } from './queue-texts.ts'
import { useStaffTyping, useStaffViewing } from './staff-typing.tsx'
import {
  changeHolder,
  conversationKey,
  conversationQuery,
  everyConversationKey,
  everyConversationQuery,
} from './staff-api.ts'
import { useChatSession } from './use-chat.ts'
import { foundMessagesQuery } from '#web/parts/found-messages.ts'

const loadPeek = () => import('./peek-sheet.tsx')

export type FoundElsewhereProps = {
  readonly chat: ChatState
  /** The search text. If it is empty, the list shows conversations that the admin does not hold. */
  readonly text: string
  readonly filter: string
  /** The text to show if nothing is found, or null for none. */
  readonly emptyText: string | null
  readonly message: string
  readonly onNamedOpened: () => void
}

/** Lists found messages, and found conversations that the desk's list above does not contain. */
export function FoundElsewhere({ chat, text, filter, emptyText, ...named }: FoundElsewhereProps) {
  const settled = useSettled(text, SEARCH_DEBOUNCE_MS)
  const messagesQuery = useQuery(foundMessagesQuery(settled))
  const isName = /^[a-z0-9]*$/i.test(settled)
  const everyQuery = useInfiniteQuery({ ...everyConversationQuery(settled, filter), enabled: isName })
  const messages = messagesQuery.data
  const every = everyQuery.data?.pages.flatMap(({ rows }) => rows)
  const failed = [messagesQuery, everyQuery].find(({ isError, data }) => isError && data === undefined)
  const own: Conversation[] = []
  const others: Conversation[] = []
  for (const one of every ?? []) {
    const thread = chat.threads[one.id]
    // Own conversations that the session has loaded are in the list above or in another tab.
    if (one.participants[1].id !== chat.selfId) {
      if (thread === undefined || standingOf(thread, chat.selfId) !== 'own') others.push(one)
    } else if (thread === undefined && settled !== '') own.push(one)
  }
  const isAnswered =
    settled === text && (settled.length < 2 || messages !== undefined) && (!isName || every !== undefined)
  const isNothing =
    emptyText !== null && isAnswered && !everyQuery.hasNextPage && [...own, ...others, ...(messages ?? [])].length === 0
  const [lookedAt, setLookedAt] = useState<string | null>(null)
  const lookAway = () => setLookedAt(null)
  return (
    <>
      <p role="status" className={classNames('px-4 text-sm text-ink-2', isNothing && 'py-6 text-center')}>
        {isNothing && (filter === '' ? emptyText : besideTexts.noneFiltered)}
      </p>
      {failed !== undefined && <QueryFailure query={failed} />}
      {own.length > 0 && <Conversations title={besideTexts.ownOlder} chat={chat} listed={own} onLook={setLookedAt} />}
      {messages !== undefined && messages.length > 0 && (
        <FoundMessages key={settled} chat={chat} messages={messages} {...named} />
      )}
      {others.length > 0 && (
        <Conversations title={besideTexts.othersConversations} chat={chat} listed={others} onLook={setLookedAt} />
      )}
      <MoreRows key={`${settled} ${filter}`} query={everyQuery} label={besideTexts.more} />
      {lookedAt !== null && (
        <NamedConversation key={lookedAt} conversationId={lookedAt} onClose={lookAway} onFailed={lookAway} />
      )}
    </>
  )
}

type FoundMessagesProps = Omit<FoundElsewhereProps, 'text' | 'filter' | 'emptyText'> & {
  readonly messages: readonly ChatMessage[]
}

/** Lists found messages. If a message is pressed or named in the address, its conversation opens at this message. */
function FoundMessages({ chat, messages, message: namedId, onNamedOpened }: FoundMessagesProps) {
  const { openAt } = useChatSession()
  const [named, setNamed] = useState<ChatMessage | null>(null)
  const open = (message: ChatMessage) =>
    chat.threads[message.conversationId] === undefined ? setNamed(message) : openAt(message.conversationId, message.seq)
  const sought = named ?? messages.find(({ id }) => id === namedId)
  const close = () => {
    setNamed(null)
    if (sought !== named) onNamedOpened()
  }
  return (
    <section aria-labelledby="found-messages">
      <h2 id="found-messages" className="px-4 pt-4 pb-1 text-sm font-semibold">
        {besideTexts.foundMessages}
      </h2>
      <ul className="divide-y divide-line">
        {messages.map((message) => (
          <li key={message.id}>
            <button
              type="button"
              onClick={() => open(message)}
              className="w-full px-4 py-2 text-left hover:bg-surface-press focus-visible:-outline-offset-2"
            >
              <span className="flex justify-between gap-2 text-xs text-ink-3">
                <bdi className="truncate">{message.sender.username}</bdi>
                <span className="shrink-0 tabular-nums">{dayMinuteText(message.sentAtMs)}</span>
              </span>
              <span className="line-clamp-2 text-sm">{message.content}</span>
            </button>
          </li>
        ))}
      </ul>
      {sought !== undefined && (
        <NamedConversation
          key={sought.id}
          conversationId={sought.conversationId}
          soughtSeq={sought.seq}
          onClose={close}
          onFailed={close}
        />
      )}
    </section>
  )
}

type ConversationsProps = Pick<FoundElsewhereProps, 'chat'> & {
  readonly title: string
  readonly listed: readonly Conversation[]
  readonly onLook: (conversationId: string) => void
}

function Conversations({ title, chat, listed, onLook }: ConversationsProps) {
  return (
    <section aria-label={title}>
      <h2 className="px-4 pt-4 pb-1 text-sm font-semibold">{title}</h2>
      <ul className="divide-y divide-line">
        {listed.map((conversation) => (
          // If the buttons do not fit beside the name, they wrap to the next line.
          <li key={conversation.id} className="flex flex-wrap items-center justify-end gap-x-1 px-4 py-2">
            <span className="flex min-w-0 flex-1 basis-32 items-center gap-3">
              <Avatar
                person={conversation.participants[0]}
                isOnline={
                  chat.presence[conversation.participants[0].id]?.isOnline ?? conversation.participants[0].isOnline
                }
              />
              <span className="min-w-0">
                <PersonName person={conversation.participants[0]} className="font-medium" />
                <Answering conversation={conversation} />
                <RowTags tags={conversation.desk?.tags} />
              </span>
            </span>
            <IconButton
              label={besideTexts.peek(conversation.participants[0].username)}
              onClick={() => onLook(conversation.id)}
              className="text-ink-2"
            >
              <Eye aria-hidden size={20} strokeWidth={1.7} />
            </IconButton>
            {conversation.participants[1].id !== chat.selfId && <ClaimButton conversation={conversation} isShort />}
          </li>
        ))}
      </ul>
    </section>
  )
}

function Answering({ conversation }: { readonly conversation: Conversation }) {
  const typist = useStaffTyping(conversation.id)
  return (
    <span
      className={classNames(
        'block [overflow-wrap:anywhere] text-xs',
        typist === undefined ? 'text-ink-3' : 'font-medium text-up',
      )}
    >
      {typist !== undefined
        ? besideTexts.answersNow(typist)
        : isUnheld(conversation)
          ? queueTexts.unheld
          : besideTexts.answering(conversation.participants[1].username)}
    </span>
  )
}

const AnsweringNow = ({ conversationId }: { readonly conversationId: string }) => {
  const typist = useStaffTyping(conversationId)
  const viewers = useStaffViewing(conversationId)
  return (
    <p role="status" className="min-w-0 flex-1 self-center [overflow-wrap:anywhere] text-sm text-ink-3">
      {typist !== undefined ? (
        <span className="font-medium text-up">{besideTexts.answersNow(typist)}</span>
      ) : (
        viewers !== undefined && besideTexts.viewsToo(viewers)
      )}
    </p>
  )
}

export type NamedConversationProps = {
  readonly conversationId: string
  readonly soughtSeq?: number
  /** Called when the sheet is closed or the conversation has been opened. */
  readonly onClose: () => void
  /** Called when the conversation could not be read, so that a second press asks again. */
  readonly onFailed?: () => void
}

/** Opens the conversation if this admin or nobody holds it. Otherwise shows it in a sheet, to be read and claimed. */
export function NamedConversation({ conversationId, soughtSeq, onClose, onFailed }: NamedConversationProps) {
  const { self, openAt, openThread, receiveConversations, showProblem } = useChatSession()
  const { data, error } = useQuery(conversationQuery(conversationId))
  // In a conversation into which the named one was merged, the sought message has another number.
  const sought = data?.id === conversationId ? soughtSeq : undefined
  // An unclaimed conversation counts as the admin's own, because reading it needs no record in the audit log.
  const isOwn = data !== undefined && (isUnheld(data) || data.participants.some(({ id }) => id === self.id))
  const { part, hasFailed } = useLazyPart(loadPeek, data !== undefined && !isOwn)
  const failure =
    error === null ? hasFailed && chatTexts.messagesLoadFailed : failureText(error, chatTexts.messagesLoadFailed)
  useEffect(() => {
    if (failure !== false) showProblem(failure)
  }, [failure, showProblem])
  const isUnread = error !== null && data === undefined
  useEffect(() => {
    if (isUnread) onFailed?.()
  }, [isUnread, onFailed])
  useEffect(() => {
    if (data === undefined || !isOwn) return
    receiveConversations([data])
    if (sought === undefined) openThread(data.id)
    else openAt(data.id, sought)
    onClose()
  }, [data, isOwn, sought, openAt, openThread, receiveConversations, onClose])
  return data === undefined || isOwn || part === undefined ? null : (
    <part.PeekSheet
      conversation={data}
      soughtSeq={sought ?? null}
      footer={
        <>
          <ConversationTags conversation={data} />
          <AnsweringNow conversationId={data.id} />
          <ClaimButton conversation={data} onDone={onClose} />
        </>
      }
      onClose={onClose}
    />
  )
}

type ClaimButtonProps = {
  readonly conversation: Conversation
  readonly isShort?: boolean
  readonly onDone?: () => void
}

/** Claims a conversation. A failure is shown beside the button, since an open sheet would cover the usual alert. */
function ClaimButton({ conversation, isShort = false, onDone }: ClaimButtonProps) {
  const { self, openThread, snapshot, takeConversation } = useChatSession()
  const { start, isBusy, failure } = useAct({
    failText: besideTexts.moveFailed,
    run: async () => {
      const { openKey } = snapshot().chat
      const claimed = await changeHolder(conversation.id, conversation.participants[1].id, self.id)
      takeConversation(claimed)
      // If the admin has opened another conversation meanwhile, that one stays open.
      if (snapshot().chat.openKey === openKey) openThread(claimed.id)
      toast.success(besideTexts.claimed)
      onDone?.()
    },
    onSettled: () => void refresh(everyConversationKey, conversationKey),
  })
  return (
    <>
      <Button
        {...(isShort && { size: 'sm', variant: 'outline' })}
        aria-label={`${besideTexts.claim}: ${conversation.participants[0].username}`}
        isBusy={isBusy}
        onClick={() => start()}
      >
        {isShort ? besideTexts.claimShort : besideTexts.claim}
      </Button>
      {failure !== undefined && (
        <p
          role="alert"
          className={classNames(
            'basis-full rounded-s bg-down-soft px-3 py-2 text-sm font-medium text-down',
            !isShort && 'order-first',
          )}
        >
          {failure}
        </p>
      )}
    </>
  )
}
