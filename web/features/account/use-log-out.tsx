import { useState } from 'react'
import { identityEndpoints } from '#contract/identity.ts'
import { callEndpoint } from '#web/platform/api.ts'
import { formatCount } from '#web/platform/formats.ts'
import { forgetUserAndLeave } from '#web/platform/session.ts'
import { countUnsent } from '#web/platform/user-entries.ts'
import { unsentTexts } from './unsent-texts.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'

/** A logout waits at most this long for the server's answer. */
const timeoutMs = 4_000

/** Deletes the user's data from this browser even if the server does not answer (rules §4.1). */
const logOut = (): Promise<void> =>
  forgetUserAndLeave(callEndpoint(identityEndpoints.logout, { timeoutMs }).catch(() => {}))

/** The caller must render `question`, which asks for confirmation if a logout loses unsent texts (rules §7.8). */
export function useLogOut(userId: string) {
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
