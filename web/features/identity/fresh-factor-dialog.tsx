import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { factorEndpoints } from '#contract/factors.ts'
import type { FactorStep } from '#contract/sign-in.ts'
import { callEndpoint, callRepeatable } from '#web/platform/api.ts'
import { formatDateTime } from '#web/platform/formats.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Pending } from '#web/ui/pending.tsx'
import { ChangePasswordForm } from './change-password-form.tsx'
import { FactorForm } from './factor-form.tsx'
import { factorTexts as texts } from './factor-texts.ts'
import { meQuery } from './api.ts'

export type FreshFactorDialogProps = {
  readonly onProven: () => void
  readonly onClose: () => void
}

/**
 * Asks for a new proof of a factor before an act (rules §4.10, §4.12). The act goes on after the proof, or after the
 * user has removed unknown factors in `UndoForm`.
 */
export function FreshFactorDialog({ onProven, onClose }: FreshFactorDialogProps) {
  // Each opening of the dialog requests a new `FactorStep`, because a step expires.
  const [key] = useState(() => ['factor-step', crypto.getRandomValues(new Uint32Array(1))[0]])
  const [isUndoing, setUndoing] = useState(false)
  const step = useQuery({
    queryKey: key,
    queryFn: () => callRepeatable(factorEndpoints.beginProof, {}),
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  })
  return (
    <Dialog onClose={onClose} title={texts.freshTitle} description={texts.freshWhy}>
      {step.data === undefined ? (
        <Pending query={step} shapes={['h-30']} />
      ) : isUndoing && step.data.undoable !== undefined ? (
        <UndoForm undoable={step.data.undoable} onUndone={onProven} />
      ) : (
        <>
          <FactorForm
            key={step.data.challenge}
            step={step.data}
            prove={async (proof) => {
              await callRepeatable(factorEndpoints.prove, { body: { challenge: step.data.challenge, ...proof } })
              onProven()
            }}
          />
          {step.data.undoable !== undefined && (
            <Button variant="ghost" isWide onClick={() => setUndoing(true)}>
              {texts.notMine}
            </Button>
          )}
        </>
      )}
    </Dialog>
  )
}

type UndoFormProps = { readonly undoable: NonNullable<FactorStep['undoable']>; readonly onUndone: () => void }

/** Removes factors that the user did not add, and sets a new password, since a stranger may know the old one. */
function UndoForm({ undoable: { name, addedAtMs, ip, userAgent }, onUndone }: UndoFormProps) {
  const { data: me } = useQuery(meQuery)
  const where = [ip, userAgent].filter((part) => part !== null).join(', ')
  return (
    <div className="flex flex-col gap-4">
      <p className="text-sm [overflow-wrap:anywhere]">
        {texts.undoWhy(name, formatDateTime(addedAtMs), where === '' ? texts.unknownPlace : where)}
      </p>
      <ChangePasswordForm
        username={me?.username ?? ''}
        onChanged={onUndone}
        act={{
          save: (body, idempotencyKey) => callEndpoint(factorEndpoints.undoFactors, { body, idempotencyKey }),
          label: texts.undo,
          failed: texts.undoFailed,
        }}
      />
    </div>
  )
}
