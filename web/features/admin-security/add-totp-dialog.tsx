import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { encode } from 'uqr'
import { useAct } from '#web/ui/use-act.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { FormEnd } from '#web/ui/form-failure.tsx'
import { TextInput } from '#web/ui/text-input.tsx'
import { checkAll, required, usePrompt } from '#web/ui/use-prompt.ts'
import { Pending } from '#web/ui/pending.tsx'
import { Form } from '#web/ui/field.tsx'
import { securityTexts as texts } from './admin-security-texts.ts'
import { addTotp, beginTotp, refreshFactors } from './api.ts'

export type AddFactorProps = {
  /** Gets the recovery codes if the added factor is an admin's first, else null. Called even after an unmount. */
  readonly onAdded: (codes: readonly string[] | null) => void
  readonly onClose: () => void
}

/** Adds an authenticator app: shows the secret as a QR code and as text, then asks for the first code. */
export function AddTotpDialog({ onAdded, onClose }: AddFactorProps) {
  const [key] = useState(() => ['add-totp', crypto.getRandomValues(new Uint32Array(1))[0]])
  // Each opening of the dialog gets a new secret, which is dropped from the cache on closing.
  const begun = useQuery({ queryKey: key, queryFn: beginTotp, staleTime: Infinity, gcTime: 0, retry: false })
  const code = usePrompt(required(texts.codeRequired))
  const name = usePrompt(required(texts.nameRequired), texts.totpName)
  const { start, isBusy, failure } = useAct({
    failText: texts.addFailed,
    run: async (challenge: string) =>
      onAdded(await addTotp({ challenge, code: code.text.trim(), name: name.text.trim() })),
    // The refetch also runs after a failure: the server may have added the factor although its answer was lost.
    onSettled: () => void refreshFactors(),
  })
  return (
    <Dialog onClose={() => !isBusy && onClose()} title={texts.addTotp} description={texts.scan}>
      {begun.data === undefined ? (
        <Pending query={begun} shapes={['h-80']} />
      ) : (
        <Form
          noValidate
          onSubmit={() => checkAll([code, name]) && start(begun.data.challenge)}
          className="flex flex-col gap-4"
        >
          <QrCode text={begun.data.uri} />
          <p className="text-center text-xs text-ink-3">
            {texts.typeInstead}
            <code className="mt-1 block font-mono text-sm [overflow-wrap:anywhere] text-ink">
              {begun.data.secret.replaceAll(/.{4}(?=.)/g, '$& ')}
            </code>
          </p>
          <TextInput
            label={texts.firstCode}
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={40}
            {...code.field}
          />
          <TextInput label={texts.name} hint={texts.nameHint} maxLength={40} {...name.field} />
          <FormEnd failure={failure} isBusy={isBusy}>
            {texts.add}
          </FormEnd>
        </Form>
      )}
    </Dialog>
  )
}

/** A QR code, dark on white in both themes, because cameras read dark on white best. */
function QrCode({ text }: { readonly text: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: 2 })
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
  return (
    <svg
      role="img"
      aria-label={texts.qr}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="mx-auto size-48 rounded-s"
    >
      <rect width={size} height={size} fill="white" />
      <path d={path} fill="black" />
    </svg>
  )
}
