import { SkeletonGroup, type SkeletonGroupProps } from './skeleton.tsx'
import { QueryFailure, type QueryFailureProps } from './states.tsx'

export type PendingProps = QueryFailureProps & { readonly query: { readonly isError: boolean } } & SkeletonGroupProps

/** Shown in place of a query's data until it is there: its shape, or why it could not be loaded. */
export function Pending({ query, fallback, ...group }: PendingProps) {
  return query.isError ? <QueryFailure query={query} fallback={fallback} /> : <SkeletonGroup {...group} />
}
