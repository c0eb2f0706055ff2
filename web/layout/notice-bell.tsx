import { Link } from '@tanstack/react-router'
import { useUnreadNotices } from '#web/platform/unread-notices.ts'
import { CountBadge } from '#web/ui/badge.tsx'
import { Bell } from '#web/ui/icons/bell.tsx'
import { bellTexts } from './layout-texts.ts'

export function NoticeBell() {
  const unread = useUnreadNotices()
  return (
    <Link
      to="/account/notifications"
      aria-label={bellTexts.bell(unread)}
      className="relative grid size-target shrink-0 place-items-center rounded-s transition-colors hover:bg-current/10"
    >
      <Bell aria-hidden size={20} strokeWidth={1.8} />
      <span aria-hidden className="absolute top-0 left-1/2 ml-0.5 origin-left scale-85">
        <CountBadge count={unread} label="" />
      </span>
    </Link>
  )
}
