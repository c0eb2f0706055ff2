import { type AnyRouter, useRouter } from '@tanstack/react-router'
import { useEffect, useLayoutEffect, useRef } from 'react'
import { isSessionOver } from '#web/platform/storage.ts'
import { judgeSteps } from '#web/platform/steps.ts'

/**
 * Makes the device's back button close the open dialog, sheet or menu instead of leaving the screen. Each overlay needs
 * a history entry that the router does not see: a copy of the screen's state, plus the number of open overlays. If an
 * overlay closes without the back button, the page steps back from the overlay's entry.
 */

type Overlay = { readonly close: () => void }

const overlays: Overlay[] = []

const field = 'overlays'
const depthOf = (state: unknown): number => {
  const depth = (state as { readonly [field]?: unknown } | null)?.[field]
  return typeof depth === 'number' ? depth : 0
}
const keyOf = (state: unknown): unknown => (state as { readonly __TSR_key?: unknown } | null)?.__TSR_key

/** Adds an entry by the browser's own method, since the router has replaced `history.pushState`. */
const pushState = (state: unknown): void => History.prototype.pushState.call(history, state, '')

/** The longest wait for a step back: a browser takes no step while the page is being left. */
const longestStepMs = 500

let router: AnyRouter | undefined
let depth = 0
let isSettling = false
let step: { readonly taken: Promise<void>; readonly end: () => void } | undefined

function addOverlay(overlay: Overlay, itsRouter: AnyRouter | undefined): () => void {
  if (router !== itsRouter) {
    router = itsRouter
    router?.history.block({ enableBeforeUnload: false, blockerFn: leaveEntries })
    // After a navigation, an overlay that stays open, such as a sheet of filters, gets an entry at the new address.
    router?.subscribe('onRendered', () => void settle())
    judgeSteps(handlePop)
  }
  overlays.push(overlay)
  void settle()
  return () => {
    overlays.splice(overlays.indexOf(overlay), 1)
    void settle()
  }
}

async function settle(): Promise<void> {
  if (isSettling) return
  isSettling = true
  // Wait for the next task: an overlay that opens as another closes can use the entry of the closed overlay.
  await new Promise((resolve) => setTimeout(resolve))
  // Once the session is over, the page navigates to another address, and a step back would cancel this navigation.
  while (!isSessionOver()) {
    depth = depthOf(history.state)
    if (overlays.length > depth) {
      depth += 1
      pushState({ ...history.state, [field]: depth })
    } else if (overlays.length < depth) await stepBack(depth - overlays.length)
    else break
  }
  isSettling = false
}

/** Steps back and waits for the browser. If a step back is running already, only waits for that step. */
async function stepBack(steps: number): Promise<void> {
  if (step === undefined) {
    let end = (): void => {}
    const taken = new Promise<void>((resolve) => (end = resolve))
    step = { taken, end }
    setTimeout(end, longestStepMs)
    history.go(-steps)
  }
  await step.taken
  step = undefined
}

/**
 * Steps back from the overlays' entries, and waits until the browser has done so, before the router goes to another
 * address. A step back that the browser makes later would lead back from the new address. Returns false: the navigation
 * is not blocked.
 */
async function leaveEntries({ action }: { readonly action: string }): Promise<boolean> {
  const entries = depthOf(history.state)
  if ((action === 'PUSH' || action === 'REPLACE') && (entries > 0 || step !== undefined)) await stepBack(entries)
  return false
}

const closeMs = 100

function handlePop(event: PopStateEvent): void {
  const before = depth
  depth = depthOf(event.state)
  const key = keyOf(event.state)
  const isThisScreen = key === undefined || key === keyOf(router?.history.location.state)
  // The step leads to another screen, or passes no entry of an overlay: leave the event to the router.
  if (!isThisScreen || depth === before) return
  event.stopImmediatePropagation()
  if (step !== undefined) step.end()
  // The forward button led to the entry of a closed overlay, so step back from it.
  else if (depth > before) void stepBack(depth - before)
  // No open overlay belongs to this entry, as after a reload, so step back once more.
  else if (overlays.length <= depth) history.back()
  else {
    for (const overlay of overlays.slice(depth).toReversed()) overlay.close()
    // An overlay that refused to close gets its entry back.
    setTimeout(() => void settle(), closeMs)
  }
}

export function useBackCloses(isOpen: boolean, close: () => void): void {
  const itsRouter = useRouter({ warn: false }) as AnyRouter | undefined
  const latest = useRef(close)
  useLayoutEffect(() => {
    latest.current = close
  })
  useEffect(() => {
    if (!isOpen) return
    return addOverlay({ close: () => latest.current() }, itsRouter)
  }, [isOpen, itsRouter])
}
