import { type ReactNode, useContext } from 'react'
import { capabilityWords } from '#contract/capability-words.ts'
import type { Capability } from '#domain/identity/permissions.ts'
import { OwnCapabilities } from '#web/platform/use-may.ts'
import { classNames } from '#web/ui/class-names.ts'
import { EmptyState } from '#web/ui/states.tsx'
import { adminTexts } from './admin-texts.ts'
import { contentId } from './screen.tsx'

export type AdminPageProps = {
  readonly title: string
  readonly before?: ReactNode
  readonly subtitle?: ReactNode
  readonly isFilled?: boolean
  /** If the admin lacks this capability, the page says who grants it, and does not show `children`. */
  readonly needs?: Capability
  readonly children?: ReactNode
}

export function AdminPage({ title, before, subtitle, isFilled = false, needs, children }: AdminPageProps) {
  const own = useContext(OwnCapabilities)
  const isAllowed = needs === undefined || own.includes(needs)
  return (
    <main
      id={contentId}
      tabIndex={-1}
      className={classNames(
        'flex min-w-0 flex-1 flex-col gap-3 px-gutter pb-gutter md:px-5',
        // Fill the window below the header (52 px), so that the list scrolls; in a low window the page scrolls.
        isFilled && 'md:h-[calc(100dvh-52px)] md:min-h-[28rem] md:flex-none',
      )}
    >
      <div className={classNames('flex min-w-0 items-center gap-1', before !== undefined && '-ml-3')}>
        {before}
        <div className="min-w-0">
          <h1 tabIndex={-1} className="text-lg font-semibold [overflow-wrap:anywhere]">
            {title}
          </h1>
          {subtitle !== undefined && <p className="text-sm text-ink-3">{subtitle}</p>}
        </div>
      </div>
      {isAllowed ? children : <EmptyState text={adminTexts.notAllowed(capabilityWords[needs])} />}
    </main>
  )
}
