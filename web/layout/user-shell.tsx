import { Outlet } from '@tanstack/react-router'
import { TabBar } from './tab-bar.tsx'

/**
 * The user shell (spec §2): a column of at most 600 px, scrolling content above and the tab bar below. The document
 * itself scrolls, so that phones can fold their own bars away and scroll positions are restored.
 */
export function UserShell() {
  return (
    <div className="mx-auto flex min-h-dvh max-w-column flex-col">
      <Outlet />
      <TabBar />
    </div>
  )
}
