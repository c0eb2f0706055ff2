/** Parts of the desk that load as one file after the list is drawn. */
import { type RefObject, useState } from 'react'
import { ShortcutHelp } from '#web/lists/shortcut-help.tsx'
import { useShortcuts } from '#web/lists/shortcuts.ts'
import { besideTexts } from './beside-texts.ts'
import { deskTexts as texts } from './desk-texts.ts'
import { notesTexts } from './notes-texts.ts'

export { DeskBar } from './desk-bar.tsx'
export { DutyRow } from './duty-row.tsx'
export { FoundElsewhere, NamedConversation } from './found-elsewhere.tsx'
export { HandOver } from './hand-over.tsx'
export { ListFilter } from './list-filter.tsx'
export { NoteMode, NotesBetween } from './notes.tsx'
export { loadDesk } from './staff-api.ts'
export { FollowColleagues } from './staff-typing.tsx'

export const { noneFiltered } = besideTexts

const keys = [
  { key: 'e', label: texts.done },
  { key: 'h', label: texts.snooze },
  { key: 'r', label: texts.reply },
  { key: 'n', label: notesTexts.note },
  { key: 'g', label: besideTexts.handOver },
  { key: 'Ctrl Enter', label: texts.sendAndDone },
]

type ListKeysProps = {
  readonly onStep: (way: 1 | -1) => void
  readonly searchRef: RefObject<HTMLElement | null>
}

/** The shortcuts of the list, and the help that names all shortcuts of the desk. */
export function ListKeys({ onStep, searchRef }: ListKeysProps) {
  const [isHelpOpen, setIsHelpOpen] = useState(false)
  useShortcuts({
    j: () => onStep(1),
    k: () => onStep(-1),
    '/': (event) => {
      event.preventDefault()
      searchRef.current?.querySelector('input')?.focus()
    },
    '?': () => setIsHelpOpen(true),
  })
  return isHelpOpen && <ShortcutHelp onClose={() => setIsHelpOpen(false)} keys={keys} />
}
