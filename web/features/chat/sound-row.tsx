import { Switch } from '#web/ui/switch.tsx'
import { useChatSound } from './sound.ts'

export function SoundRow(row: { readonly label: string; readonly detail?: string }) {
  const [isOn, set] = useChatSound()
  return <Switch isOn={isOn} onChange={set} {...row} />
}
