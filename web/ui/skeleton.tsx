import { commonTexts } from '#web/platform/texts.ts'
import { classNames } from './class-names.ts'

/**
 * A still placeholder: give it the size of the coming content, so that nothing moves when that arrives. It appears
 * after a short delay, since a flicker informs nobody, and does not pulse, since only the promo line and the ticker
 * loop. Hidden from assistive technology; the `SkeletonGroup` around it announces the loading.
 */
export function Skeleton({ className }: { readonly className?: string }) {
  return <div aria-hidden className={classNames('animate-appear-late rounded-s bg-line', className)} />
}

/** Plain placeholders are given by their classes alone, others as children. */
export type SkeletonGroupProps = { readonly className?: string } & (
  | { readonly shapes: readonly string[]; readonly children?: undefined }
  | { readonly shapes?: undefined; readonly children: React.ReactNode }
)

/** The skeletons of one region, announced once as loading. */
export function SkeletonGroup({ className, shapes, children }: SkeletonGroupProps) {
  return (
    <div role="status" className={className}>
      <span className="sr-only">{commonTexts.loading}</span>
      {shapes?.map((shape, index) => <Skeleton key={index} className={shape} />) ?? children}
    </div>
  )
}
