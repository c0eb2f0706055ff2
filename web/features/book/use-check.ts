import { useEffect, useRef, useState } from 'react'
import type { CheckStep, StepProgress } from '#domain/book/check-book.ts'
import { keepLog } from '#web/platform/book-notes.ts'
import type { CheckReport, CheckRequest, FromWorker } from './check-messages.ts'
import { startCheck } from './start-check.ts'

export type CheckState = {
  readonly request: CheckRequest
  readonly steps: Readonly<Partial<Record<CheckStep, StepProgress>>>
  /** Null while the check runs. */
  readonly outcome: { readonly report: CheckReport } | { readonly failure: 'host' | 'crash' } | null
}

/** Runs one check at a time. An unmount ends the check. */
export function useCheck() {
  const [state, setState] = useState<CheckState | null>(null)
  const running = useRef<ReturnType<typeof startCheck>>(undefined)
  useEffect(() => () => running.current?.end(), [])
  const hear = (message: FromWorker) => {
    setState((before) => {
      if (before === null) return null
      if ('step' in message) return { ...before, steps: { ...before.steps, [message.step.step]: message.step } }
      return { ...before, outcome: message }
    })
    if ('report' in message) keepSeen(message.report)
  }
  return {
    state,
    isRunning: state?.outcome === null,
    start: (request: CheckRequest) => {
      running.current?.end()
      setState({ request, steps: {}, outcome: null })
      running.current = startCheck(request, hear)
    },
    stop: () => running.current?.stop(),
  }
}

/** Keeps the note of this check on the device: a later note of the log that does not extend this note is a fault. */
function keepSeen({ head, vkey, faults }: CheckReport): void {
  if (head === null || vkey === null || faults.some(({ kind }) => kind === 'note-forked')) return
  void keepLog({ origin: head.origin, vkey, note: head.note, size: head.size })
}
