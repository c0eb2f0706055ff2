import { CARE_DESK, type ChatUser } from '#domain/chat/conversation.ts'
import type { Thread } from '#domain/chat/thread.ts'
import { chatTexts } from './chat-texts.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import type { ChatSnapshot } from './chat-store.ts'
import { deskOf } from './opening.ts'
import { useChatSession } from './use-chat.ts'

/** More names would leave no room for the conversation on a phone, and all stand in the list of admins. */
const NAMES_SHOWN = 5

export type HolderGoneProps = { readonly thread: Thread; readonly snapshot: ChatSnapshot }

/** The holder is gone: offers any free admin and some by name, and moves the typed text along (rules §7). */
export function HolderGone({ thread, snapshot }: HolderGoneProps) {
  const { takeElsewhere } = useChatSession()
  const isOnline = ({ id, isOnline: wasOnline }: ChatUser) => snapshot.chat.presence[id]?.isOnline ?? wasOnline
  const others = (snapshot.users ?? [])
    .filter(({ id }) => id !== thread.peer?.id)
    .toSorted((a, b) => Number(isOnline(b)) - Number(isOnline(a)))
    .slice(0, NAMES_SHOWN)
  return (
    <div className="border-t border-line bg-surface p-3">
      <Banner tone="danger" isLive>
        {chatTexts.holderGone(thread.peer?.username ?? '')}
      </Banner>
      <ul className="mt-2 flex flex-wrap gap-2">
        <li>
          <Button size="sm" onClick={() => takeElsewhere(deskOf(snapshot.chat))}>
            {chatTexts.chatWith(CARE_DESK.username)}
          </Button>
        </li>
        {others.map((admin) => (
          <li key={admin.id}>
            <Button size="sm" variant="outline" onClick={() => takeElsewhere(admin)}>
              {(isOnline(admin) ? chatTexts.chatWith : chatTexts.chatLater)(admin.username)}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  )
}
