import { useEffect, useEffectEvent, useState } from 'react'
import { SEARCH_DEBOUNCE_MS } from '#contract/limits.ts'

/**
 * A text that is being typed, handed on half a second after the last change.
 * @param read the meaning of a typed text; null while it has none, and nothing is handed on
 */
export function useDraft(
  text: string,
  onChange: (text: string) => void,
  read: (draft: string) => string | null = (draft) => draft.trim(),
) {
  const [draft, setDraft] = useState(text)
  const [known, setKnown] = useState(text)
  const change = useEffectEvent(onChange)
  // The address changed by other means: the back button, a saved view, a cleared filter.
  if (text !== known) {
    setKnown(text)
    if (text !== read(draft)) setDraft(text)
  }
  const wish = read(draft) ?? text
  useEffect(() => {
    if (wish === text) return
    const timer = setTimeout(() => change(wish), SEARCH_DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [wish, text])
  return { draft, setDraft, wish }
}
