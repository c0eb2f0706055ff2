import { SkeletonGroup } from '#web/ui/skeleton.tsx'

export const LoadingBets = () => (
  <SkeletonGroup className="flex flex-col gap-3 py-3" shapes={['h-16', 'h-16', 'h-16', 'h-16']} />
)
