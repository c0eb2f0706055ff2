import { useRef, useState } from 'react'
import { type CodeOf, refusalOf, failureText } from '#web/platform/http.ts'
import { showAndFocusErrors } from '#web/ui/field.tsx'
import { useSecondPerson } from '#web/parts/second-person.tsx'
import { secondPersonTexts } from '#web/parts/second-person-texts.ts'
import { useAct } from '#web/ui/use-act.ts'
import { toast } from '#web/ui/toast.tsx'
import { adminUserTexts as texts } from './admin-user-texts.ts'
import { readUser, type StaffUser } from './api.ts'
import {
  changeSentences,
  differences,
  type DraftErrors,
  type DraftField,
  draftOf,
  readDraft,
  rebase,
} from './user-draft.ts'
import { isStale, useUserActs } from './use-user-acts.ts'

const fieldByCode: Readonly<Partial<Record<CodeOf<'updateUser'>, DraftField>>> = {
  USERNAME_TAKEN: 'username',
  USERNAME_INVALID: 'username',
  PASSWORD_INVALID: 'password',
  AMOUNT_LIMIT: 'balance',
}

/** Keeps the typed draft and `base`, the version of the user on which the draft is based. */
function useUserDraft(user: StaffUser) {
  const [base, setBase] = useState(user)
  const [draft, setDraft] = useState(() => draftOf(user))
  /** One sentence for each change of the user that `moveTo` found; null before its first call. */
  const [staleLines, setStaleLines] = useState<readonly string[] | null>(null)

  const { change, errors: wrong } = readDraft(draft, base)
  const second = useSecondPerson(
    base,
    change.balanceMinor === undefined ? null : change.balanceMinor - base.balanceMinor,
  )
  return {
    base,
    draft,
    change,
    wrong,
    sentences: changeSentences(change, base),
    second,
    /** True if a second person has to confirm, but the reason is still the default text, which says nothing to them. */
    isReasonDue: second.isNeeded && change.reason === texts.reasonDefault,
    staleLines,
    setField: (field: DraftField, text: string) => setDraft({ ...draft, [field]: text }),
    /** Bases the draft on a newer version of the user and keeps the typed texts (rules §3.8). */
    moveTo: (newer: StaffUser) => {
      setStaleLines(differences(base, newer))
      setDraft(rebase(draft, base, newer))
      setBase(newer)
    },
  }
}

function useSaving(
  save: () => Promise<{ readonly isProposed: boolean }>,
  name: string,
  { onDone, explain }: { readonly onDone: () => void; readonly explain: (error: unknown) => Promise<void> },
) {
  return useAct({
    failText: texts.saveFailed,
    run: async () => {
      try {
        const { isProposed } = await save()
        toast.success(isProposed ? secondPersonTexts.proposed(name) : texts.saved(name))
      } catch (error) {
        await explain(error)
        throw error
      }
    },
    onDone,
    // Returns true, so that `useAct` does not set its `failure`: `explain` has shown the failure already.
    onFailure: () => true,
  })
}

export function useUserEdit(user: StaffUser, onClose: () => void) {
  const acts = useUserActs()
  const { setField, moveTo, change, wrong, isReasonDue, ...form } = useUserDraft(user)
  const { base, sentences } = form
  const [errors, setErrors] = useState<DraftErrors>({})
  const [step, setStep] = useState<'form' | 'review' | 'leaving'>('form')
  const [failure, setFailure] = useState<string>()
  const formRef = useRef<HTMLFormElement>(null)
  const isTouched = sentences.length > 0 || Object.keys(wrong).length > 0

  const showErrors = (found: DraftErrors) =>
    showAndFocusErrors(formRef, () => {
      setErrors(found)
      setStep('form')
    })
  /** Loads the newer version of the user into the form. */
  const catchUp = async () => {
    const newer = await readUser(base.id)
    setStep('form')
    if (newer === null || newer.deletedAtMs !== null) return setFailure(texts.staleGone)
    moveTo(newer)
    acts.refresh()
  }
  const explain = async (failed: unknown) => {
    const text = failureText(failed, texts.saveFailed)
    const code = refusalOf<'updateUser'>(failed)?.code
    const field = code && fieldByCode[code]
    if (isStale(failed)) await catchUp().catch(() => setFailure(text))
    else if (field !== undefined) showErrors({ [field]: text })
    else setFailure(text)
  }
  const save = () => acts.update(base, change)
  const { start, isBusy } = useSaving(save, change.username ?? base.username, { onDone: onClose, explain })
  return {
    ...form,
    errors,
    set: (field: DraftField) => (text: string) => {
      setField(field, text)
      setErrors({ ...errors, [field]: undefined })
      setFailure(undefined)
    },
    step,
    failure,
    isBusy,
    formRef,
    review: () => {
      setFailure(undefined)
      if (Object.keys(wrong).length > 0) return showErrors(wrong)
      if (sentences.length === 0) return setFailure(texts.nothingChanged)
      if (isReasonDue) return showErrors({ reason: texts.reasonForSecond })
      setStep('review')
    },
    save: () => {
      setFailure(undefined)
      if (isReasonDue) showErrors({ reason: texts.reasonForSecond })
      else start()
    },
    backToForm: () => setStep('form'),
    /** Closes the dialog, after a confirmation if anything was edited. Does nothing during a save. */
    leave: () => {
      if (isBusy) return
      if (isTouched && step !== 'leaving') setStep('leaving')
      else onClose()
    },
  }
}

export type UserEdit = ReturnType<typeof useUserEdit>
