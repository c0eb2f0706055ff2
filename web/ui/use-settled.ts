import { useEffect, useState } from 'react'

/** Returns the text of the last typing pause of at least `pauseMs`. If the text becomes empty, returns '' at once. */
export function useSettled(text: string, pauseMs: number): string {
  const [settled, setSettled] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pauseMs)
    return () => clearTimeout(timer)
  }, [text, pauseMs])
  return text === '' ? '' : settled
}
