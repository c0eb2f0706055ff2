import { commonTexts } from '#web/platform/texts.ts'
import { classNames } from './class-names.ts'

/** A placeholder. It appears after a short delay, so that it does not flicker if the content arrives soon. */
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
