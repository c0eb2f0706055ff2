import { Volume2, VolumeX } from 'lucide-react'
import { useState } from 'react'
import { chatTexts } from './chat-texts.ts'
import { readChatSound, writeChatSound } from '#web/platform/storage.ts'
import { IconButton } from '#web/ui/button.tsx'
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
