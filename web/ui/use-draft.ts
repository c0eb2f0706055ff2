import { useEffect, useEffectEvent, useState } from 'react'
import { SEARCH_DEBOUNCE_MS } from '#contract/limits.ts'

/**
 * Debounces a text that is being typed: `SEARCH_DEBOUNCE_MS` after the last change, `onChange` gets the result of
 * `read`. While `read` returns null, the text is incomplete and `onChange` is not called.
 */
export function useDraft(
  text: string,
  onChange: (text: string) => void,
  read: (draft: string) => string | null = (draft) => draft.trim(),
) {
  const [draft, setDraft] = useState(text)
  const [known, setKnown] = useState(text)
  /** The value that `onChange` got last. If `text` becomes this value, the draft stays: the user may have typed on. */
  const [handed, setHanded] = useState<string>()
  const handOn = (value: string) => {
    setHanded(value)
    onChange(value)
  }
  const change = useEffectEvent(handOn)
  if (text !== known) {
    setKnown(text)
    setHanded(undefined)
    // Something other than this draft changed `text`, for example the back button, a saved view or a cleared filter.
    if (text !== handed && text !== read(draft)) setDraft(text)
  }
  const wish = read(draft) ?? text
  useEffect(() => {
    if (wish === text) return
    const timer = setTimeout(() => change(wish), SEARCH_DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [wish, text])
  /** Hands on at once what waits: the press that leaves the field may close the sheet around it, which ends the draft. */
  const leave = () => {
    if (wish !== text) handOn(wish)
  }
  return { draft, setDraft, wish, handOn, leave }
}
