import type { PublicKeyCredentialCreationOptionsJSON, RegistrationResponseJSON } from '@simplewebauthn/browser'
import { type SubmitEvent, useRef, useState } from 'react'
import { failureText } from '#web/platform/http.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { showAndFocusErrors } from '#web/ui/field.tsx'
import { FormFailure } from '#web/ui/form-failure.tsx'
import { TextInput } from '#web/ui/text-input.tsx'
import { type AddFactorProps, textIn } from './add-totp-dialog.tsx'
import { securityTexts as texts } from './admin-security-texts.ts'
import { addPasskey, beginPasskey } from './api.ts'

/** Adds a passkey: its name, then the browser's own question. */
export function AddPasskeyDialog({ onAdded, onClose }: AddFactorProps) {
  const formRef = useRef<HTMLFormElement>(null)
  const [missing, setMissing] = useState<string>()
  const [failure, setFailure] = useState<string>()
  const [isBusy, setIsBusy] = useState(false)
  const add = async (name: string) => {
    try {
      const { challenge, options } = await beginPasskey()
      const passkey = await makePasskey(options)
      if (passkey === null) return setFailure(texts.passkeyStopped)
      onAdded(await addPasskey({ challenge, passkey: { ...passkey }, name }))
    } catch (error) {
      setFailure(failureText(error, texts.addFailed))
    }
  }
  const submit = async (form: HTMLFormElement) => {
    const name = textIn(new FormData(form), 'name')
    if (name === '') return showAndFocusErrors(formRef, () => setMissing(texts.nameRequired))
    setIsBusy(true)
    setFailure(undefined)
    await add(name)
    setIsBusy(false)
  }
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={texts.addPasskey}
      description={texts.passkeyWhy}
    >
      <form
        ref={formRef}
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event: SubmitEvent<HTMLFormElement>) => {
          event.preventDefault()
          if (!isBusy) void submit(event.currentTarget)
        }}
      >
        <TextInput
          name="name"
          label={texts.name}
          hint={texts.nameHint}
          defaultValue={texts.passkeyName}
          maxLength={40}
          error={missing}
          onChange={() => setMissing(undefined)}
        />
        <div>
          <FormFailure message={failure} />
          <Button type="submit" isWide isBusy={isBusy}>
            {texts.add}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** Null where the person stopped it, or the device already has one of this account. */
async function makePasskey(options: unknown): Promise<RegistrationResponseJSON | null> {
  try {
    const { startRegistration } = await import('@simplewebauthn/browser')
    return await startRegistration({ optionsJSON: options as PublicKeyCredentialCreationOptionsJSON })
  } catch {
    return null
  }
}
