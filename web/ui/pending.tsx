import { SkeletonGroup, type SkeletonGroupProps } from './skeleton.tsx'
import { QueryFailure, type QueryFailureProps } from './states.tsx'

export type PendingProps = QueryFailureProps & { readonly query: { readonly isError: boolean } } & SkeletonGroupProps

export function Pending({ query, fallback, ...group }: PendingProps) {
  return query.isError ? <QueryFailure query={query} fallback={fallback} /> : <SkeletonGroup {...group} />
}
