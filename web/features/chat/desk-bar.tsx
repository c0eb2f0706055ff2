import { careCaseEndpoints } from '#contract/care-cases.ts'
import { chatEndpoints } from '#contract/chat.ts'
import { careTopicTexts } from '#web/parts/care-topic-texts.ts'
import { callEndpoint } from '#web/platform/api.ts'
import { dayMinuteText } from '#web/platform/day-minute.ts'
import { noop } from '@tanstack/react-query'
import { type ComponentProps, useEffect, useEffectEvent, useState } from 'react'
import {
  CASE_TOPICS,
  type CaseTopic,
  type Desk,
  type DeskState,
  deskStateAt,
  waitingSinceMs,
} from '#domain/chat/desk.ts'
import { CARE_DESK } from '#domain/chat/conversation.ts'
import { isBlank } from '#domain/blank.ts'
import { type PendingMessage, standingOf, type Thread } from '#domain/chat/thread.ts'
import { REPLY_DUE_MS } from '#domain/attention/attention.ts'
import { useKeyDown, useShortcuts } from '#web/lists/shortcuts.ts'
import { formatWait } from '#web/platform/formats.ts'
import { refusalOf } from '#web/platform/http.ts'
import { queryClient } from '#web/platform/query-client.ts'
import { serverNowMs } from '#web/platform/server-time.ts'
import { useAct } from '#web/ui/use-act.ts'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import type { ChatSession } from './chat-session.ts'
import { besideTexts } from './beside-texts.ts'
import { ConversationTags } from './conversation-tags.tsx'
import { deskTexts as texts } from './desk-texts.ts'
import { queueTexts } from './queue-texts.ts'
import { snoozeChoices } from './snooze-choices.ts'
import { changeHolder, conversationQuery } from './staff-api.ts'
import { useStaffTyping, useStaffViewing } from './staff-typing.tsx'
import { useChatSession } from './use-chat.ts'

type Change = {
  readonly state: DeskState
  readonly untilMs?: number | null
  /** True if Ctrl Enter asked for the change. Such a change is made only if `isAllSent` returns true. */
  readonly isAfterField?: boolean
}

export function DeskBar({ thread, onLeft }: { readonly thread: Thread; readonly onLeft: () => void }) {
  const { self } = useChatSession()
  const desk = thread.conversation?.desk
  const state = desk === undefined ? undefined : deskStateAt(desk, serverNowMs())
  const standing = standingOf(thread, self.id)
  const isOwn = standing === 'own'
  const isOpen = isOwn && state === 'open'
  const { set, claim, isSnoozing, setIsSnoozing } = useActs(thread, isOpen, onLeft)
  const typist = useStaffTyping(thread.key)
  const viewers = useStaffViewing(thread.key)
  // An unclaimed conversation can only be claimed, and only the state of an own one can be changed. So the bar shows
  // the failure of the one act that is possible.
  const { failure } = standing === 'unheld' ? claim : set
  if (desk === undefined || state === undefined) return null
  const sinceMs = waitingSinceMs(desk, serverNowMs())
  const waitedMs = sinceMs === null ? null : serverNowMs() - sinceMs
  return (
    <div className="flex shrink-0 flex-wrap items-center justify-end gap-x-2 gap-y-1 border-b border-line bg-surface px-3 py-1">
      <p
        className={classNames(
          'min-w-0 flex-1 basis-16 text-xs',
          (waitedMs ?? 0) >= REPLY_DUE_MS ? 'font-semibold text-warn' : 'text-ink-2',
        )}
      >
        {typist !== undefined
          ? besideTexts.answersNow(typist)
          : standing === 'taken'
            ? queueTexts.takenBy(thread.conversation?.participants[1].username ?? '')
            : standing === 'unheld'
              ? waitedMs === null
                ? queueTexts.unheld
                : queueTexts.unheldWaits(formatWait(waitedMs))
              : ownText(desk, state, waitedMs)}
        {viewers !== undefined && (
          <span className="block [overflow-wrap:anywhere] font-normal text-ink-3">{besideTexts.viewsToo(viewers)}</span>
        )}
      </p>
      {isOwn && desk.topic !== undefined && <TopicSelect conversationId={thread.key} topic={desk.topic} />}
      {isOpen ? (
        <>
          <Act label={texts.snooze} disabled={set.isBusy} onClick={() => setIsSnoozing(true)} />
          <Act label={texts.done} isBusy={set.isBusy} onClick={() => set.start({ state: 'done' })} />
        </>
      ) : standing === 'unheld' ? (
        <Act label={besideTexts.claim} isBusy={claim.isBusy} onClick={() => claim.start()} />
      ) : (
        isOwn && <Act label={texts.openAgain} isBusy={set.isBusy} onClick={() => set.start({ state: 'open' })} />
      )}
      {thread.conversation !== null && <ConversationTags conversation={thread.conversation} />}
      {failure !== undefined && (
        <p role="alert" className="basis-full text-sm font-medium text-down">
          {failure}
        </p>
      )}
      {isSnoozing && <SnoozeDialog onChoose={set.start} onClose={() => setIsSnoozing(false)} />}
    </div>
  )
}

/** Returns the acts that claim the conversation or change its state. Binds the keys `e`, `h`, `r` and Ctrl Enter. */
function useActs(thread: Thread, isOpen: boolean, onLeft: () => void) {
  const session = useChatSession()
  const { self, takeConversation } = session
  const takeRefusal = useHolderAfterRefusal(thread)
  const [isSnoozing, setIsSnoozing] = useState(false)
  const set = useAct({
    failText: texts.stateFailed,
    run: async ({ state, untilMs = null, isAfterField = false }: Change, signal) => {
      // Because of this seq, the server refuses `done` and `snoozed` if the player has written a later message.
      const seenSeq = thread.lastSeq
      setIsSnoozing(false)
      // `done` ends the player's wait, so the admin's answer, which the server may refuse, has to be stored first.
      if (state === 'done' && !(await whenStored(session, thread.key, signal))) return 'open'
      if (isAfterField && !isAllSent(session, thread.key)) return 'open'
      takeConversation(
        await callEndpoint(chatEndpoints.changeState, {
          params: { id: thread.key },
          body: { state, untilMs, seenSeq },
        }),
      )
      return state
    },
    // If the admin has opened another conversation meanwhile, `onDone` does not run, and that conversation stays open.
    onDone: (state) => state !== 'open' && onLeft(),
    onFailure: takeRefusal,
  })
  const claim = useAct({
    failText: besideTexts.moveFailed,
    run: async () => takeConversation(await changeHolder(thread.key, CARE_DESK.id, self.id)),
    onFailure: takeRefusal,
  })
  useShortcuts({
    e: () => isOpen && set.start({ state: 'done' }),
    h: () => isOpen && setIsSnoozing(true),
    r: (event) => {
      event.preventDefault()
      document.querySelector<HTMLElement>('textarea')?.focus()
    },
  })
  useSendAndDone(() => {
    if (isOpen && isAllSent(session, thread.key)) set.start({ state: 'done', isAfterField: true })
  })
  return { set, claim, isSnoozing, setIsSnoozing }
}

const Act = ({ label, ...button }: { readonly label: string } & Omit<ComponentProps<typeof Button>, 'children'>) => (
  <Button size="sm" variant="outline" {...button}>
    {label}
  </Button>
)

function ownText({ snoozedUntilMs }: Desk, state: DeskState, waitedMs: number | null): string {
  if (state === 'done') return texts.isDone
  if (state === 'snoozed') return texts.snoozedUntil(dayMinuteText(snoozedUntilMs ?? 0))
  return waitedMs === null ? texts.isAnswered : texts.waits(formatWait(waitedMs))
}

type SnoozeDialogProps = { readonly onChoose: (change: Change) => void; readonly onClose: () => void }

const SnoozeDialog = ({ onChoose, onClose }: SnoozeDialogProps) => (
  <Dialog onClose={onClose} title={texts.snoozeTitle}>
    <div className="grid gap-2">
      {snoozeChoices(serverNowMs()).map(({ id, atMs }) => (
        <Button
          key={id}
          variant="outline"
          className="justify-between"
          onClick={() => onChoose({ state: 'snoozed', untilMs: atMs })}
        >
          <span>{texts.snoozeChoices[id]}</span>
          <span className="text-ink-3 tabular-nums">{dayMinuteText(atMs)}</span>
        </Button>
      ))}
    </div>
  </Dialog>
)

function TopicSelect({ conversationId, topic }: { readonly conversationId: string; readonly topic: CaseTopic | null }) {
  const { takeConversation } = useChatSession()
  const set = useAct({
    failText: texts.topicFailed,
    run: async (to: CaseTopic | null) =>
      takeConversation(
        await callEndpoint(careCaseEndpoints.changeTopic, { params: { id: conversationId }, body: { topic: to } }),
      ),
  })
  const shown = (set.wish === undefined ? topic : set.wish) ?? ''
  return (
    <>
      <select
        aria-label={texts.topic}
        value={shown}
        onChange={({ target }) => set.start(CASE_TOPICS.find((one) => one === target.value) ?? null)}
        className="h-9 max-w-32 rounded-s border border-control bg-surface px-2 text-sm text-ink focus:border-gold"
      >
        <option value="">{careTopicTexts.none}</option>
        {CASE_TOPICS.map((one) => (
          <option key={one} value={one}>
            {careTopicTexts.topics[one]}
          </option>
        ))}
      </select>
      {set.failure !== undefined && (
        <p role="alert" className="order-last basis-full text-sm font-medium text-down">
          {set.failure}
        </p>
      )}
    </>
  )
}

/** After a failed message, reads the holder again. The returned `onFailure` handler does so after HOLDER_CHANGED. */
function useHolderAfterRefusal({ key, pending }: Thread): (error: unknown) => boolean {
  const { receiveConversations } = useChatSession()
  const readHolder = () => {
    queryClient.query(conversationQuery(key)).then((conversation) => receiveConversations([conversation]), noop)
  }
  const readAfterMessage = useEffectEvent(readHolder)
  const hasFailed = pending.some(({ state }) => state === 'failed')
  useEffect(() => {
    if (hasFailed) readAfterMessage()
  }, [hasFailed])
  return (error) => {
    if (refusalOf(error)?.code === 'HOLDER_CHANGED') readHolder()
    return false
  }
}

/** Waits until messages under way are stored. Resolves with false if one is refused or discarded, or on abort. */
function whenStored({ snapshot, subscribe }: ChatSession, key: string, signal: AbortSignal): Promise<boolean> {
  const thread = () => snapshot().chat.threads[key]
  const pending = () => thread()?.pending ?? []
  const awaited = new Set<string>()
  const isSending = ({ state }: PendingMessage) => state === 'sending'
  const refusedBefore = new Set(pending().flatMap((one) => (isSending(one) ? [] : one.clientMessageId)))
  return new Promise((resolve) => {
    const check = () => {
      const isGivenUp =
        signal.aborted || pending().some((one) => !isSending(one) && !refusedBefore.has(one.clientMessageId))
      for (const one of pending()) if (isSending(one)) awaited.add(one.clientMessageId)
      if (!isGivenUp && pending().some(isSending)) return
      stop()
      // A discarded message is not pending any more, so only messages found in the thread count as stored.
      const stored = new Set(thread()?.messages.map(({ clientMessageId }) => clientMessageId))
      resolve(!isGivenUp && [...awaited].every((id) => stored.has(id)))
    }
    const stop = subscribe(check)
    signal.addEventListener('abort', check)
    check()
  })
}

/** Returns whether the message field has no text, file or edit, and the thread has no refused message. */
function isAllSent({ snapshot, typedIn }: ChatSession, key: string): boolean {
  const { attached, chat, picked } = snapshot()
  const isRefused = chat.threads[key]?.pending.some(({ state }) => state === 'failed') === true
  return !isRefused && isBlank(typedIn(key)) && !attached[key] && picked?.is !== 'edit'
}

/** Calls `finish` after Ctrl Enter in the message field. The field's own handler runs first and sends the message. */
function useSendAndDone(finish: () => void): void {
  useKeyDown((event) => {
    const isSend = event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.isComposing
    const { target } = event
    if (!isSend || !(target instanceof HTMLElement) || !target.matches('[enterkeyhint=send]')) return
    if (target.closest('[role=dialog]') === null) finish()
  })
}
