import { type ReactNode, useState } from 'react'
import { refusalOf } from '#web/platform/http.ts'
import { Banner } from '#web/ui/banner.tsx'

/** Who acted first; `name` is null if the server does not send it. */
export type First = { readonly name: string | null }

export function firstDecider(error: unknown): First | undefined {
  const refusal = refusalOf(error)
  if (refusal?.code !== 'ALREADY_DECIDED') return undefined
  const { decidedBy } = (refusal.details ?? {}) as { readonly decidedBy?: unknown }
  return { name: typeof decidedBy === 'string' ? decidedBy : null }
}

export type OvertakenProps = {
  /** Who has acted since the dialog opened, according to the list; undefined if nobody has. */
  readonly known: First | undefined
  readonly sentence: (first: First) => string
  readonly details?: ReactNode
}

export function useOvertaken({ known, sentence, details }: OvertakenProps) {
  const [refused, setRefused] = useState<First>()
  const first = known ?? refused
  return {
    isOvertaken: first !== undefined,
    banner: first !== undefined && (
      <Banner tone="warn" isLive>
        {sentence(first)}
        {details}
      </Banner>
    ),
    /** Takes from the server's refusal who acted first. Returns false for any other failure. */
    onFailure: (error: unknown): boolean => {
      const decider = firstDecider(error)
      if (decider !== undefined) setRefused(decider)
      return decider !== undefined
    },
  }
}
