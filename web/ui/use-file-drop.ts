import { type RefObject, useEffect, useEffectEvent, useState } from 'react'

/**
 * Follows files that are dragged over an element. `take` receives the first of the files dropped there. Dragged text is
 * left to the browser. Returns true while a file is over the element.
 */
export function useFileDrop(target: RefObject<HTMLElement | null>, take: (file: File) => void): boolean {
  const [isDragging, setIsDragging] = useState(false)
  const handle = useEffectEvent((event: DragEvent) => {
    if (event.dataTransfer?.types.includes('Files') !== true) return
    event.preventDefault()
    setIsDragging(event.type === 'dragover')
    const file = event.type === 'drop' ? event.dataTransfer.files[0] : undefined
    if (file !== undefined) take(file)
  })
  useEffect(() => {
    const element = target.current
    const types = ['dragover', 'dragleave', 'drop'] as const
    for (const type of types) element?.addEventListener(type, handle)
    return () => {
      for (const type of types) element?.removeEventListener(type, handle)
    }
  }, [target])
  return isDragging
}
