import { commonTexts } from '#web/platform/texts.ts'
import { classNames } from './class-names.ts'

/**
 * A placeholder of the size of the coming content, so that nothing moves when the content arrives. It appears after a
 * short delay, to avoid a flicker. It does not pulse, since of the whole page only the promo line keeps moving.
 */
export function Skeleton({ className }: { readonly className?: string }) {
  return <div aria-hidden className={classNames('animate-appear-late rounded-s bg-line', className)} />
}

export type SkeletonGroupProps = { readonly className?: string } & (
  | { readonly shapes: readonly string[]; readonly children?: undefined }
  | { readonly shapes?: undefined; readonly children: React.ReactNode }
)

export function SkeletonGroup({ className, shapes, children }: SkeletonGroupProps) {
  return (
    <div role="status" className={className}>
      <span className="sr-only">{commonTexts.loading}</span>
      {shapes?.map((shape, index) => <Skeleton key={index} className={shape} />) ?? children}
    </div>
  )
}
