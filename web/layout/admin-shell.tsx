import { Outlet, Link } from '@tanstack/react-router'
import { useEffect, useState, Suspense } from 'react'
import type { Me } from '#contract/identity.ts'
import type { Capability } from '#domain/identity/permissions.ts'
import { OwnCapabilities, useIsReadOnly } from '#web/platform/use-may.ts'
import { useConnection } from '#web/features/identity/use-me.ts'
import { useViewStore } from '#web/features/saved-views/use-view-store.ts'
import { isTyping, useKeyDown, isCovered } from '#web/lists/shortcuts.ts'
import { ViewStoreContext } from '#web/lists/saved-views.ts'
import { useIsWide } from '#web/ui/media-query.ts'
import { afterDrawing, useLazyPart } from '#web/platform/lazy-part.ts'
import { keepSidebarState, readSidebarState } from './sidebar-cookie.ts'
import { AdminSheet, AdminSidebar, sidebarId } from './admin-sidebar.tsx'
import { adminKeys } from '#web/lists/admin-keys.ts'
import { refresh } from '#web/platform/query-client.ts'
import { gathered } from '#web/platform/refresh-after.ts'
import { together } from '#web/platform/signal.ts'
import { onServerEvent } from '#web/platform/socket.ts'
import { screenTitles } from '#web/platform/texts.ts'
import { Badge } from '#web/ui/badge.tsx'
import { PanelLeft } from '#web/ui/icons/panel-left.tsx'
import { adminTexts } from './admin-texts.ts'
import { NoticeBell } from './notice-bell.tsx'
import { useLogOut } from '#web/features/account/use-log-out.tsx'
import { Search } from '#web/ui/icons/search.tsx'
import { lazyComponent } from '#web/ui/lazy-component.ts'

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

function useAdminHints(): void {
  useEffect(() => {
    const { proposals, requests, disputes, users, overview, requestViews } = adminKeys
    const ofRequests = gathered(() => void refresh(requests, overview))
    const ofUsers = gathered(() => void refresh(users))
    return together(
      onServerEvent('dispute_changed', () => void refresh(disputes)),
      onServerEvent('proposal_changed', () => void refresh(proposals, requests, disputes, users)),
      onServerEvent('transaction_changed', ofRequests.hear),
      onServerEvent('user_changed', ofUsers.hear),
      onServerEvent('transaction_viewed', () => void refresh(requestViews)),
      ofRequests.stop,
      ofUsers.stop,
    )
  }, [])
}

/** Until the code of the attention bell is loaded, the header shows a bell with only the admin's own notices. */
const loadBell = afterDrawing(() => import('#web/features/admin-attention/attention-bell.tsx'))

type AdminHeaderProps = {
  readonly me: Me
  readonly isExpanded: boolean
  readonly sidebarId: string
  readonly onToggle: () => void
}

/** The back office's header. Its breadcrumb reads "Dashboard" on every page (spec §2.6). */
function AdminHeader({ me, isExpanded, sidebarId, onToggle }: AdminHeaderProps) {
  const { part: bell } = useLazyPart(loadBell)
  return (
    <header className="flex h-13 shrink-0 items-center gap-2 px-gutter text-ink-2 md:px-5">
      <button
        type="button"
        aria-label={adminTexts.toggleSidebar}
        aria-expanded={isExpanded}
        aria-controls={isExpanded ? sidebarId : undefined}
        title={`${adminTexts.toggleSidebar} (${adminTexts.sidebarKeys})`}
        onClick={onToggle}
        className="-ml-2.5 grid size-target place-items-center rounded-s text-ink-2 transition-colors hover:bg-surface-press hover:text-ink md:size-9"
      >
        <PanelLeft aria-hidden size={18} strokeWidth={1.8} />
      </button>
      <span aria-hidden className="h-4 w-px bg-line-strong" />
      <nav aria-label={adminTexts.breadcrumbs} className="pl-1">
        <ol>
          <li>
            <Link
              to="/admin"
              activeOptions={{ exact: true, includeSearch: false }}
              className="inline-flex min-h-target items-center rounded-s px-1 text-sm text-ink hover:underline md:min-h-9"
            >
              {screenTitles.admin}
            </Link>
          </li>
        </ol>
      </nav>
      {useIsReadOnly() && <Badge tone="info">{adminTexts.readOnly}</Badge>}
      <span className="ml-auto flex items-center gap-2 text-ink">
        <AdminFinder me={me} />
        {bell === undefined ? <NoticeBell /> : <bell.AttentionBell selfId={me.id} />}
      </span>
    </header>
  )
}

const Finder = lazyComponent(() => import('./admin-finder-dialog.tsx'), 'AdminFinderDialog')

const keyName = /^Mac|^iP/.test(globalThis.navigator.platform) ? '⌘K' : 'Ctrl K'

export function AdminFinder({ me }: { readonly me: Me }) {
  const [isOpen, setIsOpen] = useState(false)
  const { start: leave, question } = useLogOut(me.id)
  useKeyDown((event) => {
    const isKey = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)
    if (!isKey || event.altKey || event.shiftKey || event.isComposing) return
    // Even while a dialog is open, prevent the browser's own Ctrl+K, which would take the focus out of the page.
    event.preventDefault()
    if (isOpen) setIsOpen(false)
    else if (!event.repeat && !isCovered()) setIsOpen(true)
  })
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => setIsOpen(true)}
        className="flex size-target items-center justify-center gap-2 rounded-s text-sm text-ink-2 transition-colors hover:bg-surface-press hover:text-ink md:h-9 md:w-auto md:border md:border-line-strong md:px-2.5"
      >
        <Search aria-hidden size={18} strokeWidth={1.8} className="shrink-0" />
        <span className="max-md:sr-only">{adminTexts.find}</span>
        <kbd
          aria-hidden
          className="rounded-s border border-line px-1.5 font-sans text-xs text-ink-3 max-md:hidden lg:ml-6"
        >
          {keyName}
        </kbd>
      </button>
      <Suspense fallback={null}>
        {isOpen && <Finder meId={me.id} onLeave={leave} onClose={() => setIsOpen(false)} />}
      </Suspense>
      {question}
    </>
  )
}
