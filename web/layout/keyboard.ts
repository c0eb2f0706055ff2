import { useSyncExternalStore } from 'react'

/** The on-screen keyboard takes more than this of the height; a browser's own bars take less. */
const keyboardPx = 150

function subscribe(listener: () => void): () => void {
  const viewport = globalThis.visualViewport
  viewport?.addEventListener('resize', listener)
  return () => viewport?.removeEventListener('resize', listener)
}

function isKeyboardOpen(): boolean {
  const viewport = globalThis.visualViewport
  if (!viewport) return false
  // Times the scale: zooming in makes the visual viewport smaller too, and is no keyboard.
  return globalThis.innerHeight - viewport.height * viewport.scale > keyboardPx
}

/** Whether the on-screen keyboard covers part of the page, so that bars at the bottom can make room. */
export function useIsKeyboardOpen(): boolean {
  return useSyncExternalStore(subscribe, isKeyboardOpen)
}
