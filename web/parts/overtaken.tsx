import { type ReactNode, useState } from 'react'
import { refusalOf } from '#web/platform/http.ts'
import { Banner } from '#web/ui/banner.tsx'

/** The colleague who was faster; `name` is null where the server does not send it. */
export type First = { readonly name: string | null }

/** The colleague whose earlier decision made the server refuse this one; undefined for any other error. */
export function firstDecider(error: unknown): First | undefined {
  const refusal = refusalOf(error)
  if (refusal?.code !== 'ALREADY_DECIDED') return undefined
  const { decidedBy } = (refusal.details ?? {}) as { readonly decidedBy?: unknown }
  return { name: typeof decidedBy === 'string' ? decidedBy : null }
}

export type OvertakenProps = {
  /** The colleague who ended it since the dialog opened, according to the list; undefined while nobody has. */
  readonly known: First | undefined
  /** The banner's sentence about the colleague. */
  readonly sentence: (first: First) => string
  /** Shown in the banner below the sentence. */
  readonly details?: ReactNode
}

/** A colleague decided first: shows their name, and blocks the act. */
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
    /** Handles a refusal for that reason; returns false for any other failure. */
    onFailure: (error: unknown): boolean => {
      const decider = firstDecider(error)
      if (decider !== undefined) setRefused(decider)
      return decider !== undefined
    },
  }
}
