import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { cleanSentence, DISPUTE_TEXT_MAX } from '#domain/disputes/dispute.ts'
import { minorToText } from '#domain/money.ts'
import { readNumber } from '#domain/typed-number.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { useMay } from '#web/platform/use-may.ts'
import { formatAmount } from '#web/platform/formats.ts'
import { ActDialog } from '#web/ui/act-dialog.tsx'
import { Button } from '#web/ui/button.tsx'
import { numberProblems } from '#web/ui/typed-texts.ts'
import { NumberInput } from '#web/ui/number-input.tsx'
import { SegmentedControl } from '#web/ui/segmented-control.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { useOvertaken } from '#web/parts/overtaken.tsx'
import { useShownAct } from '#web/lists/use-admin-refresh.ts'
import { checkAll, usePrompt } from '#web/ui/use-prompt.ts'
import { useSecondPerson } from '#web/parts/second-person.tsx'
import { secondPersonTexts } from '#web/parts/second-person-texts.ts'
import { toast } from '#web/ui/toast.tsx'
import { adminDisputeTexts as texts } from './admin-dispute-texts.ts'
import { type Dispute, disputeQuery, showDispute, useDisputeHints } from './api.ts'
import { roundText, usualCorrections } from './dispute-words.ts'
import { type Answer, answerDispute } from './staff-api.ts'

export type AnswerDialogProps = {
  /** The dispute as it was when the dialog opened. */
  readonly seen: Dispute
  /** The dispute's current state. */
  readonly dispute: Dispute
  readonly onClose: () => void
}

type Verdict = Answer['verdict']

/** The dialog in which staff uphold a dispute with a correction, or reject it, and write a sentence to the player. */
export function AnswerDialog({ seen, dispute, onClose }: AnswerDialogProps) {
  const answer = useAnswer()
  // A correction moves points, so it needs another capability than a rejection, which is only a message (rules §4.5).
  const verdicts = { rejected: useMay('care'), upheld: useMay('money') }
  const [verdict, setVerdict] = useState<Verdict>(verdicts.rejected ? 'rejected' : 'upheld')
  const isUpheld = verdict === 'upheld'
  const sentence = usePrompt((text) => (cleanSentence(text) === null ? texts.sentenceMissing : undefined))
  const amount = usePrompt((text) => amountProblem(text, seen))
  const typed = readNumber(amount.text, 'cents')
  const amountMinor = typed.ok ? typed.minor : null
  const { username } = seen.owner
  const second = useSecondPerson(seen.owner, isUpheld ? amountMinor : null)
  const { isOvertaken, banner, onFailure } = useAnsweredMeanwhile(seen, dispute)
  const choose = (next: Verdict) => {
    setVerdict(next)
    // Setting the same texts again clears the errors that a failed check left at these fields.
    sentence.set(sentence.text)
    amount.set(amount.text)
  }

  return (
    <ActDialog
      title={texts.answerTitle}
      description={texts.answerFor(username, roundText(seen))}
      confirmLabel={confirmText(verdict, amountMinor, second.isNeeded)}
      tone={isUpheld ? 'primary' : 'danger'}
      isBlocked={isOvertaken}
      canRun={() => checkAll(isUpheld ? [amount, sentence] : [sentence])}
      run={async () => {
        const { status } = await answer(seen.id, {
          verdict,
          text: sentence.text,
          correctionMinor: isUpheld ? amountMinor : null,
        })
        toast.success(doneText(verdict, amountMinor, status, username))
      }}
      failText={texts.failed}
      onFailure={onFailure}
      onClose={onClose}
    >
      {banner}
      <div className="flex flex-col gap-4 text-left">
        <q dir="auto" className="text-sm text-ink-2 [overflow-wrap:anywhere]">
          {seen.text}
        </q>
        <SegmentedControl
          label={texts.verdict}
          look="bar"
          value={verdict}
          onChange={choose}
          options={(['rejected', 'upheld'] as const)
            .filter((value) => verdicts[value])
            .map((value) => ({ value, label: value === 'upheld' ? texts.uphold : texts.reject }))}
        />
        {isUpheld && <CorrectionField amount={amount} dispute={seen} banner={second.banner} />}
        <TextArea
          {...sentence.field}
          label={texts.sentence}
          hint={texts.sentenceHint}
          required
          maxLength={DISPUTE_TEXT_MAX}
        />
      </div>
    </ActDialog>
  )
}

/** `AnswerDialog` for the chat, which has no list of disputes, so this component fetches the current state. */
export function AnswerInChat({ seen, onClose }: Omit<AnswerDialogProps, 'dispute'>) {
  useDisputeHints()
  const { data = seen } = useQuery(disputeQuery(seen.id))
  return <AnswerDialog seen={seen} dispute={data} onClose={onClose} />
}

/** Returns a function that answers a dispute. The answered dispute stays open if a second person has to confirm. */
function useAnswer(): (id: string, answer: Answer) => Promise<Dispute> {
  const shown = useShownAct<Dispute>('disputes', 'proposals', 'audit')
  return async (id, answer) => {
    const dispute = await shown(answerDispute(id, answer))
    showDispute(dispute)
    return dispute
  }
}

const useAnsweredMeanwhile = (seen: Dispute, { status, answer }: Dispute) =>
  useOvertaken({
    known: status === seen.status ? undefined : { name: answer?.by.username ?? null },
    sentence: ({ name }) => (name === null ? texts.someoneAnswered : texts.justAnswered(name)),
    // After a conflict, `answer` is null until the list or the dispute has been fetched again.
    details: answer != null && (
      <q dir="auto" className="block font-normal [overflow-wrap:anywhere]">
        {answer.text}
      </q>
    ),
  })

function confirmText(verdict: Verdict, amountMinor: bigint | null, isProposal: boolean): string {
  if (verdict === 'rejected') return texts.rejectButton
  if (isProposal) return secondPersonTexts.button
  return amountMinor === null ? texts.upholdButtonPlain : texts.upholdButton(formatAmount(amountMinor))
}

/** @param status the dispute's status after the answer; still open if a second person has to confirm */
function doneText(verdict: Verdict, amountMinor: bigint | null, status: Dispute['status'], username: string): string {
  if (verdict === 'rejected') return texts.rejectedDone(username)
  return status === 'open'
    ? secondPersonTexts.proposed(username)
    : texts.upheldDone(username, formatAmount(amountMinor ?? 0n))
}

function amountProblem(text: string, { bet }: Dispute): string | undefined {
  const typed = readNumber(text, 'cents')
  if (!typed.ok) return { ...numberProblems, empty: texts.amountMissing }[typed.problem]
  if (typed.minor <= 0n) return texts.amountMissing
  return typed.minor > bet.stakeMinor ? texts.amountTooLarge : undefined
}

type CorrectionFieldProps = {
  readonly amount: ReturnType<typeof usePrompt>
  readonly dispute: Dispute
  /** A notice that a second person has to confirm; null if nobody has to. */
  readonly banner: ReactNode
}

function CorrectionField({ amount, dispute, banner }: CorrectionFieldProps) {
  const { voidMinor, wonMinor } = usualCorrections(dispute)
  const usual = [
    [voidMinor, texts.ifVoid],
    [wonMinor, texts.ifWon],
  ] as const
  return (
    <div className="flex flex-col gap-2">
      <NumberInput
        kind="cents"
        unit={commonTexts.points}
        label={texts.amount}
        hint={texts.amountHint(formatAmount(dispute.bet.stakeMinor))}
        {...amount.field}
        onChange={amount.set}
      />
      {banner}
      <div className="flex flex-wrap gap-2 empty:hidden">
        {usual.map(
          ([minor, say]) =>
            minor !== null && (
              <Button key={minor} variant="outline" size="sm" onClick={() => amount.set(minorToText(minor))}>
                {say(formatAmount(minor))}
              </Button>
            ),
        )}
      </div>
    </div>
  )
}
