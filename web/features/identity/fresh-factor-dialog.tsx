import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { FactorStep } from '#contract/sign-in.ts'
import { formatDateTime } from '#web/platform/formats.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Pending } from '#web/ui/pending.tsx'
import { ChangePasswordForm } from './change-password-form.tsx'
import { beginProof, proveFactor, undoFactors } from './factor-api.ts'
import { FactorForm } from './factor-form.tsx'
import { factorTexts as texts } from './factor-texts.ts'
import { meQuery } from './api.ts'

export type FreshFactorDialogProps = {
  readonly onProven: () => void
  readonly onClose: () => void
}

/** Opens in the middle of an act, which then goes on. */
export function FreshFactorDialog({ onProven, onClose }: FreshFactorDialogProps) {
  // Each opening begins a step of its own, which lives for five minutes.
  const [key] = useState(() => ['factor-step', crypto.getRandomValues(new Uint32Array(1))[0]])
  const [isUndoing, setUndoing] = useState(false)
  const step = useQuery({ queryKey: key, queryFn: beginProof, staleTime: Infinity, gcTime: 0, retry: false })
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
              await proveFactor(step.data.challenge, proof)
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

/** Who added the factor in another session knows the password, so that is changed, too. */
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
        act={{ save: undoFactors, label: texts.undo, failed: texts.undoFailed }}
      />
    </div>
  )
}
