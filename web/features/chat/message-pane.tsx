import { type ReactNode, useRef, useState } from 'react'
import { CARE_DESK, type ChatPerson } from '#domain/chat/conversation.ts'
import { isDraft, standingOf, type Thread } from '#domain/chat/thread.ts'
import { chatTexts } from './chat-texts.ts'
import { formatAge } from '#web/platform/formats.ts'
import { afterDrawing, useLazyPart } from '#web/platform/lazy-part.ts'
import { serverNowMs } from '#web/platform/server-time.ts'
import { moneyWarnings } from '#web/platform/money-warning-texts.ts'
import { Banner } from '#web/ui/banner.tsx'
import { IconButton } from '#web/ui/button.tsx'
import { CustomerLink } from '#web/parts/customer-link.tsx'
import { ArrowLeft } from '#web/ui/icons/arrow-left.tsx'
import { Trash2 } from '#web/ui/icons/trash-2.tsx'
import type { ChatSnapshot } from './chat-store.ts'
import { Composer, type ComposerProps } from './composer.tsx'
import { MessageList, type MessageListProps } from './message-list.tsx'
import { Avatar, PersonName } from './person.tsx'
import { ProblemAlert } from './problem-alert.tsx'
import type { ShownMessage } from './rows.ts'
import { useChatSession } from './use-chat.ts'

const loadParts = () => import('./pane-parts.tsx')
const loadActs = afterDrawing(() => import('./message-acts.tsx'))

export type MessagePaneProps = {
  readonly thread: Thread
  readonly self: ChatPerson
  readonly snapshot: ChatSnapshot
  readonly actions?: ReactNode
  readonly notice?: ReactNode
  readonly drawBetween?: MessageListProps['drawBetween']
  readonly mode?: ReactNode
  readonly isNoting?: boolean
}

/** Shows an open conversation (spec §2.8). `Pane` keeps its state when a draft thread becomes a conversation. */
export function MessagePane(props: MessagePaneProps) {
  const { thread, snapshot } = props
  const { threads } = snapshot.chat
  const [shown, setShown] = useState({ key: thread.key, pane: 0 })
  if (shown.key !== thread.key) {
    const isAdopted = shown.key.startsWith('new_') && threads[shown.key] === undefined
    setShown({ key: thread.key, pane: isAdopted ? shown.pane : shown.pane + 1 })
  }
  return <Pane key={shown.pane} {...props} />
}

function Pane({ thread, self, snapshot, actions, notice, drawBetween, mode, isNoting = false }: MessagePaneProps) {
  const { attach, dismissProblem } = useChatSession()
  const [opened, setOpened] = useState<ShownMessage | null>(null)
  const { part: parts } = useLazyPart(loadParts)
  const { part: acts } = useLazyPart(loadActs)
  const typist = Object.values(thread.typing)[0]
  const isConnected = snapshot.connection === 'connected'
  const isStaff = self.role === 'admin'
  const isGone = !isStaff && (snapshot.unanswered === thread.key || thread.conversation?.isActive === false)
  const isClosed = isGone || standingOf(thread, self.id) === 'taken'
  const section = useRef<HTMLElement>(null)

  return (
    <section
      ref={section}
      aria-label={thread.peer?.username ?? chatTexts.draft}
      className="@container relative flex min-h-0 min-w-0 flex-1 flex-col"
    >
      <PaneHeader thread={thread} self={self} snapshot={snapshot} actions={actions} parts={parts} />
      <Banner tone="warn" className="rounded-none! py-1.5! text-xs!">
        {moneyWarnings.depositsAndChat}
      </Banner>
      {notice}
      <MessageList
        key={thread.key}
        thread={thread}
        self={self}
        snapshot={snapshot}
        acts={acts}
        onOpenImage={setOpened}
        drawBetween={drawBetween}
      />
      {/* Always rendered, so that the list does not jump when the other person begins to type. */}
      <p role="status" className="min-h-6 px-4 pb-1 text-xs text-up">
        {typist !== undefined && chatTexts.typing(typist)}
      </p>
      {isGone && parts !== undefined && <parts.HolderGone thread={thread} snapshot={snapshot} />}
      <div className="relative shrink-0">
        <ProblemAlert
          problem={snapshot.alert}
          onDismiss={dismissProblem}
          className="absolute right-4 bottom-full mb-2"
        />
        {mode}
        {!isNoting && (
          <Field thread={thread} snapshot={snapshot} isStaff={isStaff} isClosed={isClosed} acts={acts} parts={parts} />
        )}
      </div>
      {parts !== undefined && (
        <parts.DropZone
          pane={section}
          onFile={(file) => {
            if (isConnected && !isClosed && !isNoting) void attach(thread.key, file)
          }}
        />
      )}
      {parts !== undefined && opened !== null && (
        <parts.Lightbox message={opened} uploads={snapshot.uploads} onClose={() => setOpened(null)} />
      )}
    </section>
  )
}

type FieldProps = Pick<ComposerProps, 'thread' | 'isStaff' | 'isClosed' | 'parts'> &
  Pick<MessagePaneProps, 'snapshot'> &
  Pick<MessageListProps, 'acts'>

function Field({ thread, snapshot, isStaff, isClosed, acts, parts }: FieldProps) {
  const { picked } = snapshot
  const edited = picked?.is === 'edit' ? picked : null
  return (
    <>
      {acts !== undefined && picked !== null && <acts.PickedMessage picked={picked} />}
      <Composer
        key={edited?.id}
        thread={thread}
        isConnected={snapshot.connection === 'connected'}
        isClosed={isClosed}
        isStaff={isStaff}
        file={edited === null ? (snapshot.attached[thread.key] ?? null) : null}
        edited={edited?.content ?? null}
        parts={parts}
      />
    </>
  )
}

type PaneHeaderProps = Pick<MessagePaneProps, 'thread' | 'self' | 'snapshot' | 'actions'> & Pick<ComposerProps, 'parts'>

function PaneHeader({ thread, self, snapshot, actions, parts }: PaneHeaderProps) {
  const { closeThread } = useChatSession()
  const [isAsking, setIsAsking] = useState(false)
  const { peer } = thread
  const presence = peer === null ? undefined : snapshot.chat.presence[peer.id]
  const isOnline = presence?.isOnline ?? false
  const lastSeenAtMs = presence?.lastSeenAtMs ?? null
  return (
    <header className="flex min-h-14 items-center border-b border-line bg-surface px-1 @min-[24rem]:gap-2 @min-[24rem]:px-2">
      <IconButton label={chatTexts.back} onClick={closeThread}>
        <ArrowLeft aria-hidden size={22} strokeWidth={1.8} />
      </IconButton>
      {peer !== null && (
        <span className="hidden @min-[24rem]:block">
          <Avatar person={peer} isOnline={isOnline} />
        </span>
      )}
      <div className="min-w-0 flex-1">
        <h2 className="flex text-base font-semibold">
          {peer === null ? (
            chatTexts.draft
          ) : peer.role === 'player' ? (
            // Only staff have a player on the other side.
            <CustomerLink id={peer.id} name={peer.username} />
          ) : (
            <PersonName person={peer} />
          )}
        </h2>
        <p className="truncate text-xs text-ink-3">
          {isOnline
            ? chatTexts.online
            : peer?.id === CARE_DESK.id
              ? chatTexts.title
              : lastSeenAtMs === null
                ? chatTexts.offline
                : chatTexts.lastSeen(formatAge(Math.max(10_000, serverNowMs() - lastSeenAtMs)))}
        </p>
      </div>
      {actions}
      {!isDraft(thread) && standingOf(thread, self.id) === 'own' && (
        <IconButton label={chatTexts.deleteTitle} onClick={() => setIsAsking(true)} className="text-ink-2">
          <Trash2 aria-hidden size={20} strokeWidth={1.7} />
        </IconButton>
      )}
      {parts !== undefined && isAsking && <parts.DeleteDialog thread={thread} onClose={() => setIsAsking(false)} />}
    </header>
  )
}
