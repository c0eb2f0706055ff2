import { useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { PASSWORD_MAX, PASSWORD_MIN } from '#domain/identity/credentials.ts'
import type { CodeOf } from '#web/platform/http.ts'
import { resolverOf } from '#web/ui/form-resolver.ts'
import { changePasswordTexts } from './change-password-texts.ts'
import { Button } from '#web/ui/button.tsx'
import { PasswordInput } from '#web/ui/text-input.tsx'
import { changePassword } from './sign-in-api.ts'
import { FormFailure } from '#web/ui/form-failure.tsx'
import { showRefusal } from './refused-fields.ts'

/** Spec §5. */
const fields = z
  .object({
    currentPassword: z.string().check(z.minLength(1, changePasswordTexts.currentRequired)),
    newPassword: z
      .string()
      .check(
        z.minLength(1, changePasswordTexts.nextRequired),
        z.minLength(PASSWORD_MIN, changePasswordTexts.tooShort),
        z.maxLength(PASSWORD_MAX, changePasswordTexts.tooLong),
      ),
    confirmation: z.string().check(z.minLength(1, changePasswordTexts.confirmationRequired)),
  })
  .check(
    z.refine((values) => values.confirmation === '' || values.confirmation === values.newPassword, {
      error: changePasswordTexts.differs,
      path: ['confirmation'],
      when: () => true,
    }),
  )
const resolver = resolverOf(fields)

const fieldByCode = {
  PASSWORD_WRONG: 'currentPassword',
  PASSWORD_INVALID: 'newPassword',
} as const satisfies Partial<Record<CodeOf<'changePassword'>, string>>

export type ChangePasswordFormProps = { readonly username: string; readonly onChanged: () => void }

export function ChangePasswordForm({ username, onChanged }: ChangePasswordFormProps) {
  const { register, handleSubmit, setError, reset, formState } = useForm({
    resolver,
    defaultValues: { currentPassword: '', newPassword: '', confirmation: '' },
  })
  const { errors, isSubmitting } = formState
  const submit = handleSubmit(async ({ currentPassword, newPassword }) => {
    try {
      await changePassword({ username, currentPassword, newPassword })
    } catch (error) {
      showRefusal(error, setError, fieldByCode, changePasswordTexts.failed)
      return
    }
    reset()
    onChanged()
  })
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      {/* Lets password managers recognise the account. */}
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      <PasswordInput
        label={changePasswordTexts.current}
        autoComplete="current-password"
        error={errors.currentPassword?.message}
        {...register('currentPassword')}
      />
      <PasswordInput
        label={changePasswordTexts.next}
        autoComplete="new-password"
        error={errors.newPassword?.message}
        {...register('newPassword')}
      />
      <PasswordInput
        label={changePasswordTexts.confirmation}
        autoComplete="new-password"
        error={errors.confirmation?.message}
        {...register('confirmation')}
      />
      <div>
        <FormFailure message={errors.root?.['server']?.message} />
        <Button type="submit" isWide isBusy={isSubmitting}>
          {changePasswordTexts.submit}
        </Button>
      </div>
    </form>
  )
}
