import { type ReactNode, useState } from 'react'
import { refusalOf } from '#web/platform/http.ts'
import { Banner } from '#web/ui/banner.tsx'

/** The admin who decided first. `name` is null if the server does not send the name. */
export type First = { readonly name: string | null }

export function firstDecider(error: unknown): First | undefined {
  const refusal = refusalOf(error)
  if (refusal?.code !== 'ALREADY_DECIDED') return undefined
  const { decidedBy } = (refusal.details ?? {}) as { readonly decidedBy?: unknown }
  return { name: typeof decidedBy === 'string' ? decidedBy : null }
}

export type OvertakenProps = {
  /** The admin who, according to the list, has decided since the dialog opened; undefined if nobody has. */
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
    /** Returns true, and shows the banner, if the error says that another admin decided first. */
    onFailure: (error: unknown): boolean => {
      const decider = firstDecider(error)
      if (decider !== undefined) setRefused(decider)
      return decider !== undefined
    },
  }
}
