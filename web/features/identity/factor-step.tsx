import { useEffect, useRef } from 'react'
import type { FactorStep } from '#contract/sign-in.ts'
import { Button } from '#web/ui/button.tsx'
import type { SignedIn } from './sign-in-api.ts'
import { finishSignIn } from './factor-api.ts'
import { FactorForm } from './factor-form.tsx'
import { factorTexts as texts } from './factor-texts.ts'

export type FactorStepFormProps = {
  readonly step: FactorStep
  readonly onSignedIn: (session: SignedIn) => void
  readonly onRestart: () => void
}

/** The second step of an admin's sign-in (rules §4.10), loaded when the server asks for the step. */
export function FactorStepForm({ step, onSignedIn, onRestart }: FactorStepFormProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    // A text field takes the focus itself. For a passkey there is only a button, so the heading gets the focus.
    if (step.ways[0] === 'passkey') heading.current?.focus()
  }, [step])
  return (
    <div className="flex flex-col gap-3">
      <h2 ref={heading} tabIndex={-1} className="text-base font-semibold">
        {texts.title}
      </h2>
      <FactorForm step={step} prove={async (proof) => onSignedIn(await finishSignIn(step.challenge, proof))} />
      <Button variant="ghost" isWide onClick={onRestart}>
        {texts.restart}
      </Button>
    </div>
  )
}
