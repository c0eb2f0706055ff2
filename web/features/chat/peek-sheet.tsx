import { dayMinuteText } from '#web/platform/day-minute.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Fragment, type ReactNode, useState } from 'react'
import type { ChatMessage, Conversation } from '#domain/chat/conversation.ts'
import { changedTexts } from './changed-texts.ts'
import { besideTexts } from './beside-texts.ts'
import { chatTexts } from './chat-texts.ts'
import { failureText } from '#web/platform/http.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { Button } from '#web/ui/button.tsx'
import { Sheet } from '#web/ui/dialog.tsx'
import { FormFailure } from '#web/ui/form-failure.tsx'
import { Pending } from '#web/ui/pending.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { FileCard } from './file-card.tsx'
import { imageFrame, useImageSource } from './image-source.ts'
import { LinkedText } from './linked-text.tsx'
import { NoteField, NotesBetween, type NotesBetweenProps, useNotes } from './notes.tsx'
import { notesTexts } from './notes-texts.ts'
import { PersonName } from './person.tsx'
import { othersMessagesQuery } from './staff-api.ts'
import { TranscriptButton } from './transcript-button.tsx'
import { useChatSession } from './use-chat.ts'

export type PeekSheetProps = {
  readonly conversation: Conversation
  /** The seq of the message that a search found, or null to show the newest messages. */
  readonly soughtSeq: number | null
  readonly footer: ReactNode
  readonly onClose: () => void
}

/** Shows a colleague's conversation, to be read and claimed (rules §7.1). Reading here marks no message as read. */
export function PeekSheet({ conversation, soughtSeq, footer, onClose }: PeekSheetProps) {
  const [player, holder] = conversation.participants
  const query = useInfiniteQuery(othersMessagesQuery(conversation, soughtSeq))
  const { id } = conversation
  const messages = (query.data?.pages ?? []).toReversed().flatMap((page) => page.messages)
  useNotes(id, query.hasNextPage ? (messages[0]?.sentAtMs ?? null) : null)
  return (
    <Sheet
      onClose={onClose}
      title={player.username}
      footer={footer}
      description={`${besideTexts.answering(holder.username)}. ${besideTexts.peekAudited}`}
    >
      {query.isPending || (messages.length === 0 && query.isError) ? (
        <Pending
          query={query}
          fallback={chatTexts.messagesLoadFailed}
          className="flex flex-col gap-3"
          shapes={['h-10', 'h-10']}
        />
      ) : messages.length === 0 ? (
        <>
          <EmptyState text={chatTexts.noMessages} />
          <NotesBetween conversationId={id} fromMs={null} untilMs={null} />
        </>
      ) : (
        // The region is focusable, so that a keyboard can scroll it even if the messages have no link and no button.
        <div
          role="region"
          aria-label={chatTexts.messageList}
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- WCAG 2.1.1
          tabIndex={0}
          className="flex flex-col gap-3 focus-visible:-outline-offset-2"
        >
          {query.hasNextPage && (
            <MoreButton isBusy={query.isFetchingNextPage} onPress={() => void query.fetchNextPage()}>
              {chatTexts.loadOlder}
            </MoreButton>
          )}
          <ul className="flex flex-col gap-3">
            {!query.hasNextPage && (
              <Between conversationId={id} fromMs={null} untilMs={messages[0]?.sentAtMs ?? null} />
            )}
            {messages.map((message, at) => (
              <Fragment key={message.id}>
                <Message message={message} isSought={message.seq === soughtSeq} />
                {(at < messages.length - 1 || !query.hasPreviousPage) && (
                  <Between conversationId={id} fromMs={message.sentAtMs} untilMs={messages[at + 1]?.sentAtMs ?? null} />
                )}
              </Fragment>
            ))}
          </ul>
          {query.hasPreviousPage && (
            <MoreButton isBusy={query.isFetchingPreviousPage} onPress={() => void query.fetchPreviousPage()}>
              {besideTexts.loadNewer}
            </MoreButton>
          )}
          <FormFailure message={query.isError ? failureText(query.error, chatTexts.olderLoadFailed) : undefined} />
        </div>
      )}
      <TranscriptButton conversationId={id} />
      <NewNote conversation={conversation} />
    </Sheet>
  )
}

function NewNote({ conversation }: Pick<PeekSheetProps, 'conversation'>) {
  const [isNoting, setIsNoting] = useState(false)
  const users = useChatSession().snapshot().users ?? []
  return isNoting ? (
    <NoteField conversation={conversation} colleagues={users} onLeave={() => setIsNoting(false)} />
  ) : (
    <Button size="sm" variant="outline" className="self-start" onClick={() => setIsNoting(true)}>
      {notesTexts.write}
    </Button>
  )
}

const Between = (between: NotesBetweenProps) => (
  <li className="-mx-4 empty:hidden">
    <NotesBetween {...between} />
  </li>
)

type MoreButtonProps = { readonly isBusy: boolean; readonly onPress: () => void; readonly children: string }

const MoreButton = ({ isBusy, onPress, children }: MoreButtonProps) => (
  <Button size="sm" variant="outline" isBusy={isBusy} onClick={onPress} className="self-center">
    {children}
  </Button>
)

const Message = ({ message, isSought }: { readonly message: ChatMessage; readonly isSought: boolean }) => (
  <li
    {...(isSought && { ref: intoView, 'aria-current': true })}
    className="-mx-2 rounded-m px-2 text-sm aria-[current]:bg-warn-soft aria-[current]:py-1"
  >
    <span className="flex items-center justify-between gap-2 text-xs text-ink-3">
      <PersonName person={message.sender} />
      <span className="shrink-0 tabular-nums">{dayMinuteText(message.sentAtMs)}</span>
    </span>
    {message.kind === 'image' ? (
      <PeekImage message={message} />
    ) : message.file !== undefined ? (
      // The file is fetched only on a press, since the audit log records each read of a colleague's file (rules §7.7).
      <FileCard file={message.file} className="mt-1" />
    ) : (
      <span dir="auto" className="mt-0.5 block break-words whitespace-pre-wrap">
        <LinkedText text={message.content || changedTexts.retracted} />
        {message.editedAtMs !== undefined && <small className="ml-2 text-xs text-ink-3">{changedTexts.edited}</small>}
      </span>
    )}
  </li>
)

const intoView = (message: HTMLLIElement | null) => message?.scrollIntoView({ block: 'center' })

/** Loads an image only on a press, since the audit log records each read of a colleague's image (rules §7.7). */
function PeekImage({ message }: { readonly message: ChatMessage }) {
  const [isAskedFor, setIsAskedFor] = useState(false)
  if (isAskedFor) return <OpenedImage message={message} />
  return (
    <Button size="sm" variant="outline" className="mt-1" onClick={() => setIsAskedFor(true)}>
      {chatTexts.openImage(message.sender.username)}
    </Button>
  )
}

function OpenedImage({ message: { content, image, sender } }: { readonly message: ChatMessage }) {
  const { source, isBroken } = useImageSource(content, undefined)
  return (
    <span
      style={imageFrame(image)}
      className="mt-1 grid max-w-full place-items-center overflow-hidden rounded-m border border-line bg-surface-2"
    >
      {source === null ? (
        <span role="status" className="text-xs text-ink-3">
          {isBroken ? chatTexts.imageBroken : commonTexts.loading}
        </span>
      ) : (
        <img src={source} alt={chatTexts.imageFrom(sender.username)} className="size-full object-contain" />
      )}
    </span>
  )
}
