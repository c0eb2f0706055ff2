import { useConnection, useMe } from '#web/features/identity/use-me.ts'
import { Notices } from '#web/features/notices/notices.tsx'
import { noticeTexts } from '#web/features/notices/notices-texts.ts'
import { BackLink } from '#web/layout/back-link.tsx'
import { Screen } from '#web/layout/screen.tsx'
import { screenTitles } from '#web/platform/texts.ts'
import { PlayMoneyLine } from '#web/parts/play-money-line.tsx'

export function NotificationsScreen() {
  const me = useMe()
  useConnection(me)
  return (
    <Screen title={screenTitles.notifications} before={<BackLink fallback="/account" />}>
      <Notices isStaff={me.role === 'admin'} />
      <p className="text-center text-xs text-ink-3">{noticeTexts.keptFor}</p>
      <PlayMoneyLine />
    </Screen>
  )
}
