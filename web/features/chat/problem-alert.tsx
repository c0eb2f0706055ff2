import { useEffect } from 'react'
import { IconButton } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { CircleAlert } from '#web/ui/icons/circle-alert.tsx'
import { X } from '#web/ui/icons/x.tsx'
import type { ChatAlert } from './chat-store.ts'
import { chatTexts } from './chat-texts.ts'

const alertMs = 8_000

type ProblemAlertProps = {
  readonly problem: ChatAlert | null
  readonly onDismiss: () => void
  readonly className: string
}

/** The red alert "Lỗi!" (spec §2.8). It closes after `alertMs`. */
export function ProblemAlert({ problem, onDismiss, className }: ProblemAlertProps) {
  const id = problem?.id
  useEffect(() => {
    if (id === undefined) return
    const timer = setTimeout(onDismiss, alertMs)
    return () => clearTimeout(timer)
  }, [id, onDismiss])
  if (problem === null) return null
  return (
    <div
      role="alert"
      className={classNames(
        'z-50 flex max-w-[min(22rem,calc(100vw-2rem))] items-start gap-2 rounded-m border border-down bg-down-soft py-2 pr-1 pl-3 text-sm text-down shadow-overlay',
        className,
      )}
    >
      <CircleAlert aria-hidden size={18} className="mt-3 shrink-0" />
      <div className="min-w-0 flex-1 py-2">
        <p className="font-semibold">{chatTexts.errorTitle}</p>
        <p>{problem.text}</p>
      </div>
      <IconButton label={chatTexts.closeAlert} onClick={onDismiss} className="text-down">
        <X aria-hidden size={18} />
      </IconButton>
    </div>
  )
}
