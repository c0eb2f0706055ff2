import { commonTexts } from '#web/platform/texts.ts'
import { type ActOptions, useAct } from '#web/platform/use-act.ts'
import { ConfirmDialog, type ConfirmDialogProps } from './confirm-dialog.tsx'
import { FormFailure } from './form-failure.tsx'

type DialogPart = 'title' | 'aside' | 'isWide' | 'description' | 'children' | 'cancelLabel' | 'tone'

export type ActDialogProps = Pick<ActOptions<void, unknown>, 'failText' | 'onSettled'> &
  Pick<ConfirmDialogProps, DialogPart> & {
    readonly confirmLabel: string
    readonly isBlocked?: boolean
    /** Returns false when input is missing, after showing which. */
    readonly canRun?: () => boolean
    readonly run: () => Promise<unknown>
    /** Returns true when the dialog need not show it. */
    readonly onFailure?: (error: unknown) => boolean
    readonly onClose: () => void
    /**
     * In place of `onClose` once the act has succeeded. Neither is called once another dialog has taken this one's place.
     */
    readonly onDone?: () => void
  }

export function ActDialog({
  run,
  canRun,
  cancelLabel = commonTexts.back,
  failText,
  onFailure,
  onSettled,
  isBlocked = false,
  children,
  onClose,
  onDone = onClose,
  ...dialog
}: ActDialogProps) {
  const { start, isBusy, failure } = useAct({
    run,
    failText,
    onDone: () => onDone(),
    onFailure: (error) => onFailure?.(error) === true,
    onSettled,
  })
  return (
    <ConfirmDialog
      {...dialog}
      cancelLabel={cancelLabel}
      isOpen
      isBusy={isBusy}
      isConfirmDisabled={isBlocked}
      onConfirm={() => {
        if (!isBlocked && canRun?.() !== false) start()
      }}
      onCancel={onClose}
    >
      {children}
      <FormFailure message={failure} />
    </ConfirmDialog>
  )
}
