import { createContext, type MouseEvent, type ReactNode, use } from 'react'
import { classNames } from '#web/ui/class-names.ts'

export type ScreenProps = {
  readonly title: string
  readonly note?: ReactNode
  readonly isTitleHidden?: boolean
  readonly before?: ReactNode
  readonly after?: ReactNode
  /** If true, the screen ends above the tab bar and scrolls by itself. If not, the page scrolls beneath the bar. */
  readonly endsAtTabBar?: boolean
  readonly children: ReactNode
  readonly className?: string
}

export const ScreenTools = createContext<ReactNode>(null)

export const contentId = 'content'

/** Focuses the first of `ids` that exists, by script: the router would handle a plain `#id` link as a navigation. */
export function SkipLink({ ids, children }: { readonly ids: readonly string[]; readonly children: string }) {
  const skip = (event: MouseEvent) => {
    event.preventDefault()
    ids
      .map((id) => document.getElementById(id))
      .find((target) => target !== null)
      ?.focus()
  }
  return (
    <a
      href={`#${ids[0]}`}
      onClick={skip}
      className="fixed top-2 left-2 z-50 -translate-y-20 rounded-s bg-surface px-4 py-3 text-sm font-medium text-ink focus:translate-y-0 focus:shadow-overlay"
    >
      {children}
    </a>
  )
}

export function Screen(props: ScreenProps) {
  const { title, note, isTitleHidden = false, before, after, endsAtTabBar = false, children, className } = props
  const tools = use(ScreenTools)
  return (
    <main
      id={contentId}
      tabIndex={-1}
      data-scroll-restoration-id={endsAtTabBar ? contentId : undefined}
      data-own-scroll={endsAtTabBar || undefined}
      className={classNames(
        'mx-auto flex w-full max-w-column flex-col',
        endsAtTabBar ? 'min-h-0 grow basis-0 overflow-y-auto' : 'flex-1',
      )}
    >
      <div
        className={
          isTitleHidden
            ? 'sr-only'
            : classNames(
                'flex min-h-14 shrink-0 items-center gap-1 pr-1 max-[22rem]:gap-0 short:min-h-12',
                before ? 'pl-1' : 'pl-gutter',
              )
        }
      >
        {before}
        <div className="min-w-0 flex-1">
          <h1 tabIndex={-1} className="text-base font-semibold max-[22rem]:text-sm">
            {title}
          </h1>
          {note !== undefined && <p className="text-xs leading-tight text-ink-3">{note}</p>}
        </div>
        {after}
        {!isTitleHidden && tools}
      </div>
      <div className={classNames('flex flex-1 flex-col gap-gap px-gutter pb-gutter', className)}>{children}</div>
    </main>
  )
}
