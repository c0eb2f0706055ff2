import { commonTexts } from '#web/platform/texts.ts'
import { classNames } from './class-names.ts'

/**
 * A still shape where content will come: give it the size of what comes, so that nothing moves when it does. It is
 * not seen at once, since what flickers tells nothing, and does not pulse, since nothing but the promo line and the
 * ticker loops. Hidden from assistive technology, which is told by
 * the `SkeletonGroup` around.
 */
export function Skeleton({ className }: { readonly className?: string }) {
  return <div aria-hidden className={classNames('animate-appear-late rounded-s bg-line', className)} />
}

export type SkeletonGroupProps = { readonly children: React.ReactNode; readonly className?: string }

/** The skeletons of one region, announced once as loading. */
export function SkeletonGroup({ children, className }: SkeletonGroupProps) {
  return (
    <div role="status" className={className}>
      <span className="sr-only">{commonTexts.loading}</span>
      {children}
    </div>
  )
}
