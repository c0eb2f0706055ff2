import { memo, use, useState } from 'react'
import { changedTexts } from './changed-texts.ts'
import { chatTexts } from './chat-texts.ts'
import { formatMinute } from '#web/platform/formats.ts'
import { useLazyPart } from '#web/platform/lazy-part.ts'
import { classNames } from '#web/ui/class-names.ts'
import { ImageOff } from '#web/ui/icons/image-off.tsx'
import { TriangleAlert } from '#web/ui/icons/triangle-alert.tsx'
import { careTopicsOf } from './care-words.ts'
import type { Upload } from './chat-store.ts'
import { imageFrame, useImageSource } from './image-source.ts'
import { StaffBadge } from './person.tsx'
import type { Row, ShownMessage } from './rows.ts'
import { type DrawCase, DrawCaseContext } from './use-chat.ts'

const loadPlaceholder = () => import('./image-placeholder.ts')
const loadCard = () => import('./file-card.tsx')
const loadLinks = () => import('./linked-text.tsx')

export type MessageRowProps = Omit<Row, 'key'> & {
  readonly isSought: boolean
  readonly upload: Upload | undefined
  readonly acts: typeof import('./message-acts.tsx') | undefined
  readonly onOpenImage: (message: ShownMessage) => void
  readonly onSendAgain: (failedId: string) => void
  readonly onGo: (seq: number) => void
}

export const MessageRow = memo(function MessageRow(props: MessageRowProps) {
  const { message, divider, startsUnread, isFirst, isLast, isSought, upload, acts } = props
  const { onOpenImage, onSendAgain, onGo } = props
  const { isOwn, sender, delivery, quoted, file, disputeId } = message
  const { part: card } = useLazyPart(loadCard, file !== null || upload !== undefined)
  return (
    <div className={classNames('px-4', isFirst ? 'pt-3' : 'pt-1')}>
      {divider !== null && (
        <p className="mb-3 text-center text-xs text-ink-3 tabular-nums">
          <span className="rounded-pill bg-surface-2 px-3 py-1">{divider}</span>
        </p>
      )}
      {startsUnread && (
        <p className="mb-3 flex items-center gap-3 text-xs font-medium text-gold before:h-px before:flex-1 before:bg-line-strong after:h-px after:flex-1 after:bg-line-strong">
          {chatTexts.unreadLine}
        </p>
      )}
      <article
        aria-label={isOwn ? chatTexts.you : sender.username}
        aria-current={isSought || undefined}
        className={classNames(
          'group flex flex-col',
          isOwn ? 'items-end' : 'items-start',
          isSought && '-mx-2 rounded-m bg-warn-soft px-2 py-1',
        )}
      >
        {isFirst && !isOwn && (
          <span className="mb-1 flex items-center gap-1.5 text-xs text-ink-2">
            <bdi>{sender.username}</bdi>
            {sender.role === 'admin' && <StaffBadge />}
          </span>
        )}
        {quoted !== null && (
          <div className="mb-1 h-11 max-w-[82%] min-w-40">
            {acts !== undefined && <acts.QuotedMessage quoted={quoted} onGo={() => onGo(quoted.seq)} />}
          </div>
        )}
        <div className={classNames('flex w-full items-center gap-1', isOwn && 'flex-row-reverse')}>
          {message.kind === 'image' ? (
            <ImageBody message={message} upload={upload} card={card} onOpen={() => onOpenImage(message)} />
          ) : file !== null && card !== undefined ? (
            <card.FileCard
              file={file}
              upload={delivery === 'sending' ? upload : undefined}
              className={delivery === 'failed' ? 'border-down' : undefined}
            />
          ) : (
            <TextBody message={message} />
          )}
          {acts !== undefined && <acts.MessageMenu message={message} />}
        </div>
        <CareWarnings message={message} />
        {disputeId !== null && <Case disputeId={disputeId} senderId={sender.id} />}
        {(isLast || delivery === 'sending' || delivery === 'failed') && (
          <span className="mt-1 flex flex-wrap items-center gap-x-2 text-xs text-ink-3 tabular-nums">
            <time dateTime={new Date(message.sentAtMs).toISOString()}>{formatMinute(message.sentAtMs)}</time>
            {delivery !== 'received' && delivery !== 'failed' && (
              <span className={delivery === 'seen' ? 'text-up' : undefined}>{chatTexts[delivery]}</span>
            )}
          </span>
        )}
        {delivery === 'failed' && acts !== undefined && <acts.Failed message={message} onSendAgain={onSendAgain} />}
      </article>
    </div>
  )
})

/** Draws the facts of a dispute, which come from the server: a message's text could claim anything (rules §9.1). */
function Case(of: Parameters<DrawCase>[0]) {
  return use(DrawCaseContext)(of)
}

function TextBody({ message: { isOwn, isRetracted, isEdited, delivery, file, content } }: Pick<Row, 'message'>) {
  const { part: links } = useLazyPart(loadLinks, content.includes('://'))
  return (
    <p
      dir="auto"
      className={classNames(
        'max-w-[min(82%,36rem)] rounded-m px-3 py-2 text-sm break-words whitespace-pre-wrap',
        isOwn ? 'bg-gold-soft text-ink' : 'border border-line bg-surface text-ink',
        isRetracted && 'italic',
        delivery === 'failed' && 'border border-down',
        // The text is about as high as the file's card, so that little moves when the card replaces it.
        file !== null && 'min-h-16',
      )}
    >
      {/* The span lets React remove the text even if the browser's translation has replaced the text node. */}
      {links === undefined ? <span>{content}</span> : <links.LinkedText text={content} />}
      {isEdited && <small className="ml-2 text-xs text-ink-2">{changedTexts.edited}</small>}
    </p>
  )
}

/** Warns both sides below a message that names a transfer, a bank account, a password or a code (rules §7.9). */
function CareWarnings({ message }: { readonly message: ShownMessage }) {
  if (message.kind !== 'text' || message.file !== null) return null
  const topics = careTopicsOf(message.content)
  if (topics.length === 0) return null
  return (
    <div
      role="note"
      aria-label={chatTexts.warningTitle}
      className="mt-1 flex max-w-[min(82%,36rem)] items-start gap-2 rounded-s bg-warn-soft px-2.5 py-1.5 text-xs font-medium text-warn"
    >
      <TriangleAlert aria-hidden size={14} className="mt-px shrink-0" />
      <span>{topics.map((topic) => chatTexts.warnings[topic]).join(' ')}</span>
    </div>
  )
}

type ImageBodyProps = {
  readonly message: ShownMessage
  readonly upload: Upload | undefined
  readonly card: typeof import('./file-card.tsx') | undefined
  readonly onOpen: () => void
}

/** Draws the image in a frame of fixed size, so that nothing moves when the image loads. */
function ImageBody({ message, upload, card, onOpen }: ImageBodyProps) {
  const [isUnreadable, setIsUnreadable] = useState(false)
  const [isLoaded, setIsLoaded] = useState(false)
  const { image, sender, isOwn, delivery } = message
  const { source, isBroken: isMissing } = useImageSource(message.content, upload?.previewUrl)
  const isBroken = isUnreadable || isMissing
  const isAwaited = image !== null && upload === undefined && !isLoaded && !isBroken
  const { part: decoder } = useLazyPart(loadPlaceholder, isAwaited)
  const blurred = isAwaited ? (decoder?.placeholderOf(image.thumbhash) ?? null) : null
  const style = imageFrame(image)
  const frame = classNames(
    'relative max-w-full min-h-16 overflow-hidden rounded-m border border-line bg-surface-2',
    delivery === 'failed' && 'border-down',
  )
  if (isBroken)
    return (
      <p style={style} className={classNames(frame, 'grid place-content-center justify-items-center gap-1')}>
        <ImageOff aria-hidden size={22} strokeWidth={1.6} className="text-ink-3" />
        <span className="text-xs text-ink-3">{chatTexts.imageBroken}</span>
      </p>
    )
  return (
    <button
      type="button"
      aria-label={chatTexts.openImage(isOwn ? chatTexts.you : sender.username)}
      onClick={onOpen}
      style={{
        ...style,
        ...(blurred !== null && { backgroundImage: `url(${blurred})`, backgroundSize: '100% 100%' }),
      }}
      className={frame}
    >
      {source !== null && (
        <img
          src={source}
          alt={chatTexts.imageFrom(isOwn ? chatTexts.you : sender.username)}
          decoding="async"
          onLoad={() => setIsLoaded(true)}
          onError={() => setIsUnreadable(true)}
          className="size-full object-contain"
        />
      )}
      {delivery === 'sending' && upload !== undefined && card !== undefined && (
        <card.UploadBar upload={upload} className="absolute inset-x-2 bottom-2 bg-surface" />
      )}
    </button>
  )
}
