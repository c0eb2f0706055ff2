import { useEffect, useEffectEvent, useState } from 'react'
import { SEARCH_DEBOUNCE_MS } from '#contract/limits.ts'

/**
 * A text that is being typed, handed on half a second after the last change. `read` gives null while the text has no
 * meaning, and nothing is handed on.
 */
export function useDraft(
  text: string,
  onChange: (text: string) => void,
  read: (draft: string) => string | null = (draft) => draft.trim(),
) {
  const [draft, setDraft] = useState(text)
  const [known, setKnown] = useState(text)
  /** Handed on, and not the text yet: until then more may be typed. */
  const [handed, setHanded] = useState<string>()
  const handOn = (value: string) => {
    setHanded(value)
    onChange(value)
  }
  const change = useEffectEvent(handOn)
  if (text !== known) {
    setKnown(text)
    setHanded(undefined)
    // The address changed by other means: the back button, a saved view, a cleared filter.
    if (text !== handed && text !== read(draft)) setDraft(text)
  }
  const wish = read(draft) ?? text
  useEffect(() => {
    if (wish === text) return
    const timer = setTimeout(() => change(wish), SEARCH_DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [wish, text])
  return { draft, setDraft, wish, handOn }
}
