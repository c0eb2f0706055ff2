import { Link } from '@tanstack/react-router'
import type { Me } from '#contract/identity.ts'
import { afterDrawing, useLazyPart } from '#web/platform/lazy-part.ts'
import { useIsReadOnly } from '#web/platform/use-may.ts'
import { screenTitles } from '#web/platform/texts.ts'
import { Badge } from '#web/ui/badge.tsx'
import { PanelLeft } from '#web/ui/icons/panel-left.tsx'
import { AdminFinder } from './admin-finder.tsx'
import { adminTexts } from './admin-texts.ts'
import { NoticeBell } from './notice-bell.tsx'

/** Until the code of the attention bell is loaded, the header shows a bell with only the admin's own notices. */
const loadBell = afterDrawing(() => import('#web/features/admin-attention/attention-bell.tsx'))

export type AdminHeaderProps = {
  readonly me: Me
  readonly isExpanded: boolean
  readonly sidebarId: string
  readonly onToggle: () => void
}

/** The back office's header. Its breadcrumb reads "Dashboard" on every page (spec §2.6). */
export function AdminHeader({ me, isExpanded, sidebarId, onToggle }: AdminHeaderProps) {
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
