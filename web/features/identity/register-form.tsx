import { useEffect } from 'react'
import { type Resolver, useForm } from 'react-hook-form'
import { commonTexts } from '#web/platform/texts.ts'
import { useSupportContact } from './public-config.ts'
import { signInTexts } from './sign-in-texts.ts'
import { PasswordInput, TextInput } from '#web/ui/text-input.tsx'
import type { SignedIn } from './sign-in-api.ts'
import { FormEnd } from '#web/ui/form-failure.tsx'
import type { RegisterValues } from './register-work.ts'

const loadWork = () => import('./register-work.ts')

/** Loads the fields' rules, with the schema library, on demand. Each submit retries a failed load. */
const resolver: Resolver<RegisterValues> = async (...args) => {
  const rules = await loadWork().catch(() => null)
  if (rules !== null) return rules.resolver(...args)
  return { values: {}, errors: { root: { server: { type: 'load', message: commonTexts.serverUnreachable } } } }
}

export function RegisterForm({ onSignedIn }: { readonly onSignedIn: (session: SignedIn) => void }) {
  const { register, handleSubmit, setError, formState } = useForm({
    resolver,
    defaultValues: { referralCode: '', username: '', password: '', passwordAgain: '' },
  })
  const { errors, isSubmitting } = formState
  const supportContact = useSupportContact() ?? signInTexts.anAdmin
  useEffect(() => {
    // Prefetches register-work.ts while the visitor types. If this fails, the submit loads the file.
    loadWork().catch(() => {})
  }, [])
  const submit = handleSubmit(async (values) => {
    const session = await (await loadWork()).submitRegistration(values, setError)
    if (session !== null) onSignedIn(session)
  })
  const field = (name: keyof RegisterValues) => ({ error: errors[name]?.message, ...register(name) })
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <TextInput
        label={signInTexts.referralCode}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        hint={signInTexts.referralHint(supportContact)}
        {...field('referralCode')}
      />
      <TextInput
        label={signInTexts.username}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        hint={signInTexts.usernameHint}
        {...field('username')}
      />
      <PasswordInput
        label={signInTexts.password}
        autoComplete="new-password"
        hint={signInTexts.passwordHint}
        {...field('password')}
      />
      <PasswordInput label={signInTexts.passwordAgain} autoComplete="new-password" {...field('passwordAgain')} />
      <FormEnd failure={errors.root?.['server']?.message} isBusy={isSubmitting}>
        {signInTexts.registerButton}
      </FormEnd>
    </form>
  )
}
