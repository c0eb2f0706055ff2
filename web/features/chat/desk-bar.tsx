import { dayMinuteText } from '#web/platform/day-minute.ts'
import { useEffect, useEffectEvent, useState } from 'react'
import { type DeskState, deskStateAt, waitingSinceMs } from '#domain/chat/desk.ts'
import { CARE_DESK } from '#domain/chat/conversation.ts'
import { isBlank } from '#domain/blank.ts'
import { standingOf, type Thread } from '#domain/chat/thread.ts'
import { REPLY_DUE_MS } from '#domain/attention/attention.ts'
import { useShortcuts } from '#web/lists/shortcuts.ts'
import { formatWait } from '#web/platform/formats.ts'
import { serverNowMs } from '#web/platform/server-time.ts'
import { useAct } from '#web/platform/use-act.ts'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { besideTexts } from './beside-texts.ts'
import { ConversationTags } from './conversation-tags.tsx'
import { deskTexts as texts } from './desk-texts.ts'
import { queueTexts } from './queue-texts.ts'
import { snoozeChoices } from './snooze-choices.ts'
import { changeHolder, changeState } from './staff-api.ts'
import { useStaffTyping, useStaffViewing } from './staff-typing.tsx'
import { TopicSelect } from './topic-select.tsx'
import { useChatSession } from './use-chat.ts'

export type DeskBarProps = {
  readonly thread: Thread
  /** Called once it is done or snoozed: the next one can be opened. */
  readonly onLeft: () => void
}

/** How far staff are with the open conversation, and the acts on that: done, later, open again. */
export function DeskBar({ thread, onLeft }: DeskBarProps) {
  const { self, takeConversation } = useChatSession()
  const [isSnoozing, setIsSnoozing] = useState(false)
  const set = useAct({
    failText: texts.stateFailed,
    run: async ({ state, untilMs = null }: { readonly state: DeskState; readonly untilMs?: number | null }) => {
      setIsSnoozing(false)
      takeConversation(await changeState(thread.key, { state, untilMs, seenSeq: thread.lastSeq }))
      return state
    },
    // An admin who has opened another conversation meanwhile may be writing there.
    onDone: (state) => state !== 'open' && onLeft(),
  })
  // The admin who held it until now may still be typing.
  const typist = useStaffTyping(thread.key)
  const viewers = useStaffViewing(thread.key)
  const desk = thread.conversation?.desk
  const state = desk === undefined ? undefined : deskStateAt(desk, serverNowMs())
  const standing = standingOf(thread, self.id)
  const isOwn = standing === 'own'
  const isOpen = isOwn && state === 'open'
  const claim = useAct({
    failText: besideTexts.moveFailed,
    run: async () => takeConversation(await changeHolder(thread.key, CARE_DESK.id, self.id)),
  })
  // An admin who holds the conversation by now, for example by answering it, did not fail to claim it.
  const { failure } = standing === 'unheld' ? claim : set
  useShortcuts({
    e: () => isOpen && set.start({ state: 'done' }),
    h: () => isOpen && setIsSnoozing(true),
    r: (event) => {
      event.preventDefault()
      document.querySelector<HTMLElement>('textarea')?.focus()
    },
  })
  useSendAndDone(thread.key, () => isOpen && set.start({ state: 'done' }))
  if (desk === undefined || state === undefined) return null
  const sinceMs = waitingSinceMs(desk, serverNowMs())
  const waitedMs = sinceMs === null ? 0 : serverNowMs() - sinceMs
  return (
    <div className="flex shrink-0 flex-wrap items-center justify-end gap-x-2 gap-y-1 border-b border-line bg-surface px-3 py-1">
      <p
        className={classNames(
          'min-w-0 flex-1 basis-16 text-xs',
          waitedMs >= REPLY_DUE_MS ? 'font-semibold text-warn' : 'text-ink-2',
        )}
      >
        {typist !== undefined
          ? besideTexts.answersNow(typist)
          : standing === 'taken'
            ? queueTexts.takenBy(thread.conversation?.participants[1].username ?? '')
            : standing === 'unheld'
              ? sinceMs === null
                ? queueTexts.unheld
                : queueTexts.unheldWaits(formatWait(waitedMs))
              : state === 'done'
                ? texts.isDone
                : state === 'snoozed'
                  ? texts.snoozedUntil(dayMinuteText(desk.snoozedUntilMs ?? 0))
                  : sinceMs === null
                    ? texts.isAnswered
                    : texts.waits(formatWait(waitedMs))}
        {viewers !== undefined && (
          <span className="block [overflow-wrap:anywhere] font-normal text-ink-3">{besideTexts.viewsToo(viewers)}</span>
        )}
      </p>
      {isOwn && desk.topic !== undefined && <TopicSelect conversationId={thread.key} topic={desk.topic} />}
      {isOpen ? (
        <>
          <Button size="sm" variant="outline" disabled={set.isBusy} onClick={() => setIsSnoozing(true)}>
            {texts.snooze}
          </Button>
          <Button size="sm" variant="outline" isBusy={set.isBusy} onClick={() => set.start({ state: 'done' })}>
            {texts.done}
          </Button>
        </>
      ) : standing === 'unheld' ? (
        <Button size="sm" variant="outline" isBusy={claim.isBusy} onClick={() => claim.start()}>
          {besideTexts.claim}
        </Button>
      ) : (
        isOwn && (
          <Button size="sm" variant="outline" isBusy={set.isBusy} onClick={() => set.start({ state: 'open' })}>
            {texts.openAgain}
          </Button>
        )
      )}
      {thread.conversation !== null && <ConversationTags conversation={thread.conversation} />}
      {failure !== undefined && (
        <p role="alert" className="basis-full text-sm font-medium text-down">
          {failure}
        </p>
      )}
      {isSnoozing && (
        <Dialog isOpen onOpenChange={setIsSnoozing} title={texts.snoozeTitle}>
          <div className="grid gap-2">
            {snoozeChoices(serverNowMs()).map(({ id, atMs }) => (
              <Button
                key={id}
                variant="outline"
                className="justify-between"
                onClick={() => set.start({ state: 'snoozed', untilMs: atMs })}
              >
                <span>{texts.snoozeChoices[id]}</span>
                <span className="text-ink-3 tabular-nums">{dayMinuteText(atMs)}</span>
              </Button>
            ))}
          </div>
        </Dialog>
      )}
    </div>
  )
}

/** Handles Ctrl Enter in the message field: the field sends what is in it, and the conversation is marked as done. */
function useSendAndDone(key: string, finish: () => void): void {
  const { snapshot, typedIn } = useChatSession()
  const handle = useEffectEvent((event: KeyboardEvent) => {
    const isSend = event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.isComposing
    const { target } = event
    if (!isSend || !(target instanceof HTMLElement) || !target.matches('[enterkeyhint=send]')) return
    if (target.closest('[role=dialog]') !== null) return
    // The field's own handler came first. What is still there was not sent: a reply just chosen, or too long a text.
    const { attached, picked } = snapshot()
    if (isBlank(typedIn(key)) && !attached[key] && picked?.is !== 'edit') finish()
  })
  useEffect(() => {
    document.addEventListener('keydown', handle)
    return () => document.removeEventListener('keydown', handle)
  }, [])
}
