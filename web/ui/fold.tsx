import { type ReactNode, useState } from 'react'
import { classNames } from './class-names.ts'
import { ChevronDown } from './icons/chevron-down.tsx'

export type FoldProps = {
  readonly title: string
  readonly isOpen?: boolean
  readonly isOfCards?: boolean
  readonly children: ReactNode
}

export function Fold({ title, isOpen = false, isOfCards = false, children }: FoldProps) {
  // `isOpen` is read only once. After that, only the user opens and closes the fold.
  const [isOpenAtFirst] = useState(isOpen)
  const look = 'rounded-m border border-line bg-surface shadow-card print:shadow-none'
  return (
    <details open={isOpenAtFirst} className={classNames('group', !isOfCards && look)}>
      <summary
        className={classNames(
          'flex min-h-14 cursor-pointer list-none items-center justify-between gap-3 px-4 py-2 focus-visible:-outline-offset-2 [&::-webkit-details-marker]:hidden',
          isOfCards && look,
        )}
      >
        <h2 className="text-base font-semibold text-balance">{title}</h2>
        <ChevronDown aria-hidden size={18} className="shrink-0 text-ink-3 group-open:rotate-180 print:hidden" />
      </summary>
      <div className={isOfCards ? 'flex flex-col gap-gap pt-gap' : 'flex flex-col gap-3 px-4 pb-4'}>{children}</div>
    </details>
  )
}
