import { createContext, type ReactNode, use } from 'react'
import { classNames } from '#web/ui/class-names.ts'

export type ScreenProps = {
  /** The screen's heading; it takes the focus when the screen is reached. */
  readonly title: string
  /** A slim line under the title, within the row's height. */
  readonly note?: ReactNode
  /** Hidden where the layout needs no visible heading; screen readers still announce it. */
  readonly isTitleHidden?: boolean
  /** Before the title: the back link. */
  readonly before?: ReactNode
  /** After the title: chips and actions. */
  readonly after?: ReactNode
  /**
   * Makes the content scroll by itself, above the tab bar: otherwise the bar could cover all but a strip of a row in a
   * long list.
   */
  readonly endsAtTabBar?: boolean
  readonly children: ReactNode
  readonly className?: string
}

/** The parts at the end of every header: the bell, where somebody is signed in. */
export const ScreenTools = createContext<ReactNode>(null)

/** The id of the target of the skip link and of the focus on navigation. */
export const contentId = 'content'

/** The main part of every user screen: one heading with its row, then the content, inside the 600 px column. */
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
        endsAtTabBar ? 'fills-screen overflow-y-auto' : 'flex-1',
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
