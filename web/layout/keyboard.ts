import { useSyncExternalStore } from 'react'

/** The on-screen keyboard takes more than this of the height; a browser's own bars take less. */
const keyboardPx = 150

let isOpen = false

function subscribe(listener: () => void): () => void {
  const viewport = globalThis.visualViewport
  if (!viewport) return () => {}
  const measure = () => {
    // Times the scale: zooming in makes the visual viewport smaller too, and is no keyboard.
    const next = globalThis.innerHeight - viewport.height * viewport.scale > keyboardPx
    if (next === isOpen) return
    isOpen = next
    listener()
  }
  // Measuring lays the page out: once a frame, where that is due anyway, and not whenever something renders.
  const frame = requestAnimationFrame(measure)
  viewport.addEventListener('resize', measure)
  return () => {
    cancelAnimationFrame(frame)
    viewport.removeEventListener('resize', measure)
  }
}

/** Whether the on-screen keyboard covers part of the page, so that bars at the bottom can make room. */
export function useIsKeyboardOpen(): boolean {
  return useSyncExternalStore(subscribe, () => isOpen)
}
