import { useEffect, useState } from 'react'

/** Debounces a text by `pauseMs`. For an empty text, returns '' at once. */
export function useSettled(text: string, pauseMs: number): string {
  const [settled, setSettled] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pauseMs)
    return () => clearTimeout(timer)
  }, [text, pauseMs])
  return text === '' ? '' : settled
}
