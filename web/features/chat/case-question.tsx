import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { careCaseEndpoints } from '#contract/care-cases.ts'
import { type Satisfaction, SATISFACTION_TEXT_MAX } from '#domain/chat/case.ts'
import type { Thread } from '#domain/chat/thread.ts'
import { callEndpoint } from '#web/platform/api.ts'
import { endpointQuery } from '#web/platform/endpoint-query.ts'
import { refusalOf } from '#web/platform/http.ts'
import { useAct } from '#web/ui/use-act.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { CircleAlert } from '#web/ui/icons/circle-alert.tsx'
import { CircleCheck } from '#web/ui/icons/circle-check.tsx'
import { X } from '#web/ui/icons/x.tsx'
import { SegmentedControl } from '#web/ui/segmented-control.tsx'
import { TextInput } from '#web/ui/text-input.tsx'
import { Form } from '#web/ui/field.tsx'
import { caseTexts as texts } from './case-texts.ts'

const choices = (
  [
    ['good', CircleCheck],
    ['bad', CircleAlert],
  ] as const
).map(([value, Icon]) => ({
  value,
  label: (
    <span className="flex items-center gap-1.5">
      <Icon aria-hidden size={16} className="shrink-0" />
      {texts.answers[value]}
    </span>
  ),
}))

/** Asks the player whether customer care helped in their last case (rules §7.16). */
export function CaseQuestion({ thread, selfId }: { readonly thread: Thread; readonly selfId: string }) {
  const { data } = useQuery({
    // The key contains `updatedAtMs`, so that the question is fetched again when the conversation's state changes.
    ...endpointQuery(['chat', thread.conversation?.updatedAtMs], careCaseEndpoints.readCaseQuestion, {
      params: { id: thread.key },
    }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
  })
  // A later message of the player begins the next case, so the question or the thanks for its answer disappears.
  const hasWritten = thread.messages.some(({ seq, sender }) => sender.id === selfId && seq > (data?.lastSeq ?? 0))
  if (data === undefined || hasWritten) return null
  return <OfCase id={thread.key} isAsked={data.isAsked} isWriting={thread.pending.length > 0} />
}

type OfCaseProps = { readonly id: string; readonly isAsked: boolean; readonly isWriting: boolean }

/** Asks about one case, but not while the player has an unsent message, which would begin a new case. */
function OfCase({ id, isAsked, isWriting }: OfCaseProps) {
  const [chosen, setChosen] = useState<Satisfaction | null>(null)
  const [text, setText] = useState('')
  const [answered, setAnswered] = useState<'said' | 'closed'>()
  const answer = useAct({
    failText: texts.notSent,
    run: async (satisfaction: Satisfaction | null) => {
      try {
        await callEndpoint(careCaseEndpoints.rateCase, { params: { id }, body: { satisfaction, text } })
      } catch (error) {
        if (refusalOf<'rateCase'>(error)?.code === 'NOT_ASKED') return 'closed'
        throw error
      }
      return satisfaction === null ? 'closed' : 'said'
    },
    onDone: setAnswered,
  })
  if (answered === 'closed' || isWriting) return null
  if (answered === 'said')
    return (
      <p role="status" className="border-b border-line bg-surface px-4 py-2 text-sm text-ink-2">
        {texts.thanks}
      </p>
    )
  if (!isAsked) return null
  return (
    <Form
      aria-label={texts.question}
      className="flex shrink-0 flex-col gap-2 border-b border-line bg-surface px-4 py-2"
      onSubmit={() => answer.start(chosen)}
    >
      <div className="flex items-start gap-2">
        <SegmentedControl
          label={texts.question}
          value={chosen}
          onChange={setChosen}
          columns={2}
          className="flex-1"
          options={choices}
        />
        <IconButton
          label={texts.skip}
          disabled={answer.isBusy}
          onClick={() => answer.start(null)}
          className="-mr-2 text-ink-3"
        >
          <X aria-hidden size={18} />
        </IconButton>
      </div>
      {chosen !== null && (
        <div className="flex items-end gap-2">
          <TextInput
            label={texts.more}
            maxLength={SATISFACTION_TEXT_MAX}
            value={text}
            onChange={({ target }) => setText(target.value)}
            className="min-w-0 flex-1"
          />
          <Button type="submit" variant="outline" isBusy={answer.isBusy}>
            {texts.send}
          </Button>
        </div>
      )}
      <p role="alert" className="text-sm text-down empty:hidden">
        {answer.failure}
      </p>
    </Form>
  )
}
