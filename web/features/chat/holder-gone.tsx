import type { ChatUser } from '#domain/chat/conversation.ts'
import type { Thread } from '#domain/chat/timeline.ts'
import { chatTexts } from './chat-texts.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { type ChatSnapshot, clearUnanswered, openWith } from './chat-session.ts'
import { handText } from './composer.tsx'

export type HolderGoneProps = { readonly thread: Thread; readonly snapshot: ChatSnapshot; readonly text: string }

/** Whoever held it is gone: the other admins are offered, and what was typed goes along (rules §7). */
export function HolderGone({ thread, snapshot, text }: HolderGoneProps) {
  const others = (snapshot.users ?? []).filter(({ id }) => id !== thread.peer?.id)
  const choose = (admin: ChatUser) => {
    const { threads } = snapshot.chat
    const existing = Object.values(threads).find(({ peer }) => peer?.id === admin.id)
    if (text !== '') handText(existing?.key ?? `new_${admin.id}`, text)
    clearUnanswered()
    openWith(admin)
  }
  return (
    <div className="border-t border-line bg-surface p-3">
      <Banner tone="danger" isLive>
        {others.length === 0 ? chatTexts.noAdmins : chatTexts.holderGone(thread.peer?.username ?? '')}
      </Banner>
      <ul className="mt-2 flex flex-wrap gap-2">
        {others.map((admin) => (
          <li key={admin.id}>
            <Button size="sm" variant="outline" onClick={() => choose(admin)}>
              {chatTexts.chatWith(admin.username)}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  )
}
