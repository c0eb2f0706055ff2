import { useState } from 'react'
import type { FactorStep } from '#contract/sign-in.ts'
import { failureText } from '#web/platform/http.ts'
import { useAct } from '#web/ui/use-act.ts'
import { Button } from '#web/ui/button.tsx'
import { FormEnd } from '#web/ui/form-failure.tsx'
import { KeyRound } from '#web/ui/icons/key-round.tsx'
import { PasswordInput, TextInput } from '#web/ui/text-input.tsx'
import { required, usePrompt } from '#web/ui/use-prompt.ts'
import { Form } from '#web/ui/field.tsx'
import type { FactorProof } from './factor-api.ts'
import { factorTexts as texts } from './factor-texts.ts'
import { passkeyStopped, readPasskey } from './read-passkey.ts'
import { signInTexts } from './sign-in-texts.ts'

type Way = FactorStep['ways'][number]

export type FactorFormProps = {
  readonly step: FactorStep
  readonly prove: (proof: FactorProof) => Promise<void>
}

const others: Record<Way, string> = {
  passkey: texts.byPasskey,
  totp: texts.byTotp,
  recovery: texts.byRecovery,
  password: texts.byPassword,
}

/** Asks an admin for a passkey, an app's code or a recovery code, and a player for a passkey or the password. */
export function FactorForm({ step, prove }: FactorFormProps) {
  const [way, setWay] = useState<Way>(step.ways[0] ?? 'recovery')
  const code = usePrompt(required(way === 'password' ? signInTexts.passwordRequired : texts.codeRequired))
  const { start, isBusy, failure, forget } = useAct({
    failText: (error) => (error === passkeyStopped ? texts.passkeyStopped : failureText(error, texts.failed)),
    run: async () => {
      const typed = code.text.trim()
      if (way === 'passkey') await prove(await readPasskey(step.passkeyOptions))
      else if (way === 'password') await prove({ password: code.text })
      else await prove(way === 'totp' ? { code: typed } : { recoveryCode: typed })
    },
  })
  const submit = () => (way === 'passkey' || code.check()) && start()
  const choose = (next: Way) => () => {
    setWay(next)
    code.set('')
    forget()
  }
  // The user opened this form or chose this way in order to type, so the field takes the focus.
  const field = { ...code.field, autoFocus: true }

  return (
    <Form noValidate onSubmit={submit} className="flex flex-col gap-4">
      {way === 'password' && (
        <PasswordInput {...field} name="password" label={texts.passwordLabel} autoComplete="current-password" />
      )}
      {(way === 'totp' || way === 'recovery') && (
        <TextInput
          key={way}
          {...field}
          name="code"
          label={way === 'totp' ? texts.totpLabel : texts.recoveryLabel}
          hint={way === 'totp' ? texts.totpHint : texts.recoveryHint}
          inputMode={way === 'totp' ? 'numeric' : 'text'}
          autoComplete={way === 'totp' ? 'one-time-code' : 'off'}
          autoCapitalize="none"
          spellCheck={false}
          // A pasted code may contain spaces, which the server ignores.
          maxLength={way === 'totp' ? 40 : 80}
        />
      )}
      <FormEnd failure={failure} isBusy={isBusy}>
        {way === 'passkey' && <KeyRound aria-hidden size={18} strokeWidth={1.8} />}
        <span>{way === 'passkey' ? texts.byPasskey : texts.confirm}</span>
      </FormEnd>
      <div className="flex flex-col gap-1">
        {step.ways
          .filter((other) => other !== way)
          .map((other) => (
            <Button key={other} variant="ghost" isWide onClick={choose(other)}>
              {others[other]}
            </Button>
          ))}
      </div>
      {way === 'recovery' && <p className="text-xs text-ink-3">{texts.lost}</p>}
    </Form>
  )
}
