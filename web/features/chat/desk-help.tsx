import { ShortcutHelp } from '#web/lists/shortcut-help.tsx'
import { deskTexts as texts } from './desk-texts.ts'

const keys = [
  { key: 'e', label: texts.done },
  { key: 'h', label: texts.snooze },
  { key: 'r', label: texts.reply },
  { key: 'Ctrl Enter', label: texts.sendAndDone },
]

/** The keys of customer care. */
export const DeskHelp = ({ onClose }: { readonly onClose: () => void }) => (
  <ShortcutHelp onClose={onClose} keys={keys} />
)
