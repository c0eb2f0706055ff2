import { useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useRef, useState } from 'react'
import { encode } from 'uqr'
import { failureText } from '#web/platform/http.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { showAndFocusErrors } from '#web/ui/field.tsx'
import { FormFailure } from '#web/ui/form-failure.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { QueryFailure } from '#web/ui/states.tsx'
import { TextInput } from '#web/ui/text-input.tsx'
import { securityTexts as texts } from './admin-security-texts.ts'
import { addTotp, beginTotp } from './api.ts'

export type AddFactorProps = {
  /** With the recovery codes where this is the first factor. */
  readonly onAdded: (codes: readonly string[] | null) => void
  readonly onClose: () => void
}

/** A field's text without the space around it. */
export function textIn(data: FormData, name: string): string {
  const value = data.get(name)
  return typeof value === 'string' ? value.trim() : ''
}

/** Adds an authenticator app: its secret as a QR code and as text, then its first code. */
export function AddTotpDialog({ onAdded, onClose }: AddFactorProps) {
  const formRef = useRef<HTMLFormElement>(null)
  const [key] = useState(() => ['add-totp', crypto.getRandomValues(new Uint32Array(1))[0]])
  // A secret of its own for each opening, forgotten with it.
  const begun = useQuery({ queryKey: key, queryFn: beginTotp, staleTime: Infinity, gcTime: 0, retry: false })
  const [errors, setErrors] = useState<{ readonly code?: string; readonly name?: string }>({})
  const [failure, setFailure] = useState<string>()
  const [isBusy, setIsBusy] = useState(false)
  const submit = async (challenge: string, form: HTMLFormElement) => {
    const data = new FormData(form)
    const [code, name] = [textIn(data, 'code'), textIn(data, 'name')]
    if (code === '' || name === '')
      return showAndFocusErrors(formRef, () =>
        setErrors({
          ...(code === '' && { code: texts.codeRequired }),
          ...(name === '' && { name: texts.nameRequired }),
        }),
      )
    setIsBusy(true)
    setFailure(undefined)
    try {
      onAdded(await addTotp({ challenge, code, name }))
    } catch (error) {
      setFailure(failureText(error, texts.addFailed))
    }
    setIsBusy(false)
  }
  return (
    <Dialog isOpen onOpenChange={(isOpen) => !isOpen && onClose()} title={texts.addTotp} description={texts.scan}>
      {begun.data === undefined ? (
        begun.isError ? (
          <QueryFailure query={begun} />
        ) : (
          <SkeletonGroup>
            <Skeleton className="h-80" />
          </SkeletonGroup>
        )
      ) : (
        <form
          ref={formRef}
          noValidate
          className="flex flex-col gap-4"
          onSubmit={(event: SubmitEvent<HTMLFormElement>) => {
            event.preventDefault()
            if (!isBusy) void submit(begun.data.challenge, event.currentTarget)
          }}
        >
          <QrCode text={begun.data.uri} />
          <p className="text-center text-xs text-ink-3">
            {texts.typeInstead}
            <code className="mt-1 block font-mono text-sm [overflow-wrap:anywhere] text-ink">
              {begun.data.secret.replaceAll(/.{4}(?=.)/g, '$& ')}
            </code>
          </p>
          <TextInput
            name="code"
            label={texts.firstCode}
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={7}
            error={errors.code}
            onChange={() => setErrors({ ...errors, code: undefined } as never)}
          />
          <TextInput
            name="name"
            label={texts.name}
            hint={texts.nameHint}
            defaultValue={texts.totpName}
            maxLength={40}
            error={errors.name}
          />
          <div>
            <FormFailure message={failure} />
            <Button type="submit" isWide isBusy={isBusy}>
              {texts.add}
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  )
}

/** Dark on white in both themes: cameras read it best. */
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
