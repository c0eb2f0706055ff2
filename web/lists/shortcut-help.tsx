import { Fragment, useState } from 'react'
import { adminTableTexts as texts } from './table-texts.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { areShortcutsOff, setShortcutsOff } from './shortcuts.ts'

export type ShortcutHelpProps = {
  readonly onClose: () => void
  readonly keys: ReadonlyArray<{ readonly key: string; readonly label: string }>
}

/** Lists the shortcuts, with a switch that turns them off (WCAG 2.1.4). */
export function ShortcutHelp({ onClose, keys }: ShortcutHelpProps) {
  const [isOff, setIsOff] = useState(areShortcutsOff)
  const all = [
    { key: 'j', label: texts.keyNext },
    { key: 'k', label: texts.keyPrevious },
    ...keys,
    { key: '/', label: texts.keySearch },
    { key: '?', label: texts.keyHelp },
    { key: 'Ctrl K', label: texts.keyFinder },
    { key: 'Ctrl B', label: texts.keySidebar },
  ]
  return (
    <Dialog onClose={onClose} title={texts.shortcutsTitle}>
      <dl className="grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-2 text-sm">
        {all.map(({ key, label }) => (
          <Fragment key={key}>
            <dt className="flex gap-1">
              {key.split(' ').map((part) => (
                <kbd
                  key={part}
                  className="min-w-7 rounded-s border border-line-strong bg-surface-2 px-2 py-0.5 text-center font-sans text-xs font-semibold text-ink"
                >
                  {part}
                </kbd>
              ))}
            </dt>
            <dd className="text-ink-2">{label}</dd>
          </Fragment>
        ))}
      </dl>
      <label className="flex min-h-target cursor-pointer items-center gap-2.5 text-sm">
        <input
          type="checkbox"
          checked={!isOff}
          onChange={() => {
            setShortcutsOff(!isOff)
            setIsOff(!isOff)
          }}
          className="size-4 accent-gold"
        />
        {texts.shortcutsOn}
      </label>
    </Dialog>
  )
}
