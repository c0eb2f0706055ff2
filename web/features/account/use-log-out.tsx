import { type ReactNode, useState } from 'react'
import { formatCount } from '#web/platform/formats.ts'
import { countUnsent } from '#web/platform/user-entries.ts'
import { unsentTexts } from './unsent-texts.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { logOut } from './log-out.ts'

export type LogOut = {
  readonly isLeaving: boolean
  readonly start: () => void
  /** The confirmation dialog, rendered beside the button: it appears when a logout would lose a message (rules §7). */
  readonly question: ReactNode
}

/** Signs out, and asks first when unsent messages would be lost. */
export function useLogOut(userId: string): LogOut {
  const [isLeaving, setIsLeaving] = useState(false)
  const [unsent, setUnsent] = useState(0)
  const go = () => {
    setUnsent(0)
    setIsLeaving(true)
    void logOut()
  }
  const start = () => {
    void countUnsent(userId).then((count) => (count === 0 ? go() : setUnsent(count)))
  }
  const question = (
    <ConfirmDialog
      isOpen={unsent > 0}
      title={unsentTexts.title}
      description={unsentTexts.text(formatCount(unsent))}
      confirmLabel={unsentTexts.confirm}
      tone="danger"
      onConfirm={go}
      onCancel={() => setUnsent(0)}
    />
  )
  return { isLeaving, start, question }
}
