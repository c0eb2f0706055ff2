import { type ReactNode, useEffect, useState } from 'react'
import type { Me } from '#contract/identity.ts'
import { listThreads } from '#domain/chat/timeline.ts'
import { chatTexts } from './chat-texts.ts'
import { moneyWarnings } from '#web/platform/money-warning-texts.ts'
import { Banner } from '#web/ui/banner.tsx'
import { ChatFrame, SoundButton } from './chat-frame.tsx'
import { LazyPane } from './lazy-pane.tsx'
import { UsualWait } from './usual-wait.tsx'
import { AdminList, ThreadList } from './thread-list.tsx'
import { type DrawCase, useChat } from './use-chat.ts'
import { useOpening } from './use-opening.ts'

export type PlayerChatProps = {
  readonly me: Me
  /** What "Hỏi CSKH" was pressed about; '' without. */
  readonly about: string
  /** The conversation to open, where a dispute stands; '' without. */
  readonly toOpen: string
  readonly drawCase: DrawCase
  /** A field for what the player needs, which asks by the function it gets. */
  readonly askFirst?: (onAsk: (text: string) => void) => ReactNode
  /** Above the messages of an open conversation. */
  readonly notice?: ReactNode
}

/** Customer care for players: the list, or the open conversation (spec §2). */
export function PlayerChat({ me, about: pressed, toOpen, drawCase, askFirst, notice }: PlayerChatProps) {
  const { session, snapshot } = useChat(me)
  const { chat, users } = snapshot
  const [asked, setAsked] = useState('')
  const about = asked || pressed
  useEffect(() => session.carryCase(pressed), [session, pressed])
  const ask = (text: string) => {
    setAsked(text)
    session.carryCase(text)
    // With nobody who answers yet, the player chooses whom to ask.
    const latest = listThreads(chat).find(({ conversation }) => conversation?.isActive === true)
    if (latest !== undefined) session.openThread(latest.key)
  }
  const open = useOpening(session, chat, toOpen)
  return (
    <ChatFrame session={session} snapshot={snapshot} drawCase={drawCase}>
      {open === undefined ? (
        <div className="min-h-0 flex-1 overflow-y-auto">
          <div className="flex items-center gap-2 pr-2 pl-4">
            <div className="min-w-0 flex-1 py-2">
              <h2 className="text-lg font-semibold">{chatTexts.title}</h2>
              <p className="truncate text-sm text-ink-2">{me.username}</p>
              <UsualWait />
            </div>
            <SoundButton />
          </div>
          {askFirst?.(ask)}
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
          <AdminList admins={users ?? []} chat={chat} onChoose={session.openWith} />
        </div>
      ) : (
        <LazyPane thread={open} self={me} snapshot={snapshot} notice={notice} />
      )}
    </ChatFrame>
  )
}
