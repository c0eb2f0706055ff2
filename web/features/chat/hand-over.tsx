import { ArrowLeftRight } from 'lucide-react'
import type { Me } from '#contract/identity.ts'
import type { ChatUser } from '#domain/chat/conversation.ts'
import type { Thread } from '#domain/chat/thread.ts'
import type { ChatState } from '#domain/chat/timeline.ts'
import { chatTexts } from './chat-texts.ts'
import { failureText } from '#web/platform/http.ts'
import { useAct } from '#web/platform/use-act.ts'
import { refresh } from '#web/platform/query-client.ts'
import { IconButton } from '#web/ui/button.tsx'
import { Menu } from '#web/ui/menu.tsx'
import { toast } from '#web/ui/toast.tsx'
import { changeHolder, everyConversationKey } from './staff-api.ts'
import { useChatSession } from './use-chat.ts'

type HandOverProps = {
  readonly thread: Thread
  readonly me: Me
  readonly admins: readonly ChatUser[]
  readonly presence: ChatState['presence']
}

/** Gives the conversation to a colleague; the server compares the holder on screen with the current one (rules §7). */
export function HandOver({ thread, me, admins, presence }: HandOverProps) {
  const { showProblem, takeConversation } = useChatSession()
  const { start: giveTo } = useAct({
    failText: chatTexts.moveFailed,
    run: async (admin: ChatUser) => {
      takeConversation(await changeHolder(thread.key, me.id, admin.id))
      toast.success(chatTexts.handedOver(admin.username))
    },
    onFailure: (error) => {
      showProblem(failureText(error, chatTexts.moveFailed))
      return true
    },
    onSettled: () => void refresh(everyConversationKey),
  })
  if (admins.length === 0) return null
  const itemsOf = (isOnline: boolean) =>
    admins
      .filter((admin) => (presence[admin.id]?.isOnline ?? admin.isOnline) === isOnline)
      .map((admin) => ({
        id: admin.id,
        label: admin.username,
        hint: isOnline ? undefined : chatTexts.answersLater,
        onSelect: () => giveTo(admin),
      }))
  return (
    <Menu
      trigger={
        <IconButton label={chatTexts.handOver} className="text-ink-2">
          <ArrowLeftRight aria-hidden size={20} strokeWidth={1.7} />
        </IconButton>
      }
      groups={[
        { id: 'online', label: chatTexts.handOver, items: itemsOf(true) },
        // Who is away can take it, and answers later.
        { id: 'offline', label: chatTexts.offline, items: itemsOf(false) },
      ].filter(({ items }) => items.length > 0)}
    />
  )
}
