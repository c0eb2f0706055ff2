import { AlertDialog as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { commonTexts } from '#web/platform/texts.ts'
import { useBackCloses } from './back-closes.ts'
import { Button } from './button.tsx'
import { classNames } from './class-names.ts'
import { type DialogProps, useFocusReturn } from './dialog.tsx'

export type ConfirmDialogProps = Pick<DialogProps, 'title' | 'aside' | 'isWide' | 'children'> & {
  readonly isOpen: boolean
  readonly description: ReactNode
  /** Names the act, such as "Từ chối yêu cầu"; by default "Xác nhận" (spec §2.9). */
  readonly confirmLabel?: string
  readonly cancelLabel?: string
  readonly tone?: 'primary' | 'danger'
  readonly isBusy?: boolean
  readonly isConfirmDisabled?: boolean
  /** False if the children contain the buttons. */
  readonly hasFooter?: boolean
  readonly onConfirm?: () => void
  readonly onCancel: () => void
}

/** The dialog of spec §2.9. A press outside does not close it. Escape and the back button cancel, unless `isBusy`. */
export function ConfirmDialog({
  isOpen,
  title,
  aside,
  isWide = false,
  description,
  children,
  confirmLabel = commonTexts.confirm,
  cancelLabel = commonTexts.cancel,
  tone = 'primary',
  isBusy = false,
  isConfirmDisabled = false,
  hasFooter = true,
  onConfirm,
  onCancel,
}: ConfirmDialogProps) {
  const focusReturn = useFocusReturn()
  const handleOpenChange = (willOpen: boolean) => {
    if (!willOpen && !isBusy) onCancel()
  }
  useBackCloses(isOpen, () => handleOpenChange(false))
  return (
    <Radix.Root open={isOpen} onOpenChange={handleOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-scrim data-[state=closed]:animate-fade-out data-[state=open]:animate-fade-in" />
        <Radix.Content
          {...focusReturn}
          className={classNames(
            'fixed inset-x-gutter top-1/2 z-50 mx-auto flex max-h-[calc(100dvh-2rem)] -translate-y-1/2 flex-col gap-3 overflow-y-auto rounded-m border border-line bg-surface p-4 shadow-overlay outline-none data-[state=closed]:animate-rise-out data-[state=open]:animate-rise-in',
            isWide ? 'max-w-[46rem]' : 'max-w-[26rem]',
          )}
        >
          <div className="flex items-center justify-between gap-2">
            <Radix.Title className="text-base font-semibold text-ink">{title}</Radix.Title>
            {aside}
          </div>
          <Radix.Description asChild>
            <div className="text-sm text-ink-2">{description}</div>
          </Radix.Description>
          {children}
          {hasFooter && (
            <div
              className={classNames(
                'grid grid-cols-2 gap-2',
                isWide ? 'sticky -bottom-4 -mx-4 mt-auto -mb-4 border-t border-line bg-surface p-4' : 'mt-1',
              )}
            >
              <Radix.Cancel asChild>
                <Button variant="outline" disabled={isBusy}>
                  {cancelLabel}
                </Button>
              </Radix.Cancel>
              <Button
                variant={tone}
                isBusy={isBusy}
                isOff={isConfirmDisabled}
                // The second press of a double click was meant for what was at this place before the dialog opened.
                onClick={({ detail }) => detail < 2 && onConfirm?.()}
              >
                {confirmLabel}
              </Button>
            </div>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
