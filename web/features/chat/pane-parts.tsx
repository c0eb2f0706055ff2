/** Parts of a conversation that load after it is drawn. */
import { Dialog as Radix } from 'radix-ui'
import { type RefObject, useState } from 'react'
import { CARE_DESK, type ChatUser } from '#domain/chat/conversation.ts'
import { type Thread, withoutFailedPrefix } from '#domain/chat/thread.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { ActDialog } from '#web/ui/act-dialog.tsx'
import { useBackCloses } from '#web/ui/back-closes.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button, IconButton } from '#web/ui/button.tsx'
import { useFocusReturn } from '#web/ui/dialog.tsx'
import { FileText } from '#web/ui/icons/file-text.tsx'
import { X } from '#web/ui/icons/x.tsx'
import { useFileDrop } from '#web/ui/use-file-drop.ts'
import type { Attachment, ChatSnapshot } from './chat-store.ts'
import { chatTexts } from './chat-texts.ts'
import { fileTexts } from './file-texts.ts'
import { isImage } from './fit-file.ts'
import { useImageSource } from './image-source.ts'
import { deskOf } from './opening.ts'
import type { ShownMessage } from './rows.ts'
import { useChatSession } from './use-chat.ts'

export type LightboxProps = {
  readonly message: ShownMessage
  readonly uploads: ChatSnapshot['uploads']
  readonly onClose: () => void
}

export function Lightbox({ message: { content, clientMessageId, sender }, uploads, onClose }: LightboxProps) {
  const { source, isBroken } = useImageSource(content, uploads[withoutFailedPrefix(clientMessageId)]?.previewUrl)
  const focusReturn = useFocusReturn()
  useBackCloses(true, onClose)
  return (
    <Radix.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-scrim" />
        <Radix.Content
          aria-describedby={undefined}
          {...focusReturn}
          onClick={onClose}
          className="fixed inset-0 z-50 grid place-items-center p-4 outline-none"
        >
          <Radix.Title className="sr-only">{chatTexts.imageFrom(sender.username)}</Radix.Title>
          {source === null ? (
            <p role="status" className="rounded-m bg-surface px-4 py-3 text-sm text-ink-2">
              {isBroken ? chatTexts.imageBroken : commonTexts.loading}
            </p>
          ) : (
            <img
              src={source}
              alt={chatTexts.imageFrom(sender.username)}
              className="max-h-[calc(100dvh-2rem)] max-w-full rounded-m bg-surface object-contain"
            />
          )}
          <Radix.Close asChild>
            <IconButton label={commonTexts.close} className="fixed top-3 right-3 bg-surface">
              <X aria-hidden size={22} />
            </IconButton>
          </Radix.Close>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

export function DeleteDialog({ thread, onClose }: { readonly thread: Thread; readonly onClose: () => void }) {
  const { removeThread, self } = useChatSession()
  /** The last seq when the dialog opened: messages that the other person sends later are not deleted. */
  const [lastSeq] = useState(thread.lastSeq)
  const seenSeq = thread.messages.reduce(
    (seen, { seq, sender }) => (seq === seen + 1 && sender.id === self.id ? seq : seen),
    lastSeq,
  )
  return (
    <ActDialog
      title={chatTexts.deleteTitle}
      description={chatTexts.confirmDelete}
      confirmLabel={commonTexts.confirm}
      cancelLabel={commonTexts.cancel}
      tone="danger"
      run={() => removeThread(thread.key, seenSeq)}
      failText={chatTexts.deleteFailed}
      onClose={onClose}
    >
      <p className="text-sm text-ink-2">{chatTexts.deleteHint}</p>
    </ActDialog>
  )
}

/** Maximum number of admins offered by name (rules §7.1). */
const NAMES_SHOWN = 5

/**
 * Says that the conversation's admin can't answer any more, and offers CSKH and other admins. Pressing one of
 * these opens a conversation with it and moves the unsent text and file there (rules §7.1).
 */
export function HolderGone({ thread, snapshot }: { readonly thread: Thread; readonly snapshot: ChatSnapshot }) {
  const { takeElsewhere } = useChatSession()
  const isOnline = ({ id, isOnline: wasOnline }: ChatUser) => snapshot.chat.presence[id]?.isOnline ?? wasOnline
  const others = (snapshot.users ?? [])
    .filter(({ id }) => id !== thread.peer?.id)
    .toSorted((a, b) => Number(isOnline(b)) - Number(isOnline(a)))
    .slice(0, NAMES_SHOWN)
  return (
    <div className="border-t border-line bg-surface p-3">
      <Banner tone="danger" isLive>
        {chatTexts.holderGone(thread.peer?.username ?? '')}
      </Banner>
      <ul className="mt-2 flex flex-wrap gap-2">
        <li>
          <Button size="sm" onClick={() => takeElsewhere(deskOf(snapshot.chat))}>
            {chatTexts.chatWith(CARE_DESK.username)}
          </Button>
        </li>
        {others.map((admin) => (
          <li key={admin.id}>
            <Button size="sm" variant="outline" onClick={() => takeElsewhere(admin)}>
              {(isOnline(admin) ? chatTexts.chatWith : chatTexts.chatLater)(admin.username)}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  )
}

type DropZoneProps = { readonly pane: RefObject<HTMLElement | null>; readonly onFile: (file: File) => void }

export const DropZone = ({ pane, onFile }: DropZoneProps) =>
  useFileDrop(pane, onFile) && (
    <p className="pointer-events-none absolute inset-2 z-10 grid place-items-center rounded-m border-2 border-dashed border-gold bg-surface font-semibold text-gold opacity-95">
      {chatTexts.dropHere}
    </p>
  )

type FilePreviewProps = { readonly chosen: Attachment; readonly onRemove: () => void }

export function FilePreview({ chosen: { file, previewUrl }, onRemove }: FilePreviewProps) {
  return (
    <div className="mb-2 flex items-center gap-3 rounded-s border border-line bg-surface-2 p-2">
      {isImage(file) ? (
        <img src={previewUrl} alt={chatTexts.attached} className="size-16 rounded-s object-cover" />
      ) : (
        <FileText role="img" aria-label={fileTexts.attached} size={28} strokeWidth={1.6} className="ml-1 shrink-0" />
      )}
      <span className="min-w-0 flex-1 text-sm text-ink-2">
        <bdi className="block truncate">{file.name}</bdi>
        {!isImage(file) && <small className="text-xs text-ink-3">{fileTexts.size(file.size)}</small>}
      </span>
      <IconButton label={isImage(file) ? chatTexts.removeImage : fileTexts.remove} onClick={onRemove}>
        <X aria-hidden size={20} />
      </IconButton>
    </div>
  )
}
