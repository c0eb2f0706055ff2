import { useEffect, useState } from 'react'

/** Returns the text as it was at the last pause in typing of at least `pauseMs`; '' as soon as the text is empty. */
export function useSettled(text: string, pauseMs: number): string {
  const [settled, setSettled] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pauseMs)
    return () => clearTimeout(timer)
  }, [text, pauseMs])
  return text === '' ? '' : settled
}
