import { commonTexts } from '#web/platform/texts.ts'
import { type ActOptions, useAct } from '#web/ui/use-act.ts'
import { ConfirmDialog, type ConfirmDialogProps } from './confirm-dialog.tsx'
import { FormFailure } from './form-failure.tsx'
import { toast } from './toast.tsx'

type DialogPart = 'title' | 'aside' | 'isWide' | 'description' | 'children' | 'cancelLabel' | 'tone'

export type ActDialogProps = Pick<ActOptions<void, unknown>, 'failText' | 'onSettled'> &
  Pick<ConfirmDialogProps, DialogPart> & {
    readonly confirmLabel: string
    readonly isBlocked?: boolean
    /** Checks the input. If something is missing or wrong, shows this at its field and returns false. */
    readonly canRun?: () => boolean
    readonly run: () => Promise<unknown>
    /** Shown as a toast after success, also if the dialog has been unmounted by then. */
    readonly doneText?: string
    /** Returns true if the dialog should not show the failure. */
    readonly onFailure?: (error: unknown) => boolean
    readonly onClose: () => void
    /** Called after success, unless this dialog has been unmounted by then. By default `onClose` is called. */
    readonly onDone?: () => void
  }

export function ActDialog({
  run,
  doneText,
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
    run: async () => {
      await run()
      if (doneText !== undefined) toast.success(doneText)
    },
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
