import { X } from 'lucide-react'
import { chatTexts } from './chat-texts.ts'
import { IconButton } from '#web/ui/button.tsx'
import type { Attachment } from './chat-store.ts'

/** The attached image above the field, with a button that removes it. */
export function ImagePreview({ image, onRemove }: { readonly image: Attachment; readonly onRemove: () => void }) {
  return (
    <div className="mb-2 flex items-center gap-3 rounded-s border border-line bg-surface-2 p-2">
      <img src={image.previewUrl} alt={chatTexts.attached} className="size-16 rounded-s object-cover" />
      <span className="min-w-0 flex-1 truncate text-sm text-ink-2">{image.file.name}</span>
      <IconButton label={chatTexts.removeImage} onClick={onRemove}>
        <X aria-hidden size={20} />
      </IconButton>
    </div>
  )
}
