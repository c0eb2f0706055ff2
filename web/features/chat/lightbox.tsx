import { Dialog as Radix } from 'radix-ui'
import { chatTexts } from './chat-texts.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { useBackCloses } from '#web/ui/back-closes.ts'
import { IconButton } from '#web/ui/button.tsx'
import { useFocusReturn } from '#web/ui/dialog.tsx'
import { X } from '#web/ui/icons/x.tsx'
import { useImageSource } from './image-source.ts'

export type LightboxProps = {
  readonly content: string
  readonly previewUrl: string | undefined
  readonly username: string
  readonly onClose: () => void
}

export function Lightbox({ content, previewUrl, username, onClose }: LightboxProps) {
  const { source, isBroken } = useImageSource(content, previewUrl)
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
          <Radix.Title className="sr-only">{chatTexts.imageFrom(username)}</Radix.Title>
          {source === null ? (
            <p role="status" className="rounded-m bg-surface px-4 py-3 text-sm text-ink-2">
              {isBroken ? chatTexts.imageBroken : commonTexts.loading}
            </p>
          ) : (
            <img
              src={source}
              alt={chatTexts.imageFrom(username)}
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
