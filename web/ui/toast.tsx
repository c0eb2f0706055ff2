import { useSyncExternalStore } from 'react'
import { useLazyPart } from '#web/platform/lazy-part.ts'
import type { ToastKind, ToastRequest } from './toast-region.tsx'

/**
 * One-line news at the edge of the screen, which goes by itself. The library behind it loads with the first toast.
 * Only what need not be acted on belongs here; an error that must be read stands by its field or in its place.
 */

const loadRegion = () => import('./toast-region.tsx')

let waiting: readonly ToastRequest[] = []
let wasEverAsked = false
const listeners = new Set<() => void>()

function setWaiting(next: readonly ToastRequest[]): void {
  waiting = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
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

/** Hands the waiting toasts over to the region, once. */
function takeWaiting(): readonly ToastRequest[] {
  const taken = waiting
  if (taken.length > 0) setWaiting([])
  return taken
}

/** Where toasts appear; once, at the root of the page. It renders nothing until the first one is asked for. */
export function ToastHost() {
  const requests = useSyncExternalStore(subscribe, () => waiting)
  const { part: region } = useLazyPart(loadRegion, wasEverAsked)
  return region === undefined ? null : <region.ToastRegion requests={requests} takeWaiting={takeWaiting} />
}
