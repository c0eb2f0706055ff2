import { type ReactNode, useState } from 'react'
import { failureText } from '#web/platform/http.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { FormFailure } from './form-failure.tsx'

export type ActDialogProps = {
  readonly title: string
  /** What will happen, to whom and how much. */
  readonly description: ReactNode
  readonly children?: ReactNode
  /** A verb. */
  readonly confirmLabel: string
  /** "Quay lại" unless said otherwise. */
  readonly cancelLabel?: string
  readonly tone?: 'primary' | 'danger'
  /** True when it can't be done any more; the children say why. */
  readonly isBlocked?: boolean
  /** Asked before it is done; false where something is missing, which it has shown by then. */
  readonly canRun?: () => boolean
  /** Does it. A refusal or failure is shown here, and the dialog stays. */
  readonly run: () => Promise<void>
  /** The sentence when the server gave none. */
  readonly failText: string
  /** Takes a failure over; true when there is nothing left to show here. */
  readonly onFailure?: (error: unknown) => boolean
  /** Runs after the act, whatever came of it. */
  readonly onSettled?: () => void
  readonly onClose: () => void
}

/** Asks before an act, does it, and closes when it is done. */
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
      onClose()
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
