import type { FactorStep } from '#contract/sign-in.ts'
import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { delaysMs } from '#web/boot/delays.ts'
import { afterPause, useLazyPart } from '#web/platform/lazy-part.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { signInTexts } from './sign-in-texts.ts'
import { Form, showAndFocusErrors } from '#web/ui/field.tsx'
import { PasswordInput, TextInput } from '#web/ui/text-input.tsx'
import type { SignedIn } from './sign-in-api.ts'
import { FormEnd } from '#web/ui/form-failure.tsx'
import type { LoginErrors } from './login-work.ts'

const loadWork = () => import('./login-work.ts')
const loadFactorStep = () => import('./factor-step.tsx')
const loadWorkAhead = afterPause(delaysMs.signInRules, loadWork)

export type LoginFormProps = {
  readonly onSignedIn: (session: SignedIn) => void
  /** Reports whether the server asks for the second step of an admin's sign-in. */
  readonly onStep: (isAsked: boolean) => void
}

/** The form does without the form library, because a visitor's browser loads this code before the first paint. */
export function LoginForm({ onSignedIn, onStep }: LoginFormProps) {
  const formRef = useRef<HTMLFormElement>(null)
  const [errors, setErrors] = useState<LoginErrors>({})
  const [isSubmitting, setIsSubmitting] = useState(false)
  const [step, setStep] = useState<FactorStep>()
  const { part } = useLazyPart(loadFactorStep, step !== undefined)
  useEffect(() => onStep(step !== undefined), [step, onStep])
  useEffect(() => {
    // Prefetches login-work.ts while the visitor types. If this fails, the submit loads the file.
    loadWorkAhead().catch(() => {})
  }, [])

  const submit = async () => {
    if (isSubmitting) return
    const data = new FormData(formRef.current ?? undefined)
    const text = (name: string) => {
      const value = data.get(name)
      return typeof value === 'string' ? value : ''
    }
    setIsSubmitting(true)
    const outcome = await loadWork().then(
      (work) => work.submitLogin({ username: text('username'), password: text('password') }),
      () => ({ ok: false, errors: { form: commonTexts.serverUnreachable } }) as const,
    )
    setIsSubmitting(false)
    if (outcome.ok) return 'challenge' in outcome.session ? setStep(outcome.session) : onSignedIn(outcome.session)
    showAndFocusErrors(formRef, () => setErrors(outcome.errors))
  }
  /** Returns to the first step. The pressed button disappears, so the first field gets the focus. */
  const restart = () => {
    flushSync(() => setStep(undefined))
    formRef.current?.querySelector('input')?.focus()
  }
  const forget = (name: keyof LoginErrors) => () => {
    if (errors[name] !== undefined) setErrors({ ...errors, [name]: undefined })
  }

  if (step !== undefined && part !== undefined)
    return <part.FactorStepForm step={step} onSignedIn={onSignedIn} onRestart={restart} />
  return (
    <Form ref={formRef} noValidate onSubmit={() => void submit()} className="flex flex-col gap-4">
      <TextInput
        label={signInTexts.username}
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        error={errors.username}
        onChange={forget('username')}
      />
      <PasswordInput
        label={signInTexts.password}
        name="password"
        autoComplete="current-password"
        error={errors.password}
        onChange={forget('password')}
      />
      <FormEnd failure={errors.form} isBusy={isSubmitting || step !== undefined}>
        {signInTexts.loginButton}
      </FormEnd>
    </Form>
  )
}
