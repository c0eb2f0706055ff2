import { Outlet } from '@tanstack/react-router'
import { useState } from 'react'
import type { Me } from '#contract/identity.ts'
import type { Capability } from '#domain/identity/permissions.ts'
import { OwnCapabilities } from '#web/platform/use-may.ts'
import { useConnection } from '#web/features/identity/use-me.ts'
import { useViewStore } from '#web/features/saved-views/use-view-store.ts'
import { isTyping, useKeyDown } from '#web/lists/shortcuts.ts'
import { ViewStoreContext } from '#web/lists/saved-views.ts'
import { useIsWide } from '#web/ui/media-query.ts'
import { afterDrawing, useLazyPart } from '#web/platform/lazy-part.ts'
import { keepSidebarState, readSidebarState } from './sidebar-cookie.ts'
import { useAdminHints } from './admin-hints.ts'
import { AdminHeader } from './admin-header.tsx'
import { AdminSheet, AdminSidebar, sidebarId } from './admin-sidebar.tsx'

/** Without a cookie, the sidebar starts open from this width on: in a narrower window it would leave tables no room. */
const roomyPx = 1024

const none: readonly Capability[] = []
const loadDuty = afterDrawing(() => import('#web/features/chat/duty-activity.tsx'))

export function AdminShell({ me }: { readonly me: Me }) {
  useConnection(me)
  useAdminHints()
  const isWide = useIsWide()
  const [isOpen, setIsOpen] = useState(() => readSidebarState() ?? globalThis.innerWidth >= roomyPx)
  const [isSheetOpen, setIsSheetOpen] = useState(false)
  const toggle = () => {
    if (!isWide) return setIsSheetOpen(!isSheetOpen)
    keepSidebarState(!isOpen)
    setIsOpen(!isOpen)
  }
  useKeyDown((event) => {
    const isKey = event.key.toLowerCase() === 'b' && (event.ctrlKey || event.metaKey)
    // While the user types, Ctrl+B belongs to the text field.
    if (!isKey || event.altKey || event.shiftKey || event.repeat || isTyping(event.target)) return
    event.preventDefault()
    toggle()
  })
  const views = useViewStore(me)
  const { part: duty } = useLazyPart(loadDuty, me.capabilities?.includes('care') === true)
  return (
    <OwnCapabilities value={me.capabilities ?? none}>
      <div className="flex min-h-dvh">
        {isWide ? (
          <AdminSidebar me={me} isOpen={isOpen} />
        ) : (
          <AdminSheet me={me} isOpen={isSheetOpen} onClose={() => setIsSheetOpen(false)} />
        )}
        <div className="flex min-w-0 flex-1 flex-col">
          <AdminHeader me={me} isExpanded={isWide ? isOpen : isSheetOpen} sidebarId={sidebarId} onToggle={toggle} />
          <ViewStoreContext value={views}>
            <Outlet />
          </ViewStoreContext>
          {duty !== undefined && <duty.DutyActivity />}
        </div>
      </div>
    </OwnCapabilities>
  )
}
