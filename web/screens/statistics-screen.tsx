import { dayOf } from '#domain/day.ts'
import { useConnection, useMe } from '#web/features/identity/use-me.ts'
import { Statistics } from '#web/features/statistics/statistics.tsx'
import { BackLink } from '#web/layout/back-link.tsx'
import { Screen } from '#web/layout/screen.tsx'
import { screenTitles } from '#web/platform/texts.ts'
import { PlayMoneyLine } from '#web/parts/play-money-line.tsx'

export function StatisticsScreen() {
  const me = useMe()
  useConnection(me)
  return (
    <Screen title={screenTitles.statistics} before={<BackLink fallback="/account" />}>
      <Statistics firstDay={dayOf(me.createdAtMs)} />
      <PlayMoneyLine />
    </Screen>
  )
}
