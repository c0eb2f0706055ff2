import { useConnection, useMe } from '#web/features/identity/use-me.ts'
import { Notices } from '#web/features/notices/notices.tsx'
import { noticeTexts } from '#web/features/notices/notices-texts.ts'
import { SubScreen } from '#web/layout/sub-screen.tsx'
import { screenTitles } from '#web/platform/texts.ts'

export function NotificationsScreen() {
  const me = useMe()
  useConnection(me)
  return (
    <SubScreen title={screenTitles.notifications} back="/account">
      <Notices isStaff={me.role === 'admin'} />
      <p className="text-center text-xs text-ink-3">{noticeTexts.keptFor}</p>
    </SubScreen>
  )
}
