import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'

export function LoadingBets() {
  return (
    <SkeletonGroup className="flex flex-col gap-3 py-3">
      {Array.from({ length: 4 }, (_, row) => (
        <Skeleton key={row} className="h-16" />
      ))}
    </SkeletonGroup>
  )
}
