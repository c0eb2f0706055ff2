import { useLayoutEffect, useState } from 'react'

export const remPx = (): number => Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16

/** Measures an element's width and the rem, both in px. */
export function useWidth() {
  const [element, ref] = useState<HTMLDivElement | null>(null)
  // The size until the element is measured.
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
