import { Switch } from '#web/ui/switch.tsx'
import { useChatSound } from './sound.ts'

/** A row of the settings with a switch for the sound of messages. */
export function SoundRow(row: { readonly label: string; readonly detail?: string }) {
  const [isOn, set] = useChatSound()
  return <Switch isOn={isOn} onChange={set} {...row} />
}
