import { useState } from 'react'
import { chatTexts } from './chat-texts.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { useChatSession } from './use-chat.ts'

export type DeleteDialogProps = {
  readonly threadKey: string
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Asks before a conversation is deleted for this user (spec §5). */
export function DeleteDialog({ threadKey, isOpen, onClose }: DeleteDialogProps) {
  const { removeThread } = useChatSession()
  const [isBusy, setIsBusy] = useState(false)
  const remove = async () => {
    setIsBusy(true)
    await removeThread(threadKey)
    setIsBusy(false)
    onClose()
  }
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={chatTexts.deleteTitle}
      description={chatTexts.confirmDelete}
      tone="danger"
      isBusy={isBusy}
      onConfirm={() => void remove()}
      onCancel={onClose}
    >
      <p className="text-sm text-ink-2">{chatTexts.deleteHint}</p>
    </ConfirmDialog>
  )
}
