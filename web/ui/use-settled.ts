import { useEffect, useState } from 'react'

/** A typed text as it was at the last pause of this length; '' at once where nothing is typed. */
export function useSettled(text: string, pauseMs: number): string {
  const [settled, setSettled] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pauseMs)
    return () => clearTimeout(timer)
  }, [text, pauseMs])
  return text === '' ? '' : settled
}
