import { useLayoutEffect, useState } from 'react'

/** The reader's letter size, in px. */
export const remPx = (): number => Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16

/**
 * A part of the page, which may come later than its component, its width, and the reader's letter size, both in CSS pixels.
 */
export function useWidth() {
  const [element, ref] = useState<HTMLDivElement | null>(null)
  // The size before anything is measured; tests measure nothing.
  const [size, setSize] = useState({ width: 480, rem: 16, isMeasured: false })
  useLayoutEffect(() => {
    if (element === null) return
    const measure = () => {
      const width = element.clientWidth
      if (width > 0) setSize({ width, rem: remPx(), isMeasured: true })
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [element])
  return { ref, ...size }
}
