import { Copy, KeyRound } from 'lucide-react'
import { useRef, useState } from 'react'
import { adminUserTexts as texts } from './admin-user-texts.ts'
import { formatSignedAmount } from '#web/platform/formats.ts'
import { ApiError, failureText } from '#web/platform/http.ts'
import { AmountInput } from '#web/ui/amount-input.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Sheet } from '#web/ui/dialog.tsx'
import { showAndFocusErrors } from '#web/ui/field.tsx'
import { FormFailure } from '#web/ui/form-failure.tsx'
import { NumberInput } from '#web/ui/number-input.tsx'
import { TextInput } from '#web/ui/text-input.tsx'
import { toast } from '#web/ui/toast.tsx'
import { readUser, type StaffUser } from './api.ts'
import {
  changeSentences,
  differences,
  type DraftErrors,
  type DraftField,
  draftOf,
  passwordFrom,
  readAmount,
  readDraft,
  rebase,
} from './user-draft.ts'
import { isStale, useUserActs } from './use-user-acts.ts'

/** Refusals that are about one field. */
const fieldByCode: Readonly<Record<string, DraftField>> = {
  USERNAME_TAKEN: 'username',
  USERNAME_INVALID: 'username',
  PASSWORD_INVALID: 'password',
  AMOUNT_LIMIT: 'balance',
}

const passwordLength = 12

export type EditUserDialogProps = {
  readonly user: StaffUser
  /** Nobody sets their own balance or password here (rules §1.2, §4). */
  readonly isSelf: boolean
  readonly onClose: () => void
}

/** Name, one-time password, balance with its reason, credit score and vip: a form, then what it comes to, then the act. */
export function EditUserDialog({ user, isSelf, onClose }: EditUserDialogProps) {
  const acts = useUserActs()
  const [base, setBase] = useState(user)
  const [draft, setDraft] = useState(() => draftOf(user))
  const [errors, setErrors] = useState<DraftErrors>({})
  const [step, setStep] = useState<'form' | 'review' | 'leaving'>('form')
  const [staleLines, setStaleLines] = useState<readonly string[]>()
  const [failure, setFailure] = useState<string>()
  const [isBusy, setIsBusy] = useState(false)
  const formRef = useRef<HTMLFormElement>(null)

  const { change, errors: wrong } = readDraft(draft, base)
  const sentences = changeSentences(change, base)
  const isTouched = sentences.length > 0 || Object.keys(wrong).length > 0
  const set = (field: DraftField) => (text: string) => {
    setDraft({ ...draft, [field]: text })
    setErrors({ ...errors, [field]: undefined })
    setFailure(undefined)
  }

  const showErrors = (found: DraftErrors) =>
    showAndFocusErrors(formRef, () => {
      setErrors(found)
      setStep('form')
    })
  const review = () => {
    setFailure(undefined)
    if (Object.keys(wrong).length > 0) return showErrors(wrong)
    if (sentences.length === 0) return setFailure(texts.nothingChanged)
    setStep('review')
  }
  /** Another admin or a bet was faster: says what changed, and keeps what was typed (rules §3). */
  const catchUp = async () => {
    const newer = await readUser(base.id)
    setStep('form')
    if (newer === null || newer.deletedAtMs !== null) return setFailure(texts.staleGone)
    setStaleLines(differences(base, newer))
    setDraft(rebase(draft, base, newer))
    setBase(newer)
    acts.refresh()
  }
  const save = async () => {
    setIsBusy(true)
    setFailure(undefined)
    try {
      await acts.update(base, change)
      toast.success(texts.saved(change.username ?? base.username))
      onClose()
    } catch (error) {
      const field = error instanceof ApiError ? fieldByCode[error.code] : undefined
      if (isStale(error)) await catchUp().catch(() => setFailure(failureText(error, texts.saveFailed)))
      else if (field !== undefined) showErrors({ [field]: failureText(error, texts.saveFailed) })
      else setFailure(failureText(error, texts.saveFailed))
    } finally {
      setIsBusy(false)
    }
  }
  const leave = () => {
    if (isBusy) return
    if (isTouched && step !== 'leaving') setStep('leaving')
    else onClose()
  }

  return (
    <Sheet
      isOpen
      onOpenChange={(isOpen) => !isOpen && leave()}
      title={step === 'review' ? texts.reviewTitle(base.username) : texts.editTitle(base.username)}
      footer={
        step === 'leaving' ? (
          <>
            <Button variant="outline" onClick={onClose}>
              {texts.discard}
            </Button>
            <Button onClick={() => setStep('form')}>{texts.keepEditing}</Button>
          </>
        ) : step === 'review' ? (
          <>
            <Button variant="outline" disabled={isBusy} onClick={() => setStep('form')}>
              {texts.back}
            </Button>
            <Button isBusy={isBusy} onClick={() => void save()}>
              {texts.save(String(sentences.length))}
            </Button>
          </>
        ) : (
          <Button onClick={review}>{texts.review}</Button>
        )
      }
    >
      {step === 'leaving' && <p className="text-sm text-ink-2">{texts.discardText}</p>}
      {step === 'review' && (
        <>
          <p className="text-sm text-ink-2">{texts.reviewText}</p>
          <ul className="flex list-disc flex-col gap-1.5 pl-4 text-sm font-medium tabular-nums">
            {sentences.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </>
      )}
      {step === 'form' && (
        <form
          ref={formRef}
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            review()
          }}
          className="flex flex-col gap-4"
        >
          {staleLines !== undefined && (
            <Banner tone="warn" isLive>
              {texts.staleTitle}
              <ul className="list-disc pl-4 font-normal tabular-nums">
                {staleLines.map((line) => (
                  <li key={line}>{line}</li>
                ))}
              </ul>
              <p className="font-normal">{texts.staleHint}</p>
            </Banner>
          )}
          <TextInput
            label={texts.username}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={draft.username}
            error={errors.username}
            onChange={(event) => set('username')(event.currentTarget.value)}
          />
          <div className="flex flex-col gap-2">
            <AmountInput
              label={texts.balance}
              value={draft.balance}
              disabled={isSelf}
              hint={isSelf ? texts.balanceOwnHint : (balanceHint(draft.balance, base) ?? texts.balanceHint)}
              error={errors.balance}
              onChange={set('balance')}
            />
            {change.balanceMinor !== undefined || errors.reason !== undefined || isOtherBalance(draft.balance, base) ? (
              <TextInput
                label={texts.reason}
                autoComplete="off"
                maxLength={200}
                value={draft.reason}
                error={errors.reason}
                onChange={(event) => set('reason')(event.currentTarget.value)}
              />
            ) : null}
          </div>
          <div className="grid grid-cols-2 gap-3">
            <NumberInput
              label={texts.creditScore}
              value={draft.creditScore}
              maxDigits={3}
              error={errors.creditScore}
              onChange={set('creditScore')}
            />
            <NumberInput
              label={texts.vip}
              value={draft.vip}
              maxDigits={2}
              hint={texts.vipHint}
              error={errors.vip}
              onChange={set('vip')}
            />
          </div>
          <div className="flex flex-col gap-2">
            <TextInput
              label={texts.password}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              disabled={isSelf}
              value={draft.password}
              hint={isSelf ? texts.passwordOwnHint : texts.passwordHint}
              error={errors.password}
              onChange={(event) => set('password')(event.currentTarget.value)}
            />
            {!isSelf && (
              <div className="flex flex-wrap gap-2">
                <Button
                  variant="outline"
                  size="sm"
                  onClick={() => set('password')(passwordFrom(crypto.getRandomValues(new Uint8Array(passwordLength))))}
                >
                  <KeyRound aria-hidden size={16} strokeWidth={1.8} />
                  {texts.makePassword}
                </Button>
                {draft.password !== '' && <CopyButton text={draft.password} />}
              </div>
            )}
          </div>
          {/* Enter in a field asks for the review. */}
          <button type="submit" hidden tabIndex={-1} aria-hidden />
        </form>
      )}
      <FormFailure message={failure} />
    </Sheet>
  )
}

const isOtherBalance = (typed: string, base: StaffUser): boolean => {
  const minor = readAmount(typed)
  return minor !== null && minor !== base.balanceMinor
}

/** By how much the balance will be adjusted, while it is typed. */
function balanceHint(typed: string, base: StaffUser): string | undefined {
  const minor = readAmount(typed)
  return minor === null || minor === base.balanceMinor
    ? undefined
    : texts.difference(formatSignedAmount(minor - base.balanceMinor))
}

/** Only where the browser lets a page write the clipboard: on https and localhost. */
function CopyButton({ text }: { readonly text: string }) {
  if (!globalThis.isSecureContext) return null
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    toast.success(texts.copied)
  }
  return (
    <Button variant="outline" size="sm" onClick={() => void copy().catch(() => {})}>
      <Copy aria-hidden size={16} strokeWidth={1.8} />
      {texts.copy}
    </Button>
  )
}
