import { Button } from '#web/ui/button.tsx'
import { Sheet } from '#web/ui/dialog.tsx'
import { FormFailure } from '#web/ui/form-failure.tsx'
import { adminUserTexts as texts } from './admin-user-texts.ts'
import type { StaffUser } from './api.ts'
import { UserForm } from './user-form.tsx'
import { useUserRights } from './use-user-rights.ts'
import { type UserEdit, useUserEdit } from './use-user-edit.ts'

export type EditUserDialogProps = {
  readonly user: StaffUser
  readonly isSelf: boolean
  readonly onClose: () => void
}

/** Edits a user: first the form, then a review of the changes before they are sent. */
export function EditUserDialog({ user, isSelf, onClose }: EditUserDialogProps) {
  const edit = useUserEdit(user, onClose)
  const may = useUserRights()
  const { base, step, failure, leave } = edit
  return (
    <Sheet
      onClose={leave}
      title={step === 'review' ? texts.reviewTitle(base.username) : texts.editTitle(base.username)}
      footer={<StepButtons edit={edit} onClose={onClose} />}
    >
      {step === 'form' && (
        <UserForm edit={edit} isSelf={isSelf} mayProfile={may.profile(user, isSelf)} mayBalance={may.balance} />
      )}
      {step === 'review' && (
        <>
          <p className="text-sm text-ink-2">{texts.reviewText}</p>
          <ul className="flex list-disc flex-col gap-1.5 pl-4 text-sm font-medium tabular-nums">
            {edit.sentences.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
          {edit.second.banner}
        </>
      )}
      {step === 'leaving' && <p className="text-sm text-ink-2">{texts.discardText}</p>}
      <FormFailure message={failure} />
    </Sheet>
  )
}

function StepButtons({ edit, onClose }: { readonly edit: UserEdit; readonly onClose: () => void }) {
  const { step, isBusy, sentences, second, backToForm, review, save } = edit
  switch (step) {
    case 'form':
      return <Button onClick={review}>{texts.review}</Button>
    case 'review':
      return (
        <>
          <Button variant="outline" disabled={isBusy} onClick={backToForm}>
            {texts.back}
          </Button>
          <Button isBusy={isBusy} onClick={save}>
            {second.isNeeded ? texts.propose(sentences.length - 1) : texts.save(String(sentences.length))}
          </Button>
        </>
      )
    case 'leaving':
      return (
        <>
          <Button variant="outline" onClick={onClose}>
            {texts.discard}
          </Button>
          <Button onClick={backToForm}>{texts.keepEditing}</Button>
        </>
      )
  }
}
