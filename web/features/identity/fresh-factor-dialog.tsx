import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Dialog } from '#web/ui/dialog.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { QueryFailure } from '#web/ui/states.tsx'
import { beginProof, proveFactor } from './factor-api.ts'
import { FactorForm } from './factor-form.tsx'
import { factorTexts as texts } from './factor-texts.ts'

export type FreshFactorDialogProps = {
  readonly onProven: () => void
  readonly onClose: () => void
}

/** Asks for a second factor in the middle of an act, which then goes on. */
export function FreshFactorDialog({ onProven, onClose }: FreshFactorDialogProps) {
  // Each opening begins a step of its own, which lives for five minutes.
  const [key] = useState(() => ['factor-step', crypto.getRandomValues(new Uint32Array(1))[0]])
  const step = useQuery({ queryKey: key, queryFn: beginProof, staleTime: Infinity, gcTime: 0, retry: false })
  return (
    <Dialog isOpen onOpenChange={(isOpen) => !isOpen && onClose()} title={texts.title} description={texts.freshWhy}>
      {step.data === undefined ? (
        step.isError ? (
          <QueryFailure query={step} />
        ) : (
          <SkeletonGroup>
            <Skeleton className="h-30" />
          </SkeletonGroup>
        )
      ) : (
        <FactorForm
          key={step.data.challenge}
          step={step.data}
          prove={async (proof) => {
            await proveFactor(step.data.challenge, proof)
            onProven()
          }}
        />
      )}
    </Dialog>
  )
}
