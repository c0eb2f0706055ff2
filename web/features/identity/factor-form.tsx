import type { AuthenticationResponseJSON, PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser'
import { KeyRound } from 'lucide-react'
import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import type { FactorStep } from '#contract/sign-in.ts'
import { failureText } from '#web/platform/http.ts'
import { Button } from '#web/ui/button.tsx'
import { showAndFocusErrors } from '#web/ui/field.tsx'
import { FormFailure } from '#web/ui/form-failure.tsx'
import { TextInput } from '#web/ui/text-input.tsx'
import type { FactorProof } from './factor-api.ts'
import { factorTexts as texts } from './factor-texts.ts'

type Way = FactorStep['ways'][number]

export type FactorFormProps = {
  readonly step: FactorStep
  /** Sends the proof; its failure is shown here. */
  readonly prove: (proof: FactorProof) => Promise<void>
}

const others: Record<Way, string> = {
  passkey: texts.byPasskey,
  totp: texts.byTotp,
  recovery: texts.byRecovery,
}

/** Asks for a second factor: a passkey, an app's code, or a recovery code. */
export function FactorForm({ step, prove }: FactorFormProps) {
  const formRef = useRef<HTMLFormElement>(null)
  const [way, setWay] = useState<Way>(step.ways[0] ?? 'recovery')
  const [isBusy, setIsBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const [missing, setMissing] = useState<string>()

  useEffect(() => {
    // Who got here or chose another way came to type.
    if (way !== 'passkey') formRef.current?.querySelector('input')?.focus()
  }, [way])

  const send = async (proof: FactorProof | null) => {
    if (proof === null) return setFailure(texts.passkeyStopped)
    try {
      await prove(proof)
    } catch (error) {
      setFailure(failureText(error, texts.failed))
    }
  }
  const run = async (readProof: () => Promise<FactorProof | null> | FactorProof) => {
    setIsBusy(true)
    setFailure(undefined)
    await send(await readProof())
    setIsBusy(false)
  }
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isBusy) return
    if (way === 'passkey') return void run(() => readPasskey(step.passkeyOptions))
    const typed = new FormData(event.currentTarget).get('code')
    const code = typeof typed === 'string' ? typed.trim() : ''
    if (code === '') return showAndFocusErrors(formRef, () => setMissing(texts.codeRequired))
    void run(() => (way === 'totp' ? { code } : { recoveryCode: code }))
  }
  const choose = (next: Way) => () => {
    setWay(next)
    setFailure(undefined)
    setMissing(undefined)
  }

  return (
    <form ref={formRef} noValidate onSubmit={submit} className="flex flex-col gap-4">
      {way !== 'passkey' && (
        <TextInput
          key={way}
          name="code"
          label={way === 'totp' ? texts.totpLabel : texts.recoveryLabel}
          hint={way === 'totp' ? texts.totpHint : texts.recoveryHint}
          inputMode={way === 'totp' ? 'numeric' : 'text'}
          autoComplete={way === 'totp' ? 'one-time-code' : 'off'}
          autoCapitalize="none"
          spellCheck={false}
          maxLength={way === 'totp' ? 7 : 40}
          error={missing}
          onChange={() => setMissing(undefined)}
        />
      )}
      <div>
        <FormFailure message={failure} />
        <Button type="submit" isWide isBusy={isBusy}>
          {way === 'passkey' && <KeyRound aria-hidden size={18} strokeWidth={1.8} />}
          {way === 'passkey' ? texts.byPasskey : texts.confirm}
        </Button>
      </div>
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
    </form>
  )
}

/** What the browser signed, or null where its user stopped it or it has no such passkey. */
async function readPasskey(options: unknown): Promise<FactorProof | null> {
  try {
    const { startAuthentication } = await import('@simplewebauthn/browser')
    const passkey: AuthenticationResponseJSON = await startAuthentication({
      optionsJSON: options as PublicKeyCredentialRequestOptionsJSON,
    })
    return { passkey: { ...passkey } }
  } catch {
    return null
  }
}
