/** Parts of the desk that load as one file after the list is drawn. */
import { useEffect } from 'react'
import { ShortcutHelp } from '#web/lists/shortcut-help.tsx'
import { connectionState, onConnectionChanged } from '#web/platform/socket.ts'
import { besideTexts } from './beside-texts.ts'
import { deskTexts as texts } from './desk-texts.ts'
import { notesTexts } from './notes-texts.ts'
import { loadDesk, type ThreadsOf } from './load-desk.ts'
import { FollowColleagues } from './staff-typing.tsx'
import { useChatSession } from './use-chat.ts'

export { DeskBar } from './desk-bar.tsx'
export { DutyRow } from './duty-row.tsx'
export { FoundElsewhere, NamedConversation } from './found-elsewhere.tsx'
export { HandOver } from './hand-over.tsx'
export { ListFilter, MoreOfTab } from './list-filter.tsx'
export { NoteMode, NotesBetween } from './notes.tsx'

export const { noneFiltered } = besideTexts

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

type FollowDeskProps = { readonly selfId: string; readonly hasNewest: boolean; readonly threadsOf: ThreadsOf }

/**
 * Follows colleagues. Once the session has the newest conversations, loads the older ones that the desk shows, too. It
 * loads them again after a lost connection, since the session then asks for no more than 100 that wait.
 */
export function FollowDesk({ selfId, hasNewest, threadsOf }: FollowDeskProps) {
  const session = useChatSession()
  useEffect(() => {
    if (!hasNewest) return
    let loading = new AbortController()
    // While the first connection is being made, the session asks for what comes meanwhile.
    let wasLost = connectionState() === 'lost'
    const load = () => {
      loading.abort()
      loading = new AbortController()
      loadDesk(session, threadsOf, loading.signal)
    }
    load()
    const stop = onConnectionChanged(() => {
      const isLost = connectionState() !== 'connected'
      if (wasLost && !isLost) load()
      wasLost = isLost
    })
    return () => {
      stop()
      loading.abort()
    }
  }, [session, threadsOf, hasNewest])
  return <FollowColleagues selfId={selfId} />
}
