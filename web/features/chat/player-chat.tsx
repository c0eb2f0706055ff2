import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import type { Me } from '#contract/identity.ts'
import { isDraft } from '#domain/chat/thread.ts'
import { listThreads } from '#domain/chat/timeline.ts'
import type { ChatState } from '#domain/chat/chat-state.ts'
import { chatTexts } from './chat-texts.ts'
import { moneyWarnings } from '#web/platform/money-warning-texts.ts'
import { afterDrawing, useLazyPart } from '#web/platform/lazy-part.ts'
import { Banner } from '#web/ui/banner.tsx'
import { ChevronDown } from '#web/ui/icons/chevron-down.tsx'
import { ChatFrame, SoundButton } from './chat-frame.tsx'
import { LazyPane, useOpening } from './lazy-pane.tsx'
import { AwayBanner, useReplyTime, usualWaitFor, UsualWait } from './usual-wait.tsx'
import { AdminList, ThreadList } from './thread-list.tsx'
import { type DrawCase, useChat } from './use-chat.ts'
import { deskOf } from './opening.ts'

const loadQuestion = afterDrawing(() => import('./case-question.tsx'))

export type PlayerChatProps = {
  readonly me: Me
  /** The text that "Hỏi CSKH" (ask customer care) on another screen puts into the message field, or ''. */
  readonly about: string
  /** Called when a message is sent from that field. The caller then removes `about` from the address. */
  readonly onAboutSent?: () => void
  readonly toOpen: string
  readonly drawCase: DrawCase
  /** Draws a field for a question. The field keeps the typed text while the player looks at a conversation. */
  readonly askFirst?: (field: {
    readonly text: string
    readonly onType: (text: string) => void
    readonly onAsk: (text: string) => void
  }) => ReactNode
  readonly notice?: ReactNode
}

const answered = (chat: ChatState) => listThreads(chat).find(({ conversation }) => conversation?.isActive === true)

/** Customer care for players: the list of conversations, or the open one (spec §2.8). */
export function PlayerChat({ me, about: pressed, onAboutSent, toOpen, drawCase, askFirst, notice }: PlayerChatProps) {
  const { session, snapshot } = useChat(me)
  const { chat, users } = snapshot
  // An effect calls `carryCase` after the render. Until then `pressed` is shown, so that the list does not move.
  const about = snapshot.carriedFrom === pressed ? snapshot.carried : pressed
  // The reply time is requested before the chat is drawn. If it came later, it would move the page.
  const replyTime = useReplyTime()
  const away = replyTime?.away
  const field = useQuestion({ session, snapshot }, pressed, onAboutSent)
  const open = useOpening(session, chat, toOpen)
  const { part: question } = useLazyPart(loadQuestion, open !== undefined && me.role === 'player')
  return (
    <ChatFrame session={session} snapshot={snapshot} drawCase={drawCase}>
      {open === undefined ? (
        <div className="min-h-0 flex-1 overflow-y-auto">
          <div className="flex items-center gap-2 pr-2 pl-4">
            <div className="min-w-0 flex-1 py-2">
              <h2 className="text-lg font-semibold">{chatTexts.title}</h2>
              <p className="truncate text-sm text-ink-2">{me.username}</p>
            </div>
            <SoundButton />
          </div>
          <AwayBanner away={away} className="mx-4 mb-2" />
          {askFirst?.(field)}
          <div className="px-4 pb-2">
            <UsualWait usualMs={away === undefined ? usualWaitFor(replyTime, field.text) : null} />
          </div>
          <Banner tone="warn" className="mx-4">
            {moneyWarnings.depositsAndChat}
          </Banner>
          {about !== '' && (
            <Banner tone="info" isLive className="mx-4 mt-2">
              {chatTexts.carriedCase}
              <q className="mt-1 block [overflow-wrap:anywhere]">{about}</q>
            </Banner>
          )}
          <h2 className="px-4 pt-4 pb-1 text-sm font-semibold">{chatTexts.conversations}</h2>
          <div className="border-y border-line bg-surface">
            <ThreadList chat={chat} onOpen={session.openThread} />
          </div>
          <details className="group" open={about !== ''}>
            <summary className="flex min-h-target cursor-pointer items-center gap-1 px-4 pt-2 text-sm font-medium text-gold">
              {chatTexts.chooseOther}
              <ChevronDown aria-hidden size={16} className="transition-transform group-open:rotate-180" />
            </summary>
            <AdminList admins={users ?? []} chat={chat} onChoose={session.openWith} />
          </details>
        </div>
      ) : (
        <LazyPane
          thread={open}
          self={me}
          snapshot={snapshot}
          notice={
            <>
              <AwayBanner away={away} isShort className="rounded-none! py-1.5! text-xs!" />
              {notice}
              {question !== undefined && !isDraft(open) && (
                <question.CaseQuestion key={open.key} thread={open} selfId={me.id} />
              )}
            </>
          }
        />
      )}
    </ChatFrame>
  )
}

/**
 * Carries `about` to the field of the thread that the player opens next. Returns the typed question, and a function
 * that opens a thread and sends the question there.
 */
function useQuestion(
  { session, snapshot }: ReturnType<typeof useChat>,
  about: string,
  onAboutSent: PlayerChatProps['onAboutSent'],
) {
  const { carried, chat, connection, hasConversations, isCaseSent } = snapshot
  const [typed, setTyped] = useState('')
  const noteSent = useEffectEvent(() => onAboutSent?.())
  useEffect(() => {
    if (isCaseSent) noteSent()
  }, [isCaseSent])
  useEffect(() => {
    session.carryCase(about)
    return () => session.carryCase('')
  }, [session, about])
  useEffect(() => {
    // If no conversation is active, the player has none to choose, so a thread with customer care opens.
    const now = session.snapshot()
    const isCarried = carried !== '' && now.carried !== ''
    if (isCarried && hasConversations && answered(now.chat) === undefined) session.openWith(deskOf(now.chat))
  }, [session, carried, hasConversations])
  const onAsk = (text: string) => {
    setTyped('')
    const latest = answered(chat)
    if (latest === undefined) session.openWith(deskOf(chat))
    else session.openThread(latest.key)
    const key = session.snapshot().chat.openKey ?? ''
    // A question that can't be sent (no connection, or too long) is added to the thread's field, below the text there.
    if (connection !== 'connected' || !session.sendText(key, text))
      session.keepTyped(key, [session.typedIn(key), text].filter(Boolean).join('\n'))
  }
  return { text: typed, onType: setTyped, onAsk }
}
