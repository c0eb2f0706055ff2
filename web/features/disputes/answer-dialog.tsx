import { useId, useState } from 'react'
import { cleanSentence, DISPUTE_TEXT_MAX } from '#domain/disputes/dispute.ts'
import { minorFromNumber, minorToText } from '#domain/money.ts'
import { useMay } from '#web/platform/use-may.ts'
import { formatAmount } from '#web/platform/formats.ts'
import { ApiError } from '#web/platform/http.ts'
import { ActDialog } from '#web/ui/act-dialog.tsx'
import { AmountInput } from '#web/ui/amount-input.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { SegmentedControl } from '#web/ui/segmented-control.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { useSecondPerson } from '#web/ui/second-person.tsx'
import { secondPersonTexts } from '#web/ui/second-person-texts.ts'
import { toast } from '#web/ui/toast.tsx'
import { adminDisputeTexts as texts } from './admin-dispute-texts.ts'
import type { Dispute } from './api.ts'
import { roundText, usualCorrections } from './dispute-words.ts'
import { useAnswer } from './use-answer.ts'

export type AnswerDialogProps = {
  /** The dispute when the dialog opened. */
  readonly seen: Dispute
  /** Its current state. */
  readonly dispute: Dispute
  readonly onClose: () => void
}

type Verdict = 'upheld' | 'rejected'

/** The name of the admin who answered first, by the server's refusal; null where it names nobody. */
function firstAnswerer(error: unknown): { readonly name: string | null } | undefined {
  if (!(error instanceof ApiError) || error.code !== 'ALREADY_DECIDED') return undefined
  const { decidedBy } = (error.details ?? {}) as { readonly decidedBy?: unknown }
  return { name: typeof decidedBy === 'string' ? decidedBy : null }
}

/** Staff uphold a dispute with a correction, or reject it, each with a sentence to the player; once. */
export function AnswerDialog({ seen, dispute, onClose }: AnswerDialogProps) {
  const answer = useAnswer()
  // A correction moves points; a rejection is a message alone (rules §4.5).
  const verdicts = { rejected: useMay('care'), upheld: useMay('money') }
  const [verdict, setVerdict] = useState<Verdict>(verdicts.rejected ? 'rejected' : 'upheld')
  const [amount, setAmount] = useState('')
  const [text, setText] = useState('')
  const [errors, setErrors] = useState<{ readonly amount?: string | undefined; readonly text?: string | undefined }>({})
  const [refused, setRefused] = useState<{ readonly name: string | null }>()
  const id = useId()
  const overtaken = dispute.status === seen.status ? refused : { name: dispute.answer?.by.username ?? null }
  const isUpheld = verdict === 'upheld'
  const amountMinor = amount === '' ? null : minorFromNumber(Number(amount))
  const { username } = seen.owner
  const second = useSecondPerson(seen.owner, isUpheld ? amountMinor : null)

  const check = (): boolean => {
    const found = {
      text: cleanSentence(text) === null ? texts.sentenceMissing : undefined,
      amount: !isUpheld
        ? undefined
        : amountMinor === null || amountMinor <= 0n
          ? texts.amountMissing
          : amountMinor > seen.bet.stakeMinor
            ? texts.amountTooLarge
            : undefined,
    }
    setErrors(found)
    const first = found.amount !== undefined ? 'input[inputmode]' : 'textarea'
    if (found.amount !== undefined || found.text !== undefined)
      document.getElementById(id)?.querySelector<HTMLElement>(first)?.focus()
    return found.amount === undefined && found.text === undefined
  }

  return (
    <ActDialog
      title={texts.answerTitle}
      description={texts.answerFor(username, roundText(seen))}
      confirmLabel={
        !isUpheld
          ? texts.rejectButton
          : second.isNeeded
            ? secondPersonTexts.button
            : amountMinor === null
              ? texts.upholdButtonPlain
              : texts.upholdButton(formatAmount(amountMinor))
      }
      tone={isUpheld ? 'primary' : 'danger'}
      isBlocked={overtaken !== undefined}
      canRun={check}
      run={async () => {
        const { status } = await answer(seen.id, { verdict, text, correctionMinor: isUpheld ? amountMinor : null })
        toast.success(
          !isUpheld
            ? texts.rejectedDone(username)
            : status === 'open'
              ? secondPersonTexts.proposed(username)
              : texts.upheldDone(username, formatAmount(amountMinor ?? 0n)),
        )
      }}
      failText={texts.failed}
      onFailure={(error) => {
        const first = firstAnswerer(error)
        if (first !== undefined) setRefused(first)
        return first !== undefined
      }}
      onClose={onClose}
    >
      {overtaken !== undefined && (
        <Banner tone="warn" isLive>
          {overtaken.name === null ? texts.someoneAnswered : texts.justAnswered(overtaken.name)}
          {/* Known once the list, or the dispute, has been read again. */}
          {dispute.answer != null && (
            <q dir="auto" className="block font-normal [overflow-wrap:anywhere]">
              {dispute.answer.text}
            </q>
          )}
        </Banner>
      )}
      <div id={id} className="flex flex-col gap-4 text-left">
        <q dir="auto" className="text-sm text-ink-2 [overflow-wrap:anywhere]">
          {seen.text}
        </q>
        <SegmentedControl
          label={texts.verdict}
          look="bar"
          value={verdict}
          onChange={(next) => {
            setVerdict(next)
            setErrors({})
          }}
          options={(
            [
              { value: 'rejected', label: texts.reject },
              { value: 'upheld', label: texts.uphold },
            ] as const
          ).filter(({ value }) => verdicts[value])}
        />
        {isUpheld && (
          <div className="flex flex-col gap-2">
            <AmountInput
              label={texts.amount}
              hint={texts.amountHint(formatAmount(seen.bet.stakeMinor))}
              error={errors.amount}
              value={amount}
              onChange={(next) => {
                setAmount(next)
                setErrors({ ...errors, amount: undefined })
              }}
            />
            {second.banner}
            <UsualAmounts dispute={seen} onChoose={(minor) => setAmount(minorToText(minor))} />
          </div>
        )}
        <TextArea
          label={texts.sentence}
          hint={texts.sentenceHint}
          error={errors.text}
          required
          maxLength={DISPUTE_TEXT_MAX}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value)
            setErrors({ ...errors, text: undefined })
          }}
        />
      </div>
    </ActDialog>
  )
}

type UsualAmountsProps = { readonly dispute: Dispute; readonly onChoose: (minor: bigint) => void }

function UsualAmounts({ dispute, onChoose }: UsualAmountsProps) {
  const { voidMinor, wonMinor } = usualCorrections(dispute)
  if (voidMinor === null && wonMinor === null) return null
  return (
    <div className="flex flex-wrap gap-2">
      {voidMinor !== null && (
        <Button variant="outline" size="sm" onClick={() => onChoose(voidMinor)}>
          {texts.ifVoid(formatAmount(voidMinor))}
        </Button>
      )}
      {wonMinor !== null && (
        <Button variant="outline" size="sm" onClick={() => onChoose(wonMinor)}>
          {texts.ifWon(formatAmount(wonMinor))}
        </Button>
      )}
    </div>
  )
}
