import { useId, useState } from 'react'
import { chatMergeEndpoints } from '#contract/chat-merge.ts'
import { CARE_DESK, type Conversation } from '#domain/chat/conversation.ts'
import { deskStateAt } from '#domain/chat/desk.ts'
import { isHeld } from '#domain/chat/merge.ts'
import type { Thread } from '#domain/chat/thread.ts'
import { callEndpoint } from '#web/platform/api.ts'
import { dayMinuteText } from '#web/platform/day-minute.ts'
import { endpointQuery } from '#web/platform/endpoint-query.ts'
import { formatCount } from '#web/platform/formats.ts'
import { refresh } from '#web/platform/query-client.ts'
import { serverNowMs } from '#web/platform/server-time.ts'
import { ActDialog } from '#web/ui/act-dialog.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { toast } from '#web/ui/toast.tsx'
import { mergeTexts as texts } from './merge-texts.ts'
import { queueTexts } from './queue-texts.ts'
import { everyConversationKey } from './staff-api.ts'
import { textOfLast, useChatSession } from './use-chat.ts'

export const othersOfCustomerQuery = (id: string) =>
  endpointQuery(everyConversationKey, chatMergeEndpoints.listOfCustomer, { params: { id } }, (all) =>
    all.filter((one) => one.id !== id),
  )

/** Returns the name of the colleague to ask before merging, or null if the conversation can be merged at once. */
function askedFirst({ participants: [, holder], isActive, desk }: Conversation): string | null {
  const holderId = holder.id === CARE_DESK.id ? null : holder.id
  return isHeld({ holderId, isActive, isDone: desk?.state === 'done' }) ? holder.username : null
}

type MergeDialogProps = {
  readonly thread: Thread
  readonly others: readonly Conversation[]
  readonly onClose: () => void
}

export function MergeDialog({ thread, others, onClose }: MergeDialogProps) {
  const { takeConversation } = useChatSession()
  const [chosen, setChosen] = useState(() => others.find((one) => askedFirst(one) === null)?.id)
  const group = useId()
  const own = thread.conversation
  if (own === null) return null
  return (
    <ActDialog
      title={texts.title(own.participants[0].username)}
      description={texts.what}
      confirmLabel={texts.confirm}
      failText={texts.failed}
      isBlocked={chosen === undefined}
      run={async () => {
        const merged = await callEndpoint(chatMergeEndpoints.mergeConversations, {
          params: { id: thread.key },
          body: { otherId: chosen ?? '' },
        })
        takeConversation(merged)
        toast.success(texts.isMerged(formatCount(merged.lastSeq)))
      }}
      onSettled={() => void refresh(everyConversationKey)}
      onClose={onClose}
    >
      <div className="grid gap-3">
        <p className="text-sm text-ink-2">{texts.customer}</p>
        <section aria-label={texts.own}>
          <h3 className="pb-1 text-xs font-semibold text-ink-2">{texts.own}</h3>
          <div className="rounded-s border border-line px-3 py-2">
            <Facts
              conversation={{ ...own, lastSeq: thread.lastSeq, lastMessage: thread.messages.at(-1) ?? own.lastMessage }}
              isOwn
            />
          </div>
        </section>
        <fieldset className="grid gap-2">
          <legend className="pb-1 text-xs font-semibold text-ink-2">{texts.others}</legend>
          {others.map((other) => {
            const asked = askedFirst(other)
            return (
              <label
                key={other.id}
                className={classNames(
                  'flex gap-3 rounded-s border border-control px-3 py-2 has-checked:border-gold has-checked:bg-gold-soft has-focus-visible:outline-2 has-focus-visible:outline-gold',
                  asked === null ? 'cursor-pointer' : 'border-line bg-surface-2',
                )}
              >
                <input
                  type="radio"
                  name={group}
                  checked={other.id === chosen}
                  disabled={asked !== null}
                  onChange={() => setChosen(other.id)}
                  className="mt-1 size-4 shrink-0 accent-gold outline-none"
                />
                <span className="min-w-0">
                  <Facts conversation={other} />
                  {asked !== null && <span className="block text-sm text-warn">{texts.held(asked)}</span>}
                </span>
              </label>
            )
          })}
        </fieldset>
      </div>
    </ActDialog>
  )
}

/** Shows a conversation's facts. The server leaves out the last message of a conversation that a colleague holds. */
function Facts({ conversation, isOwn = false }: { readonly conversation: Conversation; readonly isOwn?: boolean }) {
  const { participants, desk, lastSeq, lastActivityAtMs, lastMessage } = conversation
  const [, holder] = participants
  const state = texts.states[desk === undefined ? 'open' : deskStateAt(desk, serverNowMs())]
  return (
    <span className="block min-w-0 [overflow-wrap:anywhere]">
      <span className="block text-sm font-medium">
        {isOwn ? texts.yours : holder.id === CARE_DESK.id ? queueTexts.unheld : texts.holder(holder.username)}
      </span>
      <span className="block text-xs text-ink-2 tabular-nums">
        {texts.facts(formatCount(lastSeq), state, dayMinuteText(lastActivityAtMs))}
      </span>
      {lastMessage !== null && <span className="line-clamp-2 text-sm text-ink-2">{textOfLast(lastMessage)}</span>}
    </span>
  )
}
