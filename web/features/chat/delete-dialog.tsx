import { chatTexts } from './chat-texts.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { ActDialog } from '#web/ui/act-dialog.tsx'
import { useChatSession } from './use-chat.ts'

export type DeleteDialogProps = { readonly threadKey: string; readonly onClose: () => void }

/** Asks before a conversation is deleted for this user (spec §5). */
export function DeleteDialog({ threadKey, onClose }: DeleteDialogProps) {
  const { removeThread } = useChatSession()
  return (
    <ActDialog
      title={chatTexts.deleteTitle}
      description={chatTexts.confirmDelete}
      confirmLabel={commonTexts.confirm}
      cancelLabel={commonTexts.cancel}
      tone="danger"
      run={() => removeThread(threadKey)}
      failText={chatTexts.deleteFailed}
      onClose={onClose}
    >
      <p className="text-sm text-ink-2">{chatTexts.deleteHint}</p>
    </ActDialog>
  )
}
