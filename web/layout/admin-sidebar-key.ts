import { useEffect, useEffectEvent } from 'react'
import { isTyping } from '#web/lists/shortcuts.ts'

/** Not in a text field, where Ctrl+B belongs to the editor (spec §2). */
export function useSidebarKey(toggle: () => void): void {
  const handle = useEffectEvent((event: KeyboardEvent) => {
    const isKey = event.key.toLowerCase() === 'b' && (event.ctrlKey || event.metaKey)
    if (!isKey || event.altKey || event.shiftKey || event.repeat || isTyping(event.target)) return
    event.preventDefault()
    toggle()
  })
  useEffect(() => {
    document.addEventListener('keydown', handle)
    return () => document.removeEventListener('keydown', handle)
  }, [])
}
