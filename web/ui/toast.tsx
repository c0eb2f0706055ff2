import { useSyncExternalStore } from 'react'
import { useLazyPart } from '#web/platform/lazy-part.ts'
import { createSignal } from '#web/platform/signal.ts'
import type { ToastKind, ToastRequest } from './toast-region.tsx'

/** Toasts disappear by themselves, so an error that must be read is shown at its field or in the content instead. */

const loadRegion = () => import('./toast-region.tsx')

let waiting: readonly ToastRequest[] = []
let wasEverAsked = false
const changed = createSignal()

function setWaiting(next: readonly ToastRequest[]): void {
  waiting = next
  changed.tell()
}

function show(kind: ToastKind, text: string): void {
  wasEverAsked = true
  setWaiting([...waiting, { kind, text }])
}

export const toast = {
  success: (text: string) => show('success', text),
  error: (text: string) => show('error', text),
  info: (text: string) => show('info', text),
} as const

function takeWaiting(): readonly ToastRequest[] {
  const taken = waiting
  if (taken.length > 0) setWaiting([])
  return taken
}

export function ToastHost() {
  const requests = useSyncExternalStore(changed.listen, () => waiting)
  const { part: region } = useLazyPart(loadRegion, wasEverAsked)
  return region === undefined ? null : <region.ToastRegion requests={requests} takeWaiting={takeWaiting} />
}
