import type { PublicKeyCredentialCreationOptionsJSON, RegistrationResponseJSON } from '@simplewebauthn/browser'
import { failureText } from '#web/platform/http.ts'
import { useAct } from '#web/ui/use-act.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Form } from '#web/ui/field.tsx'
import { FormEnd } from '#web/ui/form-failure.tsx'
import { TextInput } from '#web/ui/text-input.tsx'
import { required, usePrompt } from '#web/ui/use-prompt.ts'
import type { AddFactorProps } from './add-totp-dialog.tsx'
import { securityTexts as texts } from './admin-security-texts.ts'
import { addPasskey, beginPasskey, refreshFactors } from './api.ts'

/** Adds a passkey: asks for its name, then lets the browser ask for consent. */
export function AddPasskeyDialog({ onAdded, onClose }: AddFactorProps) {
  const name = usePrompt(required(texts.nameRequired), texts.passkeyName)
  const { start, isBusy, failure } = useAct({
    failText: (error) => (error === passkeyStopped ? texts.passkeyStopped : failureText(error, texts.addFailed)),
    run: async () => {
      const { challenge, options } = await beginPasskey()
      const passkey = await makePasskey(options)
      onAdded(await addPasskey({ challenge, passkey: { ...passkey }, name: name.text.trim() }))
    },
    // The refetch also runs after a failure: the server may have added the factor although its answer was lost.
    onSettled: () => void refreshFactors(),
  })
  return (
    <Dialog onClose={() => !isBusy && onClose()} title={texts.addPasskey} description={texts.passkeyWhy}>
      <Form noValidate onSubmit={() => name.check() && start()} className="flex flex-col gap-4">
        <TextInput {...name.field} name="name" label={texts.name} hint={texts.nameHint} maxLength={40} />
        <FormEnd failure={failure} isBusy={isBusy}>
          {texts.add}
        </FormEnd>
      </Form>
    </Dialog>
  )
}

/** An AbortError: whoever has left the dialog meanwhile has given up the browser's question, and learns of no failure. */
const passkeyStopped = new DOMException('No passkey was made', 'AbortError')

/** Throws `passkeyStopped` on any failure, for example if the user cancels. */
async function makePasskey(options: unknown): Promise<RegistrationResponseJSON> {
  try {
    const { startRegistration } = await import('@simplewebauthn/browser')
    return await startRegistration({ optionsJSON: options as PublicKeyCredentialCreationOptionsJSON })
  } catch {
    throw passkeyStopped
  }
}
