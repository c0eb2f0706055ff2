import { chatTexts } from './chat-texts.ts'
import { IconButton } from '#web/ui/button.tsx'
import { Volume2 } from '#web/ui/icons/volume-2.tsx'
import { VolumeX } from '#web/ui/icons/volume-x.tsx'
import { useChatSound } from './sound.ts'

export function SoundSwitch() {
  const [isOn, set] = useChatSound()
  const Icon = isOn ? Volume2 : VolumeX
  return (
    <IconButton
      label={isOn ? chatTexts.soundOff : chatTexts.soundOn}
      aria-pressed={isOn}
      onClick={() => set(!isOn)}
      className="text-ink-2"
    >
      <Icon aria-hidden size={20} strokeWidth={1.7} />
    </IconButton>
  )
}
