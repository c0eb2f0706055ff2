import { ShortcutHelp } from '#web/lists/shortcut-help.tsx'
import { besideTexts } from './beside-texts.ts'
import { notesTexts } from './notes-texts.ts'
import { deskTexts as texts } from './desk-texts.ts'

const keys = [
  { key: 'e', label: texts.done },
  { key: 'h', label: texts.snooze },
  { key: 'r', label: texts.reply },
  { key: 'n', label: notesTexts.note },
  { key: 'g', label: besideTexts.handOver },
  { key: 'Ctrl Enter', label: texts.sendAndDone },
]

export const DeskHelp = ({ onClose }: { readonly onClose: () => void }) => (
  <ShortcutHelp onClose={onClose} keys={keys} />
)
