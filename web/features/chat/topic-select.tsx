import { careCaseEndpoints } from '#contract/care-cases.ts'
import { CASE_TOPICS, type CaseTopic } from '#domain/chat/desk.ts'
import { careTopicTexts } from '#web/parts/care-topic-texts.ts'
import { callEndpoint } from '#web/platform/api.ts'
import { useAct } from '#web/platform/use-act.ts'
import { deskTexts as texts } from './desk-texts.ts'
import { useChatSession } from './use-chat.ts'

export type TopicSelectProps = { readonly conversationId: string; readonly topic: CaseTopic | null }

export function TopicSelect({ conversationId, topic }: TopicSelectProps) {
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
