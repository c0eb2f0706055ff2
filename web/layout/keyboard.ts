import { useSyncExternalStore } from 'react'

/** If more than this height of the window is covered, the keyboard counts as open: a browser's own bars cover less. */
const keyboardPx = 150

let isOpen = false

function subscribe(listener: () => void): () => void {
  const viewport = globalThis.visualViewport
  if (!viewport) return () => {}
  const measure = () => {
    // Multiply by the scale: zooming in also shrinks the visual viewport, without a keyboard.
    const next = globalThis.innerHeight - viewport.height * viewport.scale > keyboardPx
    if (next === isOpen) return
    isOpen = next
    listener()
  }
  // Measuring forces a layout, so the first measurement waits for the next frame, which has a layout anyway.
  const frame = requestAnimationFrame(measure)
  viewport.addEventListener('resize', measure)
  return () => {
    cancelAnimationFrame(frame)
    viewport.removeEventListener('resize', measure)
  }
}

export const useIsKeyboardOpen = (): boolean => useSyncExternalStore(subscribe, () => isOpen)
