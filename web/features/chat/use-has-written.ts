import { useState } from 'react'
import type { ChatSelf } from './chat-deps.ts'
import { useIsSending } from './use-chat.ts'

export function useHasWritten(self: ChatSelf): boolean {
  const isSending = useIsSending(self)
  const [hasWritten, setHasWritten] = useState(false)
  if (isSending && !hasWritten) setHasWritten(true)
  return hasWritten
}
