import { type ReactNode, useState } from 'react'
import { failureText } from '#web/platform/http.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { FormFailure } from './form-failure.tsx'

export type ActDialogProps = {
  readonly title: string
  readonly aside?: ReactNode
  readonly isWide?: boolean
  /** The act's effect, its target and amount. */
  readonly description: ReactNode
  readonly children?: ReactNode
  /** A verb. */
  readonly confirmLabel: string
  /** "Quay lại" by default. */
  readonly cancelLabel?: string
  readonly tone?: 'primary' | 'danger'
  /** True when the act is no longer possible; the children explain why. */
  readonly isBlocked?: boolean
  /** Called before the act; returns false when input is missing, after showing which. */
  readonly canRun?: () => boolean
  /** Runs the act. A refusal or failure is shown in the dialog, which stays open. */
  readonly run: () => Promise<void>
  /** The sentence for a failure without one from the server. */
  readonly failText: string
  /** Handles a failure; returns true when the dialog need not show it. */
  readonly onFailure?: (error: unknown) => boolean
  /** Called after the act, whether it succeeded or failed. */
  readonly onSettled?: () => void
  readonly onClose: () => void
  /** In place of `onClose` once the act has succeeded. */
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
  const [isBusy, setIsBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const confirm = async () => {
    if (isBlocked || canRun?.() === false) return
    setIsBusy(true)
    setFailure(undefined)
    try {
      await run()
      onDone()
    } catch (error) {
      if (onFailure?.(error) !== true) setFailure(failureText(error, failText))
    } finally {
      setIsBusy(false)
      onSettled?.()
    }
  }
  return (
    <ConfirmDialog
      {...dialog}
      cancelLabel={cancelLabel}
      isOpen
      isBusy={isBusy}
      isConfirmDisabled={isBlocked}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      {children}
      <FormFailure message={failure} />
    </ConfirmDialog>
  )
}
