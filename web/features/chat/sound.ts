import { useState } from 'react'
import { readChatSound, writeChatSound } from '#web/platform/storage.ts'
import { playNotes } from '#web/ui/tones.ts'

export const playChime = (): void =>
  playNotes([
    { atS: 0, hertz: 660 },
    { atS: 0.12, hertz: 880 },
  ])

/** Returns whether messages have a sound, and a setter. Turning the sound on plays it once. */
export function useChatSound() {
  const [isOn, setIsOn] = useState(readChatSound)
  const set = (next: boolean) => {
    writeChatSound(next)
    setIsOn(next)
    if (next) playChime()
  }
  return [isOn, set] as const
}
