import { useState } from 'react'
import { readChatSound, writeChatSound } from '#web/platform/storage.ts'
import { Switch } from '#web/ui/switch.tsx'
import { playChime } from './sound.ts'

/** The sound of messages as a row of the settings; switching it on plays it once. */
export function SoundRow(row: { readonly label: string; readonly detail?: string }) {
  const [isOn, setIsOn] = useState(readChatSound)
  const set = (next: boolean) => {
    writeChatSound(next)
    setIsOn(next)
    if (next) playChime()
  }
  return <Switch isOn={isOn} onChange={set} {...row} />
}
