import type { ReactNode } from 'react'
import { commonTexts } from '#web/platform/texts.ts'
import { type ActOptions, useAct } from '#web/platform/use-act.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { FormFailure } from './form-failure.tsx'

export type ActDialogProps = Pick<ActOptions<void, unknown>, 'failText' | 'onSettled'> & {
  readonly title: string
  readonly aside?: ReactNode
  readonly isWide?: boolean
  /** The act's effect, its target and amount. */
  readonly description: ReactNode
  readonly children?: ReactNode
  /** The label of the confirming button: a verb. */
  readonly confirmLabel: string
  /** The label of the other button, by default "Quay lại". */
  readonly cancelLabel?: string
  readonly tone?: 'primary' | 'danger'
  /** True when the act is no longer possible; the children explain why. */
  readonly isBlocked?: boolean
  /** Called before the act; returns false when input is missing, after showing which. */
  readonly canRun?: () => boolean
  /** Runs the act. A refusal or failure is shown in the dialog, which stays open. */
  readonly run: () => Promise<unknown>
  /** Handles a failure; returns true when the dialog need not show it. */
  readonly onFailure?: (error: unknown) => boolean
  readonly onClose: () => void
  /**
   * Called in place of `onClose` once the act has succeeded; neither is called once another dialog has taken this one's
   * place.
   */
  readonly onDone?: () => void
}

/** Asks for confirmation, runs an act, and closes when it has succeeded. */
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
