import { useState } from 'react'
import * as z from 'zod/mini'
import { normalPassword, PASSWORD_MAX, PASSWORD_MIN, passwordLength } from '#domain/identity/credentials.ts'
import type { CodeOf } from '#web/platform/http.ts'
import { createIntentKeys } from '#web/platform/intent-keys.ts'
import { resolverOf } from '#web/ui/form-resolver.ts'
import { changePasswordTexts } from './change-password-texts.ts'
import { PasswordInput } from '#web/ui/text-input.tsx'
import { changePassword } from './sign-in-api.ts'
import { FormEnd } from '#web/ui/form-failure.tsx'
import { useActForm } from '#web/ui/use-act-form.ts'

/** The rules of the fields (spec §5.1). */
const fields = z
  .object({
    currentPassword: z.string().check(z.minLength(1, changePasswordTexts.currentRequired)),
    newPassword: z.string().check(
      z.minLength(1, changePasswordTexts.nextRequired),
      z.refine((text) => passwordLength(text) >= PASSWORD_MIN, changePasswordTexts.tooShort),
      z.refine((text) => passwordLength(text) <= PASSWORD_MAX, changePasswordTexts.tooLong),
    ),
    confirmation: z.string().check(z.minLength(1, changePasswordTexts.confirmationRequired)),
  })
  .check(
    z.refine(
      ({ confirmation, newPassword }) =>
        confirmation === '' || normalPassword(confirmation) === normalPassword(newPassword),
      { error: changePasswordTexts.differs, path: ['confirmation'], when: () => true },
    ),
  )
const resolver = resolverOf(fields)

const fieldByCode = {
  PASSWORD_WRONG: 'currentPassword',
  PASSWORD_INVALID: 'newPassword',
  PASSWORD_SAME: 'newPassword',
} as const satisfies Partial<Record<CodeOf<'changePassword'>, string>>

export type ChangePasswordFormProps = {
  readonly username: string
  readonly onChanged: () => void
  /** A replacement for `changePassword`, with its own texts. `save` also has to set the new password. */
  readonly act?: {
    readonly save: (
      change: { readonly currentPassword: string; readonly newPassword: string },
      idempotencyKey: string,
    ) => Promise<unknown>
    readonly label: string
    readonly failed: string
  }
}

export function ChangePasswordForm({ username, onChanged, act }: ChangePasswordFormProps) {
  const [withKey] = useState(createIntentKeys)
  const { register, reset, errors, isBusy, failure, submit } = useActForm({
    resolver,
    defaultValues: { currentPassword: '', newPassword: '', confirmation: '' },
    fieldByCode,
    failText: act?.failed ?? changePasswordTexts.failed,
    run: ({ currentPassword, newPassword }) =>
      withKey([currentPassword, newPassword], (key) =>
        act === undefined
          ? changePassword({ username, currentPassword, newPassword }, key)
          : act.save({ currentPassword, newPassword }, key),
      ),
    onDone: () => {
      reset()
      onChanged()
    },
  })
  const field = (name: keyof z.output<typeof fields>) => ({ error: errors[name]?.message, ...register(name) })
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      {/* This hidden field lets password managers recognise the account. */}
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      <PasswordInput
        label={changePasswordTexts.current}
        autoComplete="current-password"
        {...field('currentPassword')}
      />
      <PasswordInput label={changePasswordTexts.next} autoComplete="new-password" {...field('newPassword')} />
      <PasswordInput label={changePasswordTexts.confirmation} autoComplete="new-password" {...field('confirmation')} />
      <FormEnd failure={failure} isBusy={isBusy}>
        {act?.label ?? changePasswordTexts.submit}
      </FormEnd>
    </form>
  )
}
