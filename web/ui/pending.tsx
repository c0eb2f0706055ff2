import type { ReactNode } from 'react'
import { SkeletonGroup } from './skeleton.tsx'
import { QueryFailure, type QueryFailureProps } from './states.tsx'

export type PendingProps = QueryFailureProps & {
  readonly query: { readonly isError: boolean }
  readonly className?: string
  /** The shape of the content that is loaded. */
  readonly children: ReactNode
}

/** Shown in place of a query's data until it is there: its shape, or why it could not be loaded. */
export function Pending({ className, children, ...failure }: PendingProps) {
  return failure.query.isError ? (
    <QueryFailure {...failure} />
  ) : (
    <SkeletonGroup {...(className !== undefined && { className })}>{children}</SkeletonGroup>
  )
}
