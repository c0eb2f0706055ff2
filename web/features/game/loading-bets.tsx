import { SkeletonGroup } from '#web/ui/skeleton.tsx'

export const betShapes = ['h-16', 'h-16', 'h-16', 'h-16']

export const LoadingBets = () => <SkeletonGroup className="flex flex-col gap-3 py-3" shapes={betShapes} />
