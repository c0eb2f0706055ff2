import { useState } from 'react'
import { chatTexts } from './chat-texts.ts'
import { readChatSound, writeChatSound } from '#web/platform/storage.ts'
import { IconButton } from '#web/ui/button.tsx'
import { Volume2 } from '#web/ui/icons/volume-2.tsx'
import { VolumeX } from '#web/ui/icons/volume-x.tsx'
import { playChime } from './sound.ts'

/** Switches the sound of messages; switching it on plays it once. */
export function SoundSwitch() {
  const [isOn, setIsOn] = useState(readChatSound)
  const Icon = isOn ? Volume2 : VolumeX
  const toggle = () => {
    writeChatSound(!isOn)
    setIsOn(!isOn)
    if (!isOn) playChime()
  }
  return (
    <IconButton
      label={isOn ? chatTexts.soundOff : chatTexts.soundOn}
      aria-pressed={isOn}
      onClick={toggle}
      className="text-ink-2"
    >
      <Icon aria-hidden size={20} strokeWidth={1.7} />
    </IconButton>
  )
}
