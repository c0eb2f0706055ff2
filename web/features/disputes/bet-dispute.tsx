import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { cleanSentence, disputableUntilMs, DISPUTE_TEXT_MAX } from '#domain/disputes/dispute.ts'
import { serverNowMs } from '#web/platform/server-time.ts'
import { useAct } from '#web/ui/use-act.ts'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { FormFailure } from '#web/ui/form-failure.tsx'
import { usePrompt } from '#web/ui/use-prompt.ts'
import { toast } from '#web/ui/toast.tsx'
import { Pending } from '#web/ui/pending.tsx'
import { Form } from '#web/ui/field.tsx'
import { betDisputeQuery, openDispute, useDisputeHints } from './api.ts'
import { DisputeCard, DisputeProof } from './dispute-card.tsx'
import { disputeTexts as texts } from './dispute-texts.ts'

/** Shows a settled bet's dispute, else a button to open one, or a text that it is too late for one (rules §9.1). */
export function BetDispute({ bet }: { readonly bet: { readonly id: string; readonly settledAtMs: number | null } }) {
  useDisputeHints()
  const { settledAtMs } = bet
  const query = useQuery({ ...betDisputeQuery(bet.id), enabled: settledAtMs !== null })
  if (settledAtMs === null) return null
  return (
    <section aria-label={texts.title} className="border-t border-line pt-3">
      {query.data === undefined ? (
        <Pending query={query} shapes={['h-target']} />
      ) : query.data !== null ? (
        <DisputeCard dispute={query.data} isOwn>
          <DisputeProof dispute={query.data} />
          <Link
            to="/support"
            search={{ conversation: query.data.conversationId }}
            className={buttonClass({ variant: 'outline' })}
          >
            {texts.toChat}
          </Link>
        </DisputeCard>
      ) : serverNowMs() >= disputableUntilMs(settledAtMs) ? (
        <p className="text-sm text-ink-3">{texts.tooLate}</p>
      ) : (
        <Offer betId={bet.id} onFailure={() => void query.refetch()} />
      )}
    </section>
  )
}

type OfferProps = { readonly betId: string; readonly onFailure: () => void }

function Offer({ betId, onFailure }: OfferProps) {
  const [isWriting, setIsWriting] = useState(false)
  if (isWriting) return <DisputeForm betId={betId} onFailure={onFailure} onCancel={() => setIsWriting(false)} />
  return (
    <div className="flex flex-col gap-2">
      <p className="text-sm text-ink-2">{texts.about}</p>
      <Button variant="outline" onClick={() => setIsWriting(true)}>
        {texts.open}
      </Button>
    </div>
  )
}

/** A form for the dispute's text. After sending, the player gets to the conversation about the dispute. */
function DisputeForm({ betId, onFailure, onCancel }: OfferProps & { readonly onCancel: () => void }) {
  const navigate = useNavigate()
  const sentence = usePrompt((text) => (cleanSentence(text) === null ? texts.missing : undefined))
  const { start, isBusy, failure } = useAct({
    failText: texts.sendFailed,
    run: async (_, signal) => {
      const { conversationId } = await openDispute(betId, sentence.text)
      toast.success(texts.sent)
      // A player who has left the form meanwhile is not led away, since they may be placing a bet by now.
      if (!signal.aborted) await navigate({ to: '/support', search: { conversation: conversationId } })
    },
    onFailure: () => {
      // The case may be opened although the answer was lost (rules §3.5).
      onFailure()
      return false
    },
  })
  return (
    <Form noValidate onSubmit={() => sentence.check() && start()} className="flex flex-col gap-3">
      <TextArea
        label={texts.field}
        hint={texts.fieldHint(String(DISPUTE_TEXT_MAX))}
        {...sentence.field}
        // The player has just opened this form in order to type, so the field takes the focus.
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- see above
        autoFocus
        required
        maxLength={DISPUTE_TEXT_MAX}
      />
      <FormFailure message={failure} />
      <div className="grid grid-cols-2 gap-2">
        <Button variant="outline" onClick={onCancel} disabled={isBusy}>
          {texts.cancel}
        </Button>
        <Button type="submit" isBusy={isBusy}>
          {texts.send}
        </Button>
      </div>
    </Form>
  )
}
