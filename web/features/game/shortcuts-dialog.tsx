import { useState } from 'react'
import { PRESET_STAKES } from '#domain/game/bet.ts'
import { formatCount } from '#web/platform/formats.ts'
import { areShortcutsOn, writeShortcutsOn } from '#web/platform/storage.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { shortcutTexts } from './shortcut-texts.ts'

const rows: readonly (readonly [key: string, act: string])[] = [
  ['M', shortcutTexts.toBuy],
  ['B', shortcutTexts.toSell],
  ['Enter', shortcutTexts.send],
  ...PRESET_STAKES.map((stake, index) => [String(index + 1), shortcutTexts.stake(formatCount(stake))] as const),
  ['?', shortcutTexts.help],
]

/** Lists the shortcuts, with a switch that turns them off on this device (WCAG 2.1.4). */
export function ShortcutsDialog({ onClose }: { readonly onClose: () => void }) {
  const [isOn, setIsOn] = useState(areShortcutsOn)
  const change = (next: boolean) => {
    writeShortcutsOn(next)
    setIsOn(next)
  }
  return (
    <Dialog onClose={onClose} title={shortcutTexts.title} description={shortcutTexts.lead}>
      <table className="w-full text-left text-sm">
        <thead className="sr-only">
          <tr>
            <th>{shortcutTexts.keys}</th>
            <th>{shortcutTexts.act}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([key, act]) => (
            <tr key={key}>
              <td className="w-16 py-0.5">
                <kbd className="inline-block min-w-7 rounded-s border border-control px-1.5 text-center text-xs leading-6 font-medium">
                  {key}
                </kbd>
              </td>
              <td className="text-ink-2">{act}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <Switch label={shortcutTexts.areOn} isOn={isOn} onChange={change} />
    </Dialog>
  )
}
