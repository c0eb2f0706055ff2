import { chatTexts } from './chat-texts.ts'
import { IconButton } from '#web/ui/button.tsx'
import { FileText } from '#web/ui/icons/file-text.tsx'
import { X } from '#web/ui/icons/x.tsx'
import type { Attachment } from './chat-store.ts'
import { isImage } from './fit-file.ts'
import { fileTexts } from './file-texts.ts'

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
