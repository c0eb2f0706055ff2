import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { CARE_DESK, type ChatPerson, type ChatUser, cleanText, MESSAGE_TEXT_MAX } from '#domain/chat/conversation.ts'
import type { Thread } from '#domain/chat/thread.ts'
import type { ChatState } from '#domain/chat/chat-state.ts'
import { besideTexts } from './beside-texts.ts'
import { chatTexts } from './chat-texts.ts'
import { useShortcuts } from '#web/lists/shortcuts.ts'
import { formatCount } from '#web/platform/formats.ts'
import { isRetryable } from '#web/platform/http.ts'
import { queryClient, refresh } from '#web/platform/query-client.ts'
import { ActDialog } from '#web/ui/act-dialog.tsx'
import { IconButton } from '#web/ui/button.tsx'
import { ArrowLeftRight } from '#web/ui/icons/arrow-left-right.tsx'
import { Menu } from '#web/ui/menu.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { usePrompt } from '#web/ui/use-prompt.ts'
import { MergeDialog, othersOfCustomerQuery } from './merge-dialog.tsx'
import { mergeTexts } from './merge-texts.ts'
import { noteDraft } from './drafts.ts'
import { notesTexts as texts } from './notes-texts.ts'
import { queueTexts } from './queue-texts.ts'
import { changeHolder, conversationQuery, everyConversationKey } from './staff-api.ts'
import { useChatSession } from './use-chat.ts'

type HandOverProps = {
  readonly thread: Thread
  readonly admins: readonly ChatUser[]
  readonly presence: ChatState['presence']
  readonly onOpen: () => void
}

/** Shows a menu that hands the conversation over to a colleague or the queue, or merges it with another one. */
export function HandOver({ thread, admins, presence, onOpen }: HandOverProps) {
  const [chosen, setChosen] = useState<ChatPerson>()
  const [isMerging, setIsMerging] = useState(false)
  // The query does not run by itself, because the menu fetches the conversations each time it opens.
  const { data: others = [], refetch } = useQuery({ ...othersOfCustomerQuery(thread.key), enabled: false })
  const opener = useRef<() => void>(null)
  useShortcuts({
    g: (event) => {
      event.preventDefault()
      opener.current?.()
    },
  })
  const itemsOf = (isOnline: boolean) =>
    admins
      .filter((admin) => (presence[admin.id]?.isOnline ?? admin.isOnline) === isOnline)
      .map((admin) => ({
        id: admin.id,
        label: admin.username,
        hint: isOnline ? undefined : besideTexts.answersLater,
        onSelect: () => setChosen(admin),
      }))
  return (
    <>
      <Menu
        opener={opener}
        onOpen={() => {
          onOpen()
          void refetch()
        }}
        trigger={
          <IconButton label={besideTexts.handOver} className="text-ink-2">
            <ArrowLeftRight aria-hidden size={20} strokeWidth={1.7} />
          </IconButton>
        }
        groups={[
          { id: 'online', label: besideTexts.handOver, items: itemsOf(true) },
          { id: 'offline', label: chatTexts.offline, items: itemsOf(false) },
          {
            id: 'queue',
            label: CARE_DESK.username,
            items: [{ id: CARE_DESK.id, label: queueTexts.putBack, onSelect: () => setChosen(CARE_DESK) }],
          },
          {
            id: 'merge',
            label: mergeTexts.group,
            items:
              others.length === 0 ? [] : [{ id: 'merge', label: mergeTexts.open, onSelect: () => setIsMerging(true) }],
          },
        ]}
      />
      {isMerging && <MergeDialog thread={thread} others={others} onClose={() => setIsMerging(false)} />}
      {chosen !== undefined && <HandOverDialog thread={thread} to={chosen} onClose={() => setChosen(undefined)} />}
    </>
  )
}

type HandOverDialogProps = Pick<HandOverProps, 'thread'> & {
  readonly to: ChatPerson
  readonly onClose: () => void
}

/** Returns the conversation if `holderId` holds it although the answer was lost: hand-over and note are stored. */
const orHeldBy = (conversationId: string, holderId: string) => async (failed: unknown) => {
  const now = isRetryable(failed)
    ? await queryClient.query(conversationQuery(conversationId)).catch(() => undefined)
    : undefined
  if (now?.participants[1].id !== holderId) throw failed
  return now
}

/**
 * Hands the conversation over. The text for the new holder shares its draft with the conversation's note field, and the
 * draft is emptied once the text is stored as a note.
 */
function HandOverDialog({ thread, to, onClose }: HandOverDialogProps) {
  const { keepTyped, self, takeConversation, typedIn } = useChatSession()
  const draft = noteDraft(thread.key)
  const isPutBack = to.id === CARE_DESK.id
  const note = usePrompt(
    (text) =>
      text.trim() === '' || cleanText(text) !== null ? undefined : texts.tooLong(formatCount(MESSAGE_TEXT_MAX)),
    typedIn(draft),
  )
  return (
    <ActDialog
      title={isPutBack ? queueTexts.putBackTitle : texts.handOverTo(to.username)}
      description={
        isPutBack
          ? queueTexts.putBackText(thread.peer?.username ?? '')
          : texts.handOverText(thread.peer?.username ?? '', to.username)
      }
      confirmLabel={isPutBack ? queueTexts.putBack : texts.handOverConfirm}
      failText={besideTexts.moveFailed}
      // A message under way would be refused once a colleague holds the conversation.
      isBlocked={thread.pending.some(({ state }) => state === 'sending')}
      canRun={note.check}
      run={async () => {
        const moved = changeHolder(thread.key, self.id, to.id, cleanText(note.text) ?? undefined)
        takeConversation(await moved.catch(orHeldBy(thread.key, to.id)))
        keepTyped(draft, '')
      }}
      doneText={isPutBack ? queueTexts.isPutBack : besideTexts.handedOver(to.username)}
      onSettled={() => void refresh(everyConversationKey)}
      onClose={onClose}
    >
      <TextArea
        {...note.field}
        onChange={(event) => {
          note.field.onChange(event)
          keepTyped(draft, event.currentTarget.value)
        }}
        label={texts.handOverNote}
        hint={texts.handOverNoteHint}
      />
    </ActDialog>
  )
}
