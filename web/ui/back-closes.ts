import { type AnyRouter, useRouter } from '@tanstack/react-router'
import { useEffect, useLayoutEffect, useRef } from 'react'
import { isSessionOver } from '#web/platform/storage.ts'
import { judgeSteps } from '#web/platform/steps.ts'

/**
 * The device's back button closes the overlay over the screen instead of leaving the screen. Each overlay has an entry
 * of the history, which the router does not see: its state is the screen's own with the count of overlays there beside
 * it. Closing an overlay otherwise goes back by its entry.
 */

type Overlay = { readonly close: () => void }

const overlays: Overlay[] = []

const field = 'overlays'
const depthOf = (state: unknown): number => {
  const depth = (state as { readonly [field]?: unknown } | null)?.[field]
  return typeof depth === 'number' ? depth : 0
}
const keyOf = (state: unknown): unknown => (state as { readonly __TSR_key?: unknown } | null)?.__TSR_key

/** The browser's own method: the router replaces it on the object, to be notified. */
const pushState = (state: unknown): void => History.prototype.pushState.call(history, state, '')

/** A step back that a browser does not take, because the page is being left, is not waited for any longer. */
const longestStepMs = 500

let router: AnyRouter | undefined
let depth = 0
let isSettling = false
let step: { readonly taken: Promise<void>; readonly end: () => void } | undefined

function addOverlay(overlay: Overlay, itsRouter: AnyRouter | undefined): () => void {
  if (router !== itsRouter) {
    router = itsRouter
    router?.history.block({ enableBeforeUnload: false, blockerFn: leaveEntries })
    // An overlay that is still open at the new address, as a sheet of filters is, gets its entry back.
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
  // One overlay often opens as another closes, and then takes over its entry.
  await new Promise((resolve) => setTimeout(resolve))
  // A page whose session ended is on its way to another address, and a step back would take that way from it.
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

/** While a step is under way it waits for that one instead. */
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
 * The router leaves the entries of the overlays over this screen before it goes to another address: the browser would
 * take a step that is under way from the new address. Blocks nothing.
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
  // The step leads to another address, or other code made it on this screen.
  if (!isThisScreen || depth === before) return
  event.stopImmediatePropagation()
  if (step !== undefined) step.end()
  // The forward button led to the entry of a closed overlay, so this goes back again.
  else if (depth > before) void stepBack(depth - before)
  // A step back to an entry that no overlay needs any more, which a reload left.
  else if (overlays.length <= depth) history.back()
  else {
    for (const overlay of overlays.slice(depth).toReversed()) overlay.close()
    // An overlay that can't be closed now gets its entry back.
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
